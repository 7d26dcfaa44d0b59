import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Profile } from '../../../profiles/api.ts'
import { type Subscription, subscriptionsQuery } from '../../api.ts'
import { SubscribeBar } from './SubscribeBar.tsx'

beforeEach(() => {
  const observer = class {
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal('IntersectionObserver', observer)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** A subscription that the viewer doesn't have, for $9. */
const plan = (changes: Partial<Subscription>) =>
  ({
    ...{ _id: 'plan', title: 'Patrons', description: '', cover: null, price: '$9', owed: null },
    ...{
      retired: false,
      terms: [],
      status: null,
      expiration: null,
      includes: 'chosen',
      message: null,
      undecided: false,
    },
    ...{ photoCount: 1, videoCount: 0, videoSeconds: 0, ...changes },
  }) as unknown as Subscription

/** What the bar says; null where there is none. */
function show(...subscriptions: Subscription[]): string | null {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  client.setQueryData(subscriptionsQuery('ada').queryKey, { subscriptions })
  const creator = { _id: 'ada', username: 'ada', firstName: 'Ada' } as Profile
  const element = <SubscribeBar creator={creator} onBuy={() => {}} />
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={createMemoryRouter([{ path: '/', element }])} />
    </QueryClientProvider>,
  )
  return (screen.queryByRole('button') ?? screen.queryByRole('link'))?.textContent ?? null
}

const past_due = { status: 'past_due', owed: '$8' } as const
const processing = { status: 'past_due', undecided: true } as const
const active = { status: 'active', expiration: '2100-01-01T00:00:00.000Z' } as const

test.each([
  ['a visitor', [plan({})], 'Subscribe to Ada · $9/mo'],
  ['a subscriber', [plan(active), plan({ _id: 'other' })], null],
  ['who is past due', [plan(past_due)], 'Update card to pay $8'],
  [
    'who is past due for what is no longer sold',
    [plan({ ...past_due, retired: true }), plan({ _id: 'other', price: '$5' })],
    'Update card to pay $8',
  ],
  [
    'who is past due and has another',
    [plan(past_due), plan({ ...active, _id: 'other' })],
    'Update card to pay $8',
  ],
  ['who can’t pay what is past due anymore', [plan({ status: 'past_due' })], 'Subscribe to Ada · $9/mo'],
  ['whose payment is undecided', [plan(processing)], 'Payment processing · Go to Billing'],
  [
    'whose payment for what is no longer sold is undecided',
    [plan({ ...processing, retired: true }), plan({ _id: 'other', price: '$5' })],
    'Payment processing · Go to Billing',
  ],
  [
    'whose payment is undecided, and who has another',
    [plan(processing), plan({ ...active, _id: 'other' })],
    null,
  ],
])('the bar of a phone says to %s what the rows of the profile say', (_who, subscriptions, said) => {
  expect(show(...subscriptions)).toBe(said)
})
