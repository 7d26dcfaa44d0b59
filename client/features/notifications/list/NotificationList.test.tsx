import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import type { Told } from '../../../../contract/notifications.ts'
import { createQueryClient } from '../../../lib/query.ts'
import { NotificationList } from './NotificationList.tsx'
import { lineOf } from './texts.ts'

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

test('a payout that came back says how much of it is in the balance', async () => {
  const data = { amount: '$21', state: 'failed', reason: 'Closed' }
  const cut = { back: '$10.50', taken: '$3.50', held: '$7' }
  const events = [
    { kind: 'payout.changed', data: { ...data, cut } },
    { kind: 'payout.changed', data: { ...data, cut: null } },
  ] as Told[]
  expect(events.map((event) => lineOf(event, 1))).toEqual([
    'Your payout of $21 failed. $10.50 of it is back in your balance; the rest was taken back or is on hold for refunds and disputes.',
    'Your payout of $21 failed. The amount is back in your balance.',
  ])
})
