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

test('what was told before the answer to ‘Mark all as read’ came, but after it was made, is still counted', async () => {
  const client = createQueryClient()
  const answer = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', () => answer.promise)
  const { queryKey } = unreadNotificationsQuery
  client.setQueryData(queryKey, { unread: 3, newestId: 'a' })
  const { result } = renderHook(() => useMarkRead(), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  })
  const marked = result.current.mutateAsync(undefined)
  const told = { _id: 'b', createdAt: '2026-06-02T12:00:00', read: false }
  const notification = { ...told, event: { kind: 'export.ready' as const, data: {} } }
  const on = notificationEvents(client)
  on['notifications read']({ unread: 0, newestId: 'a' })
  on.notification({ notification, unread: 1, newestId: 'b' })
  answer.resolve(Response.json({ unread: 0, newestId: 'a' }))
  await marked
  expect(client.getQueryData(queryKey)).toEqual({ unread: 1, newestId: 'b' })
  client.clear()
})
