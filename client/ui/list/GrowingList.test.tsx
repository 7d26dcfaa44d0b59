import { infiniteQueryOptions, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { GrowingList } from './GrowingList.tsx'
import { useAllPages, useList } from './use-list.ts'

const PAGE = 3
const ALL = 8

/** Which pages were asked for; those named in `failing` don't come. */
let asked: string[]
let failing: Set<string>
/** The browser's part: tells that the end of the list is in sight, or out of it. */
let sight: ((isIntersecting: boolean) => void) | undefined

beforeEach(() => {
  asked = []
  failing = new Set()
  sight = undefined
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(onChange: (entries: { isIntersecting: boolean }[]) => void) {
        sight = (isIntersecting) => act(() => onChange([{ isIntersecting }]))
      }
      observe() {}
      disconnect() {
        sight = undefined
      }
    },
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const numbers = infiniteQueryOptions({
  queryKey: ['numbers'],
  queryFn: async ({ pageParam }) => {
    const name = pageParam ?? 'first'
    asked.push(name)
    if (failing.has(name)) throw new Error('The server is away.')
    const start = Number(pageParam ?? 0)
    const items = Array.from({ length: Math.min(PAGE, ALL - start) }, (_, index) => start + index)
    return { items, next: start + PAGE < ALL ? String(start + PAGE) : undefined }
  },
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
  retry: false,
})

type NumbersProps = { byButton?: boolean; all?: boolean }

function Numbers({ byButton = false, all = false }: NumbersProps) {
  const list = useList(numbers)
  useAllPages(list, all)
  return (
    <GrowingList list={list} byButton={byButton} waiting={<p>Waiting</p>} empty={<p>Nothing</p>}>
      <ul>
        {list.items.map((number) => (
          <li key={number}>{number}</li>
        ))}
      </ul>
    </GrowingList>
  )
}

/** The list as a page beside another one, on one cache. */
function open(props: NumbersProps = {}, client = new QueryClient()) {
  const router = createMemoryRouter([
    { path: '/', element: <Numbers {...props} /> },
    { path: '/other', element: <p>Elsewhere</p> },
  ])
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return { go: (to: string | number) => act(() => router.navigate(to as string)) }
}

const shown = () => screen.queryAllByRole('listitem').map(({ textContent }) => Number(textContent))
const shows = (count: number) =>
  waitFor(() => expect(shown()).toEqual(Array.from({ length: count }, (_, index) => index)))

test('asks for the next page when its end comes into sight, and for no other', async () => {
  open()
  await shows(3)
  sight?.(false)
  expect(asked).toEqual(['first'])
  sight?.(true)
  await shows(6)
  expect(asked).toEqual(['first', '3'])
  sight?.(true)
  await shows(8)
  // Nothing is left to look out for.
  expect(sight).toBeUndefined()
  expect(asked).toEqual(['first', '3', '6'])
})

test('says that a page failed, doesn’t ask again by itself, and tries again when told to', async () => {
  failing.add('3')
  open()
  await shows(3)
  sight?.(true)
  const again = await screen.findByRole('button', { name: 'Try again' })
  await screen.findByText('Something went wrong. Please try again.')
  expect(shown()).toEqual([0, 1, 2])
  expect(sight).toBeUndefined()
  expect(asked).toEqual(['first', '3'])
  failing.clear()
  await userEvent.click(again)
  await shows(6)
  expect(screen.queryByRole('button')).toBeNull()
})

test('a first page that did not come is tried again in its place', async () => {
  failing.add('first')
  open()
  const again = await screen.findByRole('button', { name: 'Try again' })
  failing.clear()
  await userEvent.click(again)
  await shows(3)
})

test('grows by a button alone where something stands below it', async () => {
  open({ byButton: true })
  await shows(3)
  expect(sight).toBeUndefined()
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
  await shows(6)
})

test('is as it was left after going back, and starts with its first page when opened again', async () => {
  const { go } = open()
  await shows(3)
  sight?.(true)
  await shows(6)
  await go('/other')
  await go(-1)
  expect(shown()).toEqual([0, 1, 2, 3, 4, 5])
  expect(asked).toEqual(['first', '3'])
  await go('/other')
  await go('/')
  await shows(3)
  await waitFor(() => expect(asked).toEqual(['first', '3', 'first']))
})

test('what was made wrong meanwhile is asked for again, and nothing else that is fresh', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  const { go } = open({}, client)
  await shows(3)
  await go('/other')
  await go('/')
  await shows(3)
  expect(asked).toEqual(['first'])
  await go('/other')
  await client.invalidateQueries({ queryKey: numbers.queryKey })
  await go('/')
  await waitFor(() => expect(asked).toEqual(['first', 'first']))
})

test('all pages come one after the other for what needs them, and stop where one fails', async () => {
  failing.add('6')
  open({ all: true })
  const again = await screen.findByRole('button', { name: 'Try again' })
  expect(asked).toEqual(['first', '3', '6'])
  failing.clear()
  await userEvent.click(again)
  await shows(8)
  expect(asked).toEqual(['first', '3', '6', '6'])
})

test('a filter taken away again asks for one page, not for all that were read before it', async () => {
  function Filtered() {
    const [filter, setFilter] = useState('none')
    const list = useList({ ...numbers, queryKey: ['numbers', filter] })
    return (
      <>
        <button type="button" onClick={() => setFilter(filter === 'none' ? 'some' : 'none')}>
          Filter
        </button>
        <GrowingList list={list} waiting={<p>Waiting</p>} empty={<p>Nothing</p>}>
          <ul>
            {list.items.map((number) => (
              <li key={number}>{number}</li>
            ))}
          </ul>
        </GrowingList>
      </>
    )
  }
  const router = createMemoryRouter([{ path: '/', element: <Filtered /> }])
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  await shows(3)
  sight?.(true)
  await shows(6)
  asked = []
  await userEvent.click(screen.getByRole('button', { name: 'Filter' }))
  await shows(3)
  await userEvent.click(screen.getByRole('button', { name: 'Filter' }))
  await shows(3)
  await waitFor(() => expect(asked).toEqual(['first', 'first']))
})
