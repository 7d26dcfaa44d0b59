import { cleanup, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import type { Media } from '../api.ts'
import { type Unlock, Unlocks } from './Unlocks.tsx'

afterEach(cleanup)

/** What stands on the page of a locked item that one subscription for $12 unlocks. */
function show(changes: Partial<Unlock>) {
  const unlock: Unlock = {
    ...{ kind: 'subscription', _id: 'plan', title: 'Patrons', price: '$12', reduced: null },
    ...{ pastDue: false, owed: null, retired: false, photoCount: 1, videoCount: 0, videoSeconds: 0 },
    ...changes,
  }
  const media = { type: 'image', title: 'Dunes', showInStore: false } as Media
  const nothing = () => {}
  const element = <Unlocks media={media} unlocks={[unlock]} onBuy={nothing} onUnlock={nothing} />
  render(<RouterProvider router={createMemoryRouter([{ path: '/', element }])} />)
  return {
    subscribe: screen.queryByRole('button', { name: 'Subscribe to Patrons' }) !== null,
    price: screen.queryByText('$12') !== null,
    link: screen.queryByRole('link')?.textContent ?? null,
    owed: screen.queryByText(/You owe/)?.textContent ?? null,
  }
}

const owed = 'Your last payment hasn’t gone through. You owe $10.'

test.each([
  ['anyone', {}, { subscribe: true, price: true, link: null, owed: null }],
  [
    'who is past due',
    { pastDue: true, owed: '$10' },
    { subscribe: true, price: true, link: 'Update card', owed },
  ],
  [
    'who is past due for what is no longer sold',
    { pastDue: true, owed: '$10', retired: true },
    { subscribe: false, price: false, link: 'Update card', owed },
  ],
  [
    'whose payment is undecided',
    { pastDue: true },
    { subscribe: false, price: true, link: 'Go to Billing', owed: null },
  ],
  [
    'whose payment for what is no longer sold is undecided',
    { pastDue: true, retired: true },
    { subscribe: false, price: false, link: 'Go to Billing', owed: null },
  ],
])('the page of a locked item offers %s what they can do', (_who, changes, shown) => {
  expect(show(changes)).toEqual(shown)
})
