import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { filterOf } from './filter.ts'
import { useSelecting } from './use-selecting.ts'

/** What was asked of the server, each still to be answered. */
let asked: { address: string; answer: () => void }[]

beforeEach(() => {
  asked = []
  vi.stubGlobal('fetch', (address: string) => {
    const items = [{ _id: `of ${address.match(/search=(\w+)/)?.[1] ?? 'everything'}` }]
    return new Promise((resolve) => {
      asked.push({ address, answer: () => resolve(Response.json({ items, count: 1 })) })
    })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function open() {
  const client = new QueryClient()
  const { result, rerender } = renderHook(
    ({ search }) => useSelecting(filterOf(new URLSearchParams({ search }))),
    {
      initialProps: { search: '' },
      wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
    },
  )
  /** Asks for all, and answers once it may. */
  const askAll = async () => {
    const before = asked.length
    act(() => result.current.all())
    await waitFor(() => expect(asked).toHaveLength(before + 1))
    return () => act(async () => asked[before]?.answer())
  }
  const selected = () => [...result.current.chosen.keys()]
  return { result, rerender, askAll, selected }
}

test('all that match are selected once they are known', async () => {
  const { result, askAll, selected } = open()
  act(() => result.current.start())
  const answer = await askAll()
  expect(result.current.asking).toBe(true)
  await answer()
  await waitFor(() => expect(selected()).toEqual(['of everything']))
  expect(result.current.asking).toBe(false)
})

test('an answer that comes after selecting ended selects nothing, now or the next time', async () => {
  const { result, askAll, selected } = open()
  act(() => result.current.start())
  const answer = await askAll()
  act(() => result.current.stop())
  await answer()
  act(() => result.current.start())
  expect(selected()).toEqual([])
  expect(result.current.asking).toBe(false)
  // Asked again, it is still selected.
  await (await askAll())()
  await waitFor(() => expect(selected()).toEqual(['of everything']))
})

test('an answer for an earlier filter is not added to what the new one selects', async () => {
  const { result, rerender, askAll, selected } = open()
  act(() => result.current.start())
  const late = await askAll()
  rerender({ search: 'beach' })
  const answer = await askAll()
  await late()
  expect(selected()).toEqual([])
  await answer()
  await waitFor(() => expect(selected()).toEqual(['of beach']))
})

test('an answer that comes after Clear selects nothing', async () => {
  const { result, askAll, selected } = open()
  act(() => result.current.start())
  const answer = await askAll()
  act(() => result.current.none())
  await answer()
  expect(selected()).toEqual([])
})
