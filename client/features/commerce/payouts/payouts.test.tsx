import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactElement } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient, roots } from '../../../lib/query.ts'
import { PayoutBalance } from './PayoutBalance.tsx'
import { Component as PayoutsPage } from './PayoutsPage.tsx'
import { payoutTexts } from './texts.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const BANK = { lastFour: '6789', country: 'US', heldUntil: null }
const PAYOUT = {
  ...{ _id: 'payout', amount: '$80', requestedAt: '2026-11-21T12:00:00Z', reason: null, owes: null },
  ...{ bankLastFour: '6789', hold: null, accountFlags: [], recovered: [], needsAnother: null },
  person: { _id: 'mara', username: 'mara' },
}

const page = (items: unknown[]) => Response.json({ items, hasMore: false, nextCursor: null })

/** Answers calls; every one that changes something is refused with a code, after which `changed` is true. */
function serve(code: string, answer: (address: string, changed: boolean) => Response): void {
  let changed = false
  vi.stubGlobal('fetch', async (address: string, { method }: RequestInit) => {
    if (method !== 'POST') return answer(address, changed)
    changed = true
    return Response.json({ error: 'Refused.', code }, { status: 409 })
  })
}

function open(element: ReactElement): void {
  const client = createQueryClient()
  client.setQueryData(roots.config, { brand: { name: 'Fanfare' } })
  render(
    <QueryClientProvider client={client}>
      <MantineProvider>
        <RouterProvider router={createMemoryRouter([{ path: '/', element }])} />
      </MantineProvider>
    </QueryClientProvider>,
  )
}

test('who asks for more than is left, after another tab did, reads how much that is', async () => {
  const rest = { pending: '$0', reserved: '$0', onTheWay: '$0', paidOut: '$0', minimum: '$20' }
  serve('payout_exceeds_balance', (address, changed) => {
    if (address.includes('/balance')) return Response.json({ ...rest, available: changed ? '$46' : '$126' })
    return address.includes('bank') ? Response.json({ details: BANK }) : page([])
  })
  open(<PayoutBalance always />)
  await userEvent.click(await screen.findByRole('button', { name: 'Request payout' }))
  await screen.findByText('Up to $126. The smallest payout is $20.')
  await userEvent.click(screen.getAllByRole('button', { name: 'Request payout' }).at(-1) as Element)
  await screen.findByText('Up to $46. The smallest payout is $20.')
})

test.each([
  { opens: 'Request payout', goesOn: true },
  { opens: 'Add bank details', goesOn: false },
])('bank details saved from “$opens” go on to the request: $goesOn', async ({ opens, goesOn }) => {
  let details: object | null = null
  vi.stubGlobal('fetch', async (address: string, { method }: RequestInit) => {
    if (method === 'PUT' || method === 'POST') details = { ...BANK, heldUntil: '2026-11-24T12:00:00Z' }
    if (address.includes('/balance'))
      return Response.json({
        ...{
          available: '$126',
          pending: '$0',
          reserved: '$0',
          onTheWay: '$0',
          paidOut: '$0',
          minimum: '$20',
        },
      })
    return address.includes('bank') ? Response.json({ details }) : page([])
  })
  open(<PayoutBalance always />)
  await screen.findByText('Add bank details')
  await userEvent.click(screen.getByRole('button', { name: opens }))
  await userEvent.type(await screen.findByLabelText(/^Account holder/), 'Mara Lund')
  await userEvent.type(screen.getByLabelText(/^Routing number/), '021000021')
  await userEvent.type(screen.getByLabelText(/^Account number/), '123456789')
  await userEvent.click(screen.getByRole('button', { name: 'Save bank details' }))
  await screen.findByText('Account ending in 6789 · United States')
  if (goesOn) await screen.findByText('Up to $126. The smallest payout is $20.')
  else expect(screen.queryByText('Up to $126. The smallest payout is $20.')).toBeNull()
})

test('a payout that somebody else decided meanwhile shows how it stands', async () => {
  serve('payout_changed', (address, changed) =>
    page(address.includes('exports') ? [] : [{ ...PAYOUT, status: changed ? 'approved' : 'requested' }]),
  )
  open(<PayoutsPage />)
  await userEvent.click(await screen.findByRole('button', { name: 'Approve, mara, $80' }))
  await userEvent.type(await screen.findByRole('textbox'), 'Checked')
  await userEvent.click(screen.getByRole('button', { name: 'Approve' }))
  await screen.findByText('Approved')
})

test.each([
  ['own', 'requested', ['Cancel payout'], /^This is your own payout/],
  ['own', 'in_transit', ['Mark as paid'], /^This is your own payout/],
  ['own', 'paid', [], /^This is your own payout/],
  ['recovery', 'requested', ['Cancel payout'], /^You recorded that an earlier payout of theirs failed/],
  [null, 'requested', ['Approve', 'Cancel payout'], null],
] as const)(
  'of a payout that needs another operator (%s, %s) only what one may decide is offered: %s, and why',
  async (needsAnother, status, offered, why) => {
    const items = [{ ...PAYOUT, status, needsAnother }]
    serve('', (address) => page(address.includes('exports') ? [] : items))
    open(<PayoutsPage />)
    const item = (await screen.findByText(/^mara/)).closest('li') as HTMLElement
    const buttons = within(item).queryAllByRole('button')
    expect(buttons.map(({ textContent }) => textContent)).toEqual(offered)
    if (why) within(item).getByText(why)
    else expect(item.textContent).not.toContain('Someone else with access')
  },
)

