import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { Component as BillingPage } from './BillingPage.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const receipt = {
  ...{
    _id: 'one',
    title: 'Harbor',
    creator: { _id: 'mara', username: 'mara' },
    amount: '$10',
    returned: null,
  },
  ...{ byBank: false, months: null, reduced: null, status: 'captured', card: 'Visa 1111' },
  paidAt: '2026-11-21T12:00:00Z',
}

test.each([
  [{ status: 'voided', returned: '$10' }, 'Refunded'],
  [{ returned: '$4' }, '$4.00 refunded'],
  [{ returned: '$4', byBank: true }, '$4.00 returned'],
  [{ reduced: { fullPrice: '$15', owned: 1 } }, '$15.00, less 1 item you already had'],
])('a receipt with %j says %s', async (change, said) => {
  open({ items: [{ ...receipt, ...change }] })
  expect(await screen.findByText(said)).toBeDefined()
})

test('a payment that is still being decided stands there with what happens next', async () => {
  const { _id, title, creator, amount, paidAt: startedAt } = receipt
  const message = 'Your payment is under review.'
  open({ pending: [{ ...{ _id, title, creator, amount, startedAt }, status: 'held', message }] })
  const list = await screen.findByRole('list', { name: 'Pending payments' })
  expect(list.textContent).toContain('Harbor')
  expect(list.textContent).toContain('$10.00')
  expect(list.textContent).toContain(message)
})

const owed = { price: '$10', months: 1 }
const subscription = {
  ...{ _id: 'sub', planId: 'plan', title: 'Patrons', creator: receipt.creator, price: '$10', months: 1 },
  ...{ owed, next: null, terms: [], retired: false, priceChange: null, status: 'past_due', renews: true },
  ...{ expiration: '2030-01-15T00:00:00Z', canResume: false, card: 'Visa 1111', endedAt: null },
}

test.each([
  ['paid', [{ ...subscription, status: 'active', owed: null }], '“Patrons” was just paid.'],
  ['canceled', [], 'There’s nothing to pay for “Patrons” right now.'],
])('a card dialog stays when its subscription is %s elsewhere, and says so', async (_what, later, said) => {
  let subscriptions: object[] = [subscription]
  open({}, () => subscriptions)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Update card for Patrons' }))
  await screen.findByRole('button', { name: 'Save and pay $10' })
  subscriptions = later
  window.dispatchEvent(new Event('visibilitychange'))
  await screen.findByText(said, { exact: false })
  expect(screen.queryByRole('button', { name: /Save/ })).toBeNull()
  await user.click(screen.getByText('Close'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

function open(
  receipts: { items?: object[]; pending?: object[] },
  subscriptions: () => object[] = () => [],
): void {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
  vi.stubGlobal('fetch', async (address: string) => {
    if (address.includes('/config')) return Response.json({ brand: { name: 'Fanfare' } })
    if (address.includes('showing=current'))
      return Response.json({ items: subscriptions(), hasMore: false, nextCursor: null })
    if (address.includes('/cards')) {
      const isOwed = subscriptions().includes(subscription)
      const pastDue = isOwed ? [{ _id: 'sub', title: 'Patrons', price: '$10' }] : []
      return Response.json({ items: [], pastDue })
    }
    const { items = [], pending = [] } = address.includes('/receipts') ? receipts : {}
    return Response.json({ items, pending, hasMore: false, nextCursor: null, totalSpent: '$10' })
  })
  const router = createMemoryRouter([{ path: '/', element: <BillingPage /> }])
  render(
    <MantineProvider>
      <QueryClientProvider client={createQueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
}
