import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { roots } from '../../../lib/query.ts'
import { Component as PaymentPage } from './PaymentPage.tsx'
import { disputeTexts, outsideTexts, detailTexts as texts } from './texts.ts'

const [UNGRANTED, PAYING] = ['0198c0de-0000-7000-8000-000000000001', '0198c0de-0000-7000-8000-000000000002']
const person = (username: string) => ({ _id: username, username })
const attempt = (_id: string, status: string) => ({
  ...{ _id, status, reference: _id.slice(-8), gatewayTransactionId: _id.slice(-4), card: null, events },
  ...{ isRenewal, avs, cvv: null },
})

/** What is known of each charge: nothing but where a test says so. */
let isRenewal: boolean
let avs: string | null
let commissions: { referrer: ReturnType<typeof person>; amount: string }[]
let withheld: { referrer: ReturnType<typeof person>; amount: string; reason: string; at: string }[]
let events: { status: string; source: string; reason: string | null; at: string }[]

/** How the charge that paid stands, how the one that granted nothing does, and of which charge a refund of $10 is being sent another way. */
let status: string
let refunded: string | null
let lost: string | null
let kind: string
let ungranted: string
let attemptId: string

beforeEach(() => {
  ungranted = 'unknown'
  refunded = null
  lost = null
  kind = 'tip'
  ;[isRenewal, avs, events, commissions, withheld] = [false, null, [], [], []]
  vi.stubGlobal('fetch', async () =>
    Response.json({
      ...{ _id: 'order', kind, title: 'A tip', amount: '$10', refunded, lost, status },
      ...{ createdAt: '2026-11-21T12:00:00Z', buyer: person('fan'), creator: person('mara') },
      ...{
        platformFee: '$2',
        creatorShare: '$8',
        commissions,
        withheld,
        refundable: '$10',
        disputable: '$10',
      },
      attempts: [attempt(UNGRANTED, ungranted), attempt(PAYING, status)],
      ...{ refunds: [], disputes: [] },
      outside: {
        ...{ refundId: 'refund', attemptId, amount: '$10' },
        sending: { since: '2026-11-21T12:00:00Z', by: person('olga') },
      },
    }),
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function press(name: string): Promise<void> {
  open()
  await userEvent.click(await screen.findByRole('button', { name }))
}

function open(): void {
  const client = new QueryClient()
  client.setQueryData(roots.config, { brand: { name: 'Fanfare' } })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider
        router={createMemoryRouter([{ path: '/:transactionId', element: <PaymentPage /> }], {
          initialEntries: ['/order'],
        })}
      />
    </QueryClientProvider>,
  )
}

test('of a payment of which a part was lost in a dispute the operator reads so', async () => {
  ;[status, attemptId, lost] = ['captured', PAYING, '$4']
  open()
  await screen.findByText('Partly lost in a dispute')
})

test.each([
  ['tip', 0],
  ['single', 1],
])('who gives back or disputes a %s reads of access %i times', async (of, times) => {
  ;[status, attemptId, kind] = ['captured', UNGRANTED, of]
  await press(texts.refundOpen)
  const dialog = within(await screen.findByRole('dialog'))
  await dialog.findByText(/^Up to/)
  expect(dialog.queryAllByText(/access/i)).toHaveLength(times)
  await userEvent.keyboard('{Escape}')
  await userEvent.click(await screen.findByRole('button', { name: texts.dispute }))
  await within(await screen.findByRole('dialog')).findByText(
    times === 0 ? disputeTexts.recordAboutTip : disputeTexts.recordAbout,
  )
})

test('a donation is to the site, and not a sale of the account that stands on it', async () => {
  ;[status, attemptId, kind] = ['captured', PAYING, 'donation']
  open()
  await screen.findByText('This site (a donation)')
  expect(screen.queryByText('mara')).toBeNull()
})

test.each([
  ['$4', 'Partly refunded'],
  // Another charge of the same order, which paid for nothing.
  ['$10', 'Paid'],
  [null, 'Paid'],
])('of a paid order with %s refunded the operator reads “%s”', async (amount, shown) => {
  ;[status, attemptId, refunded] = ['captured', PAYING, amount]
  open()
  const label = (await screen.findAllByText('Status'))[0]
  expect(label?.parentElement?.textContent).toBe(`Status${shown}`)
})

test.each([
  ['the charge that paid', PAYING, 1],
  ['a charge that granted nothing', UNGRANTED, 0],
])('who records a dispute reads of a refund that is sent of %s', async (_what, of, count) => {
  ;[status, attemptId] = ['captured', of]
  await press(texts.dispute)
  await screen.findByText(disputeTexts.recordAboutTip)
  expect(screen.queryAllByText(disputeTexts.recordAboutSending('$10'))).toHaveLength(count)
})

test.each([
  ['the disputed charge', PAYING, outsideTexts.backEffectDisputed('$10')],
  ['another charge', UNGRANTED, outsideTexts.backEffect('$10')],
])('what stopping does to a refund of %s', async (_what, of, effect) => {
  ;[status, attemptId] = ['disputed', of]
  await press(outsideTexts.back)
  await screen.findByText(effect)
})

test.each(['voided', 'refunded'])(
  'what a charge is of that was %s meanwhile isn’t to be sent as well',
  async (over) => {
    ;[status, ungranted, attemptId] = ['captured', over, UNGRANTED]
    await press(outsideTexts.back)
    await screen.findByText(outsideTexts.backEffectOver('$10', over))
    await screen.findByText(`This charge was ${over} meanwhile, so don’t send $10 as well`, { exact: false })
  },
)

test.each(['voided', 'refunded'])(
  'who records what was sent of a charge that was %s meanwhile reads so',
  async (over) => {
    ;[status, ungranted, attemptId] = ['captured', over, UNGRANTED]
    await press(outsideTexts.record)
    await screen.findByText(outsideTexts.recordAboutOver('$10', over))
    expect(screen.queryByText(outsideTexts.recordAbout('$10'))).toBeNull()
  },
)

test('who records what is sent of a charge that stands reads what to do', async () => {
  ;[status, attemptId] = ['captured', PAYING]
  await press(outsideTexts.record)
  await screen.findByText(outsideTexts.recordAbout('$10'))
})

test.each([
  [true, 'captured', 'Renewal · Paid'],
  [true, 'refunded', 'Reversed automatically · Refunded'],
  [false, 'captured', 'Checkout · Paid'],
])('where a status came from (a renewal: %s, %s)', async (renewal, to, said) => {
  ;[status, attemptId, isRenewal] = ['captured', PAYING, renewal]
  events = [{ status: to, source: 'live', reason: null, at: '2026-11-21T12:00:00Z' }]
  open()
  expect(await screen.findAllByText(said, { exact: false })).toHaveLength(2)
})

test.each([
  ['2', 'The bank declined the card (code 2)'],
  ['205', 'The bank declined the card (code 205)'],
  ['reason_19', 'The gateway or the bank couldn’t process it (code 19)'],
  ['card_removed', 'The card was removed before it was charged'],
  ['E00999', 'Code E00999'],
])('the reason %s stands in words, and the gateway’s with its code', async (reason, said) => {
  ;[status, attemptId] = ['captured', PAYING]
  events = [{ status: 'declined', source: 'live', reason, at: '2026-11-21T12:00:00Z' }]
  open()
  expect(await screen.findAllByText(said, { exact: false })).toHaveLength(2)
})

test.each([
  ['$0.70', '$0.70 from ruth, who was suspended. It stays in the platform fee.'],
  ['$0', 'From ruth, who was suspended. It went back to the buyer with the payment.'],
])('of a withheld commission, of which %s is left, stands where it is', async (amount, said) => {
  ;[status, attemptId] = ['captured', PAYING]
  withheld = [{ referrer: person('ruth'), amount, reason: 'suspended', at: '2026-11-21T12:00:00Z' }]
  open()
  await screen.findByText(said)
})

test('to whom a referral commission went stands with how much', async () => {
  ;[status, attemptId] = ['captured', PAYING]
  commissions = [{ referrer: person('ruth'), amount: '$0.70' }]
  open()
  await screen.findByText('$0.70 to ruth, paid out of the platform fee.')
})

test('what the gateway said of the billing address stands in words', async () => {
  ;[status, attemptId, avs] = ['captured', PAYING, 'A']
  open()
  expect(await screen.findAllByText('Address (AVS A): street matches, ZIP code doesn’t')).toHaveLength(2)
  expect(screen.queryByText('Security code', { exact: false })).toBeNull()
})
