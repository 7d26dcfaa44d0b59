import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { NotificationList } from './NotificationList.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a line that stands for several says how many of them are unread, as the bell counts them', async () => {
  const told = (at: number, event: object) => ({
    ...{ _id: String(at), createdAt: `2026-06-02T12:0${at}:00`, read: false },
    event,
  })
  const follower = { kind: 'follower.added', data: { from: 'ada', fromId: 'a' } }
  const items = [told(3, follower), told(2, { kind: 'export.ready', data: {} }), told(1, follower)]
  vi.stubGlobal('fetch', async () => Response.json({ items, hasMore: false, nextCursor: null }))
  const list = <NotificationList heading="h2" />
  render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={createMemoryRouter([{ path: '/', element: list }])} />
    </QueryClientProvider>,
  )
  const lines = (await screen.findAllByRole('link')).map(({ textContent }) => textContent)
  expect(lines).toEqual([
    expect.stringMatching(/^2 people followed you\..*2 unread$/),
    expect.stringMatching(/^Your data is ready to download\..*Unread$/),
  ])
})
