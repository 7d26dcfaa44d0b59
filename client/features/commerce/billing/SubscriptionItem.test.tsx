import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { hearTime } from '../../../lib/server-clock.ts'
import ToastHost from '../../../ui/ToastHost.tsx'
import type { OwnSubscription } from '../parts/subscriptions/api.ts'
import { SubscriptionItem } from './SubscriptionItem.tsx'

const ID = '00000000-0000-7000-8000-000000000001'
const subscription: OwnSubscription = {
  ...{ _id: ID, planId: ID, title: 'Patrons', creator: { _id: ID, username: 'ada', profileImage: null } },
  ...{
    price: '$10',
    months: 1,
    owed: null,
    next: null,
    terms: [{ months: 1, price: '$10' }],
    retired: false,
  },
  ...{ priceChange: null, status: 'active', expiration: '2030-01-15T00:00:00.000Z', renews: true },
  ...{ canResume: false, card: 'Visa 1111', startedAt: '2029-12-15T00:00:00.000Z', endedAt: null },
}

let sent: unknown[]
let answered: Partial<OwnSubscription>
beforeEach(() => {
  sent = []
  answered = {}
  vi.stubGlobal('fetch', async (_address: string, { body }: RequestInit) => {
    sent.push(JSON.parse(String(body)))
    return Response.json({ ...subscription, ...answered })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function show(changes: Partial<OwnSubscription>) {
  const element = <SubscriptionItem subscription={{ ...subscription, ...changes }} onUpdateCard={() => {}} />
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider>
        <RouterProvider router={createMemoryRouter([{ path: '/', element }])} />
        <ToastHost />
      </MantineProvider>
    </QueryClientProvider>,
  )
  return userEvent.setup()
}

test('a term that is no longer sold can be left for the own one', async () => {
  const user = show({ next: { months: 12, price: '$80.40' } })
  await user.click(screen.getByRole('button', { name: 'Change term of Patrons' }))
  expect(await screen.findByRole('radio', { name: /1 month\s\$10/ })).toHaveProperty('checked', true)
  await user.click(await screen.findByRole('button', { name: 'Change term' }))
  await waitFor(() => expect(sent).toEqual([{ subscriptionId: ID, months: 1, price: '$10' }]))
})

test('a lower price of the only term is nothing to choose', () => {
  show({ next: { months: 1, price: '$8' } })
  expect(screen.queryByRole('button', { name: 'Change term of Patrons' })).toBeNull()
})

test('who is asked reads what the next charges are, also of a term that was chosen', () => {
  const change = { price: '$120', months: 12, on: '2031-01-15T00:00:00.000Z', answer: null } as const
  show({ next: { months: 12, price: '$80.40' }, terms: [], priceChange: change })
  expect(screen.getByText(/^You pay \$80\.40 every 12 months until Jan 1[45], 2031\./)).toBeDefined()
})

test('who declined reads that the old price is charged until then', () => {
  const change = { price: '$12', months: 1, on: '2030-02-15T00:00:00.000Z', answer: 'declined' } as const
  show({ priceChange: change })
  expect(screen.getByText(/^You declined\. You pay \$10 per month until Feb 1[45], 2030\./)).toBeDefined()
})

test('whose renewal is due, and its charge undecided, reads that, and is asked for no card', () => {
  show({ status: 'past_due', owed: null, expiration: '2020-01-15T00:00:00.000Z' })
  expect(screen.getByText('Your renewal payment is being processed.')).toBeDefined()
  expect(screen.getByText('Processing')).toBeDefined()
  expect(screen.queryByText('Past due')).toBeNull()
  expect(screen.queryByRole('button', { name: /Update card/ })).toBeNull()
})

test('who is past due reads what is owed, which is less than they paid before', () => {
  show({ status: 'past_due', owed: { price: '$8', months: 1 } })
  expect(screen.getByText('ada · $8 per month')).toBeDefined()
  expect(screen.getByText('Past due')).toBeDefined()
  expect(screen.getByText(/^We couldn’t charge your card \$8\. /)).toBeDefined()
  expect(screen.getByRole('button', { name: 'Update card for Patrons' })).toBeDefined()
})

test.each([
  ['is paid', { expiration: '2030-01-15T00:00:00.000Z' }, 'You keep it, and it renews as before.'],
  [
    'is past due',
    { status: 'past_due', owed: { price: '$10', months: 1 }, expiration: '2020-01-15T00:00:00.000Z' },
    'Once this payment goes through, you keep it, and it renews as before.',
  ],
  [
    'is being processed',
    { status: 'past_due', expiration: '2020-01-15T00:00:00.000Z' },
    'Once this payment goes through, you keep it, and it renews as before.',
  ],
] as const)('who has what is no longer sold, and %s, reads whether they keep it', (_how, changes, said) => {
  show({ retired: true, ...changes })
  expect(screen.getByText(`No longer for sale. ${said}`)).toBeDefined()
})

test('who is past due without a card reads that there is none, not that it was declined', () => {
  show({ status: 'past_due', owed: { price: '$8', months: 1 }, card: null })
  expect(screen.getByText(/^There’s no card to charge \$8\. .*Add a card to keep it\.$/)).toBeDefined()
})

test('who canceled reads what they would pay once they resume, where that is less by now', () => {
  show({ status: 'canceled', canResume: true, renews: false, next: { months: 1, price: '$8' } })
  expect(
    screen.getByText(/^Access until .* If you resume it, you’ll pay \$8 per month from then on\.$/),
  ).toBeDefined()
})

test('who resumes while a higher price is asked for isn’t told that it renews', async () => {
  const priceChange = { price: '$12', months: 1, on: '2030-01-15T00:00:00.000Z', answer: null } as const
  answered = { renews: false, priceChange }
  const user = show({ status: 'canceled', canResume: true })
  await user.click(screen.getByRole('button', { name: 'Resume Patrons' }))
  await screen.findByText(/^Resumed\. Ends Jan 1[45], 2030 unless you agree to the new price\.$/)
})

test.each(['$10', '$0'])('what ended says when it ended, not until when it was paid (%s)', (price) => {
  show({ status: 'expired', price, renews: false, endedAt: '2029-12-20T12:00:00.000Z' })
  expect(screen.getByText('Ended Dec 20, 2029')).toBeDefined()
  expect(screen.queryByText(/Paid until/)).toBeNull()
})

test.each([
  ['2030-01-14', /^You keep access until/],
  ['2030-01-16', /your access ends now/],
])('on %s by the server’s clock, who cancels reads %s', async (day, said) => {
  hearTime(new Response(null, { headers: { date: new Date(day).toUTCString() } }))
  const user = show({})
  await user.click(screen.getByRole('button', { name: 'Cancel Patrons' }))
  expect(await screen.findByText(said)).toBeDefined()
})

test.each([
  ['2030-01-17', /charge your card \$10\. You have access until Jan 1[78], 2030\. .* to keep it\.$/],
  ['2030-01-19', /charge your card \$10, so your access ended on Jan 1[78], 2030\. .* to get it back\.$/],
])('on %s by the server’s clock, who owes a renewal reads whether there is access', (day, said) => {
  hearTime(new Response(null, { headers: { date: new Date(day).toUTCString() } }))
  show({ status: 'past_due', owed: { price: '$10', months: 1 } })
  expect(screen.getByText(said)).toBeDefined()
})

const due = { price: '$20', months: 1, on: '2020-01-15T00:00:00.000Z' } as const

test('who agreed to a price that is past due reads that it is due, and is asked before declining ends it', async () => {
  const expiration = due.on
  const priceChange = { ...due, answer: 'agreed' } as const
  const user = show({ status: 'past_due', owed: due, expiration, priceChange })
  expect(screen.getByText('You agreed to $20 per month, which is due now.')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Decline $20 for Patrons' }))
  await screen.findByText('Your paid period is over, so your subscription ends. You won’t be charged again.')
  expect(sent).toEqual([])
  await user.click(screen.getByText('Decline', { selector: '[role=dialog] *' }))
  await waitFor(() => expect(sent).toEqual([{ subscriptionId: ID, agree: false, price: '$20' }]))
  await screen.findByText('You declined, so your subscription ends, and you won’t be charged again.')
})

test.each([
  ['declined', 'You declined, so your subscription ends, and you won’t be charged again.'],
  [null, /^If you agree, \$20 per month is due now\./],
] as const)('whose paid period is over reads no date of before, answered by %s', (answer, said) => {
  const priceChange = { ...due, answer }
  show({ status: 'past_due', renews: false, expiration: due.on, priceChange })
  const banner = within(screen.getByRole('region', { name: /wants to raise your price/ }))
  expect(banner.getByText(said)).toBeDefined()
  expect(screen.getByText('Ending')).toBeDefined()
  expect(screen.queryByText(/2020|Past due/)).toBeNull()
})
