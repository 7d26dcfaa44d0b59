import { act, cleanup, render, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider, useBlocker } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { useAddress } from './use-address.ts'

afterEach(cleanup)

/** A page whose next address arrives when it is told to. */
async function opened() {
  let address: ReturnType<typeof useAddress> | undefined
  let blocks = false
  const Page = () => {
    address = useAddress()
    useBlocker(() => blocks)
    return null
  }
  let arrives = Promise.resolve()
  const router = createMemoryRouter([
    { path: '*', element: <Page />, hydrateFallbackElement: <p />, loader: () => arrives.then(() => null) },
  ])
  render(<RouterProvider router={router} />)
  await waitFor(() => expect(address).toBeDefined())
  return {
    change: (...to: Parameters<NonNullable<typeof address>[1]>) => act(() => address?.[1](...to)),
    drawn: () => address?.[0].toString(),
    asked: () => address?.[2].toString(),
    go: (to: string) => act(() => router.navigate(to)),
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      arrives = promise
      return () => act(async () => resolve())
    },
    block: (does: boolean) => {
      blocks = does
    },
    hurry: () => {
      arrives = Promise.resolve()
    },
    onTheWay: () => waitFor(() => expect(router.state.navigation.location?.search ?? '').toMatch(/^\?/)),
  }
}

test('a choice that comes while the address of the last one is on its way adds to it', async () => {
  const page = await opened()
  const arrive = page.hold()
  page.change({ group: 'followers' })
  await page.onTheWay()
  page.change({ sort: 'spent' })
  expect([page.drawn(), page.asked()]).toEqual(['', 'group=followers&sort=spent'])
  await arrive()
  await waitFor(() => expect(page.drawn()).toBe('group=followers&sort=spent'))
  page.change({ group: '' })
  await waitFor(() => expect(page.drawn()).toBe('sort=spent'))
})

test('so does one that makes the next address by itself, and one at the same moment', async () => {
  const page = await opened()
  page.change({ search: 'a & b', sort: 'name' })
  page.change((asked) => new URLSearchParams({ ...Object.fromEntries(asked), sort: 'new' }))
  await waitFor(() => expect(page.drawn()).toBe('search=a+%26+b&sort=new'))
})

test('after an address from elsewhere, what was on its way counts no longer', async () => {
  const page = await opened()
  page.hold()
  page.change({ group: 'followers' })
  await page.onTheWay()
  page.hurry()
  await page.go('/?search=ann')
  await waitFor(() => expect(page.drawn()).toBe('search=ann'))
  page.change({ sort: 'spent' })
  await waitFor(() => expect(page.drawn()).toBe('search=ann&sort=spent'))
})

test('what was held back isn’t part of the next choice', async () => {
  const page = await opened()
  page.change({ post: '7' })
  await waitFor(() => expect(page.drawn()).toBe('post=7'))
  page.block(true)
  page.change({ post: '' })
  await waitFor(() => expect(page.asked()).toBe('post=7'))
  page.block(false)
  page.change({ search: 'ann' })
  await waitFor(() => expect(page.drawn()).toBe('post=7&search=ann'))
})

test('choices that were overtaken by the same one count no longer once it is drawn', async () => {
  const page = await opened()
  const arrive = page.hold()
  page.change({ sort: 'new' })
  page.change({ sort: '' })
  page.change({ sort: 'new' })
  await arrive()
  await waitFor(() => expect(page.drawn()).toBe('sort=new'))
  page.hurry()
  await page.go('/')
  await waitFor(() => expect(page.drawn()).toBe(''))
  expect(page.asked()).toBe('')
})
