import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { LibraryMedia } from './api.ts'
import { filterOf } from './filter.ts'
import { useMove } from './use-move.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const itemsOf = (ids: string) => [...ids].map((_id) => ({ _id }) as LibraryMedia)

test('a card that is dropped last stays last of those that were loaded, at once and on the server', async () => {
  const sent: unknown[] = []
  const answered = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', (_address: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body))
    return answered.promise
  })
  const page = Promise.withResolvers<Awaited<ReturnType<Parameters<typeof useMove>[2]['fetchNextPage']>>>()
  const list = { hasNextPage: true, fetchNextPage: () => page.promise }
  const client = new QueryClient()
  const { result, rerender } = renderHook(
    ({ shown }) => useMove(filterOf(new URLSearchParams()), itemsOf(shown), list),
    {
      initialProps: { shown: 'abc' },
      wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
    },
  )
  const order = () => result.current.order.map(({ _id }) => _id).join('')
  act(() => void result.current.to(0, 2))
  expect([order(), sent]).toEqual(['bca', []])
  // What comes after it was not loaded when it was dropped.
  rerender({ shown: 'abcd' })
  expect(order()).toBe('bcad')
  await act(async () =>
    page.resolve({ error: null, data: { pages: [{ items: itemsOf('abc') }, { items: itemsOf('d') }] } }),
  )
  await waitFor(() => expect(sent).toEqual([{ mediaId: 'a', beforeMediaId: 'd' }]))
  expect(order()).toBe('bcad')
  await act(async () => answered.resolve(Response.json({ success: true })))
  // As the list has it by now.
  rerender({ shown: 'bcad' })
  await waitFor(() => expect(order()).toBe('bcad'))
})
