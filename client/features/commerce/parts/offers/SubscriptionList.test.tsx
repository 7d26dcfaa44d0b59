import { cleanup, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import type { Profile } from '../../../profiles/api.ts'
import type { Subscription } from '../../api.ts'
import { SubscriptionRow } from './SubscriptionList.tsx'

afterEach(cleanup)

function show(changes: Partial<Subscription>) {
  const subscription = {
    ...{ _id: 'plan', title: 'Patrons', description: '', cover: null, price: '$9', owed: '$9' },
    ...{ terms: [{ months: 3, discountPercent: 10, price: '$24.30', perMonth: '$8.10' }], mediaIds: [] },
    ...{
      status: 'past_due',
      expiration: null,
      message: null,
      undecided: false,
      chatEnabled: false,
      includes: 'chosen',
    },
    ...{ photoCount: 1, videoCount: 0, videoSeconds: 0, retired: false, ...changes },
  } as unknown as Subscription
  const creator = { _id: 'ada', username: 'ada', blocked: false, suspended: false } as unknown as Profile
  const element = (
    <SubscriptionRow subscription={subscription} creator={creator} own={false} onBuy={() => {}} />
  )
  render(<RouterProvider router={createMemoryRouter([{ path: '/', element }])} />)
  return {
    subscribe: screen.queryByRole('button', { name: 'Subscribe to Patrons' }) !== null,
    update: screen.queryByRole('link', { name: 'Update card' }) !== null,
    billing: screen.queryByRole('link', { name: 'Go to Billing' }) !== null,
    longer: screen.queryByText('From $8.10 per month for 3 months') !== null,
  }
}

test('who is past due for what is no longer sold can update their card, and is offered nothing that would be refused', () => {
  expect(show({ retired: true })).toEqual({ subscribe: false, update: true, billing: false, longer: false })
})

test('who is past due for what is sold can subscribe at the price of now as well', () => {
  expect(show({})).toEqual({ subscribe: true, update: true, billing: false, longer: true })
})

test('whose payment is undecided is led to it, and offered nothing that would be refused', () => {
  expect(show({ owed: null, undecided: true })).toEqual({
    ...{ subscribe: false, update: false, billing: true, longer: true },
  })
})

test('who can’t pay what is past due anymore, as they didn’t agree to its price, can subscribe at the price of now', () => {
  expect(show({ owed: null })).toEqual({ subscribe: true, update: false, billing: false, longer: true })
})