test('where nobody ever asked for a payout, all of them aren’t called open', async () => {
  serve('', () => page([]))
  open(<PayoutsPage />)
  await screen.findByText('No open payouts')
  await userEvent.click(screen.getByRole('button', { name: 'All' }))
  await screen.findByText('No payouts yet')
})

test('a payout on hold says since when, until when, and what is needed', async () => {
  const since = '2026-11-18T12:00:00Z'
  const holds = [
    { why: 'newDetails', since, until: '2026-11-21T12:00:00Z' },
    { why: 'noDetails', since: null, until: null },
    { why: 'suspended', since, until: null },
    { why: 'differences', since, until: null },
  ]
  const items = holds.map((hold) => ({ ...PAYOUT, _id: hold.why, status: 'approved', hold }))
  serve('', (address) => page(address.includes('exports') ? [] : items))
  open(<PayoutsPage />)
  await screen.findByText(/On hold from Nov 18, 2026 to Nov 21, 2026: the bank details are new/)
  await screen.findByText(/On hold until they add bank details/)
  await screen.findByText(/On hold since Nov 18, 2026, until their suspension ends/)
  await screen.findByText(/On hold since Nov 18, 2026, until the differences from the gateway are resolved/)
})

test('a file of which a payout failed or came back is listed without a download', async () => {
  const by = PAYOUT.person
  const made = { by, exportedAt: '2026-11-20T12:00:00Z', total: '$160', count: 2, hasFile: true }
  const files = [
    { ...made, _id: 'sound', reason: 'First run', paid: 1, unpaid: 0 },
    { ...made, _id: 'outdated', reason: 'Second run', paid: 0, unpaid: 2 },
  ]
  serve('', (address) => page(address.includes('exports') ? files : []))
  open(<PayoutsPage />)
  await screen.findByText('1 payout already paid')
  expect(screen.getAllByText('2 payouts, $160.00')).toHaveLength(2)
  await screen.findByText(/^2 payouts failed or came back, so you can’t download this file again/)
  expect(screen.getAllByRole('button', { name: /^Download again/ })).toHaveLength(1)
})

test('payouts and the exports below them grow by buttons alone', async () => {
  const by = PAYOUT.person
  const made = { _id: 'made', by, exportedAt: '2026-11-20T12:00:00Z', total: '$160', reason: 'Run' }
  const exported = { ...made, count: 2, hasFile: true, paid: 0, unpaid: 0 }
  serve('', (address) => {
    const items = [address.includes('exports') ? exported : { ...PAYOUT, status: 'requested' }]
    return Response.json({ items, hasMore: true, nextCursor: 'next' })
  })
  open(<PayoutsPage />)
  await screen.findByRole('button', { name: 'Show more payouts' })
  await screen.findByRole('button', { name: 'Show more exports' })
})

test('their person reads when a payout goes on, and what they have to do for it', async () => {
  const holds = [
    { why: 'newDetails', since: '2026-11-18T12:00:00Z', until: '2026-11-21T12:00:00Z' },
    { why: 'noDetails', since: null, until: null },
    { why: 'differences', since: '2026-11-18T12:00:00Z', until: null },
  ]
  const rest = { pending: '$0', reserved: '$0', onTheWay: '$80', paidOut: '$0', minimum: '$20' }
  serve('', (address) => {
    if (address.includes('/balance')) return Response.json({ ...rest, available: '$0' })
    if (address.includes('bank')) return Response.json({ details: BANK })
    return page(holds.map((hold) => ({ ...PAYOUT, _id: hold.why, status: 'requested', hold })))
  })
  open(<PayoutBalance always />)
  await screen.findByText(
    'On hold from Nov 18, 2026 to Nov 21, 2026, because your bank details are new. You don’t need to do anything.',
  )
  await screen.findByText('On hold until you add your bank details.')
  await screen.findByText(
    'On hold since Nov 18, 2026, while we check our payments. You don’t need to do anything.',
  )
})

test.each([
  // What is on hold may have been pending, so that it wouldn't make up for what a refund took.
  ['-$8', '$8', `${payoutTexts.owed('$8')} ${payoutTexts.reservedHint}`],
  ['-$8', '$0', payoutTexts.owed('$8')],
  ['$0', '$8', `${payoutTexts.pendingHint} ${payoutTexts.reservedHint} ${payoutTexts.belowMinimum('$20')}`],
])('whose balance is %s with %s on hold reads why', async (available, reserved, why) => {
  const rest = { pending: '$0', onTheWay: '$8', paidOut: '$0', minimum: '$20' }
  serve('', (address) => {
    if (address.includes('/balance')) return Response.json({ ...rest, available, reserved })
    return address.includes('bank') ? Response.json({ details: BANK }) : page([])
  })
  open(<PayoutBalance always />)
  await screen.findByText(why)
})
