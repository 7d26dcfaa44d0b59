import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { RequestTerms } from './api.ts'
import RequestCard from './RequestCard.tsx'

afterEach(cleanup)

const accepted: RequestTerms = {
  ...{ _id: 'request', userId: 'fan', creatorId: 'creator', state: 'accepted', maxMinutes: 3 },
  ...{ pricePerMinute: '$4', price: '$9', deliveryDays: 7, deliverBy: null, late: false, reason: null },
}

function show(onPay: (() => void) | null, request = accepted): void {
  const card = { request, wish: 'A song', me: 'fan', creatorUsername: 'mara', onPay }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RequestCard {...card} />
    </QueryClientProvider>,
  )
}

test('a fan pays what was accepted, unless the creator sells them nothing anymore', async () => {
  const onPay = vi.fn()
  show(onPay)
  await userEvent.click(screen.getByRole('button', { name: 'Pay $9' }))
  expect(onPay).toHaveBeenCalledOnce()

  cleanup()
  show(null)
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Delete'])
})

test.each([
  ['$9', false],
  ['$12', false],
  ['$12.50', true],
])('a fan who is asked for %s is told of their offer only if it was less', (price, isTold) => {
  show(null, { ...accepted, price })
  expect(screen.queryByText(/^You offered up to \$12\. Delivered within 7 days/) !== null).toBe(isTold)
})
