import { QueryClientProvider, QueryObserver } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../lib/query.ts'
import { catchUpNotifications, notificationEvents, useMarkRead } from './api.ts'
import { unreadNotificationsQuery } from './parts/bell/unread.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['one was told and another read', { unread: 1, newestId: 'b' }, true],
  ['nothing happened', { unread: 1, newestId: 'a' }, false],
  ['one was only read', { unread: 0, newestId: 'a' }, false],
])('after a cut in which %s it is known whether something was told', async (_what, after, missed) => {
  const client = createQueryClient()
  let unread = { unread: 1, newestId: 'a' }
  vi.stubGlobal('fetch', async () => Response.json(unread))
  new QueryObserver(client, unreadNotificationsQuery).subscribe(() => {})
  await expect.poll(() => client.isFetching()).toBe(0)
  unread = after
  expect(await catchUpNotifications(client)).toBe(missed)
  client.clear()
})

// An id says nothing of when its notification was told.
test.each([
  ['a', 'b'],
  ['b', 'a'],
])(
  'what was told before the answer to ‘Mark all as read’ came, but after it was made, is still counted: %s, then %s',
  async (older, newer) => {
    const client = createQueryClient()
    const answer = Promise.withResolvers<Response>()
    vi.stubGlobal('fetch', () => answer.promise)
    const { queryKey } = unreadNotificationsQuery
    client.setQueryData(queryKey, { unread: 3, newestId: older })
    const { result } = renderHook(() => useMarkRead(), {
      wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
    })
    const marked = result.current.mutateAsync(undefined)
    const told = { _id: newer, createdAt: '2026-06-02T12:00:00', read: false }
    const notification = { ...told, event: { kind: 'export.ready' as const, data: {} } }
    const on = notificationEvents(client)
    on['notifications read']({ unread: 0, newestId: older })
    on.notification({ notification, unread: 1, newestId: newer })
    answer.resolve(Response.json({ unread: 0, newestId: older }))
    await marked
    expect(client.getQueryData(queryKey)).toEqual({ unread: 1, newestId: newer })
    client.clear()
  },
)

test.each([
  ['a', 'b'],
  ['b', 'a'],
])(
  'without a connection ‘Mark all as read’ counts what is left all the same: %s, then %s',
  async (known, newest) => {
    const client = createQueryClient()
    const { queryKey } = unreadNotificationsQuery
    let unread = { unread: 3, newestId: known }
    vi.stubGlobal('fetch', async () => Response.json(unread))
    new QueryObserver(client, unreadNotificationsQuery).subscribe(() => {})
    await expect.poll(() => client.getQueryData(queryKey)).toEqual(unread)
    unread = { unread: 0, newestId: newest }
    const { result } = renderHook(() => useMarkRead(), {
      wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
    })
    await result.current.mutateAsync(undefined)
    await expect.poll(() => client.getQueryData(queryKey)).toEqual(unread)
    client.clear()
  },
)
