import { cleanup, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import type { Profile } from '../../../profiles/api.ts'
import type { Subscription } from '../../api.ts'
import { SubscriptionRow } from './SubscriptionList.tsx'

afterEach(cleanup)

function show(retired: boolean) {
  const subscription = {
    ...{ _id: 'plan', title: 'Patrons', description: '', cover: null, price: '$9', owed: '$9', retired },
    ...{ terms: [{ months: 3, discountPercent: 10, price: '$24.30', perMonth: '$8.10' }], mediaIds: [] },
    ...{ status: 'past_due', expiration: null, message: null, chatEnabled: false, includes: 'chosen' },
    ...{ photoCount: 1, videoCount: 0, videoSeconds: 0 },
  } as unknown as Subscription
  const creator = { _id: 'ada', username: 'ada', blocked: false, suspended: false } as unknown as Profile
  const element = (
    <SubscriptionRow subscription={subscription} creator={creator} own={false} onBuy={() => {}} />
  )
  render(<RouterProvider router={createMemoryRouter([{ path: '/', element }])} />)
  return {
    subscribe: screen.queryByRole('button', { name: 'Subscribe to Patrons' }) !== null,
    update: screen.queryByRole('link', { name: 'Update card' }) !== null,
    longer: screen.queryByText('From $8.10 per month for 3 months') !== null,
  }
}

test('who is past due for what is no longer sold can update their card, and is offered nothing that would be refused', () => {
  expect(show(true)).toEqual({ subscribe: false, update: true, longer: false })
})

test('who is past due for what is sold can subscribe at the price of now as well', () => {
  expect(show(false)).toEqual({ subscribe: true, update: true, longer: true })
})
