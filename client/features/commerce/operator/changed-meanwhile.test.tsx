import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactElement } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient, roots } from '../../../lib/query.ts'
import { SessionProvider } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import { Attention } from './Attention.tsx'
import { Component as PaymentPage } from './PaymentPage.tsx'
import { detailTexts, disputeTexts, outsideTexts, attentionTexts as texts } from './texts.ts'

afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllGlobals()
})

const FINDING = {
  ...{ _id: 'finding', kind: 'unknown_charge', transactionId: null, gatewayTransactionId: '4711' },
  ...{ amount: '$10', since: '2026-11-21T12:00:00Z', owner: null },
}
const AT = '2026-11-21T12:00:00Z'
const person = (username: string) => ({ _id: username, username })

/** Answers calls; the one that changes something is refused with this text, after which `changed` is true. */
function serve(
  { text, code }: { text: string; code: string },
  answer: (address: string, changed: boolean) => unknown,
): void {
  let changed = false
  vi.stubGlobal('fetch', async (address: string, { method }: RequestInit) => {
    if (method !== 'POST') return Response.json(answer(address, changed))
    changed = true
    return Response.json({ error: text, code }, { status: 409 })
  })
}

function open(element: ReactElement): void {
  const client = createQueryClient()
  client.setQueryData(roots.config, { brand: { name: 'Fanfare' } })
  const router = createMemoryRouter([{ path: '/:transactionId', element }], { initialEntries: ['/order'] })
  render(
    <QueryClientProvider client={client}>
      <SessionProvider>
        <RouterProvider router={router} />
      </SessionProvider>
    </QueryClientProvider>,
  )
}

async function confirm(name: string): Promise<void> {
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Looked it up.')
  await userEvent.click(dialog.getByRole('button', { name }))
}

/** A button of the page that the dialog covers. */
const buttonBehind = (name: string) => screen.queryByRole('button', { name, hidden: true })

test('who resolves the last difference after another tab did reads so, and it is gone', async () => {
  serve({ text: 'This difference is already resolved.', code: 'finding_resolved' }, (address, changed) => ({
    items: address.includes('findings') && !changed ? [FINDING] : [],
  }))
  open(<Attention />)
  await userEvent.click(await screen.findByRole('button', { name: texts.resolveNumber('4711') }))
  await confirm(texts.resolve)
  await screen.findByText('This difference is already resolved.')
  await waitFor(() => expect(buttonBehind(texts.resolveNumber('4711'))).toBeNull())
  const dialog = within(screen.getByRole('dialog'))
  // Nothing is left to resolve.
  expect(dialog.queryByRole('button', { name: texts.resolve })).toBeNull()
  expect(dialog.queryByRole('textbox')).toBeNull()
  const close = dialog.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement
  expect(document.activeElement).toBe(close)
  await userEvent.click(close)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('who takes a difference goes on to resolve it', async () => {
  let taken = false
  vi.stubGlobal('fetch', async (address: string, { method }: RequestInit) => {
    if (method === 'POST') taken = true
    if (address.includes('/auth/me')) return Response.json({ ...person('me'), permissions: [] })
    const finding = { ...FINDING, owner: taken ? person('me') : null }
    return Response.json({ items: address.includes('findings') ? [finding] : [] })
  })
  writeToken(crypto.randomUUID())
  open(<Attention />)
  await userEvent.click(await screen.findByRole('button', { name: texts.takeNumber('4711') }))
  await waitFor(() => expect(screen.queryByText(texts.take)).toBeNull())
  expect(document.activeElement).toBe(screen.getByRole('button', { name: texts.resolveNumber('4711') }))
})

/** A payment of $10 as the operator sees it. */
const PAYMENT = {
  ...{
    _id: 'order',
    kind: 'tip',
    title: 'A tip',
    amount: '$10',
    refunded: null,
    lost: null,
    status: 'captured',
  },
  ...{ createdAt: AT, buyer: person('fan'), creator: person('mara'), platformFee: '$2' },
  ...{ creatorShare: '$8', commissions: [], withheld: [], refundable: '$10', disputable: '$10' },
  ...{ attempts: [], refunds: [], disputes: [], outside: null },
}

test('who refunds what a colleague has refunded in part reads so, and what is left', async () => {
  serve({ text: 'A colleague was faster.', code: 'payment_changed' }, (_address, changed) => ({
    ...PAYMENT,
    refundable: changed ? '$6' : '$10',
  }))
  open(<PaymentPage />)
  await userEvent.click(await screen.findByRole('button', { name: detailTexts.refundOpen }))
  await confirm(detailTexts.refund)
  await screen.findByText('A colleague was faster.')
  await within(screen.getByRole('dialog')).findByText(/^Up to \$6\./)
})

test('who records a dispute that a colleague has recorded reads so, and the page has it', async () => {
  serve({ text: 'A colleague was faster.', code: 'already_disputed' }, (_address, changed) => ({
    ...PAYMENT,
    ...(changed ? { status: 'disputed', refundable: '$0', disputable: '$0' } : {}),
  }))
  open(<PaymentPage />)
  await userEvent.click(await screen.findByRole('button', { name: detailTexts.dispute }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByRole('textbox', { name: disputeTexts.case }), 'CB-1')
  await userEvent.type(dialog.getByRole('textbox', { name: disputeTexts.reason }), 'By the bank’s letter.')
  await userEvent.click(dialog.getByRole('button', { name: disputeTexts.record }))
  await screen.findByText('A colleague was faster.')
  await waitFor(() => expect(buttonBehind(detailTexts.refundOpen)).toBeNull())
  expect(screen.getByText('Disputed')).toBeDefined()
})

const OUTSIDE = { refundId: 'refund', attemptId: 'attempt', amount: '$10', sending: null }
const SENT = { ...OUTSIDE, sending: { since: AT, by: person('olga') } }
const { back, send, sendOpen, record } = outsideTexts

test.each([
  {
    ...{ who: 'stops what a colleague has recorded', code: 'refund_changed' },
    ...{ before: SENT, after: null, opens: back, confirms: back, gone: record },
  },
  {
    ...{ who: 'sends what a colleague sends already', code: 'refund_outside' },
    ...{ before: OUTSIDE, after: SENT, opens: sendOpen, confirms: send, gone: sendOpen },
  },
])('who $who reads so, and the page has it', async ({ code, before, after, opens, confirms, gone }) => {
  serve({ text: 'A colleague was faster.', code }, (_address, changed) => ({
    ...PAYMENT,
    outside: changed ? after : before,
  }))
  open(<PaymentPage />)
  await userEvent.click(await screen.findByRole('button', { name: opens }))
  await confirm(confirms)
  await screen.findByText('A colleague was faster.')
  await waitFor(() => expect(buttonBehind(gone)).toBeNull())
  expect(within(screen.getByRole('dialog')).queryByRole('button', { name: confirms })).toBeNull()
})
