import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { meKey, SessionProvider } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import { forgetWish, keptWish } from '../../../lib/wish.ts'
import { Component } from './OfferPage.tsx'
import { offerTexts } from './texts.ts'

afterEach(() => {
  cleanup()
  writeToken(null)
  forgetWish()
  vi.unstubAllGlobals()
})

const creatorId = { _id: 'creator', username: 'sam', firstName: 'Sam', profileImage: null }

const offer = {
  ...{ _id: 'gift', creatorId, offerType: 'freeTrial', price: null, subscriptionDays: 7, bundle: null },
  ...{ subscription: { _id: 'club', title: 'Club', price: '$9' }, media: [], photoCount: 0, videoCount: 0 },
}

function opens(path: string) {
  const client = createQueryClient()
  const router = createMemoryRouter([{ path: '/:offerId', element: <Component /> }], {
    initialEntries: [path],
  })
  render(
    <QueryClientProvider client={client}>
      <SessionProvider>
        <RouterProvider router={router} />
      </SessionProvider>
    </QueryClientProvider>,
  )
  return client
}

test('an offer that is gone when it is read again is said to be', async () => {
  let isGone = false
  vi.stubGlobal('fetch', async (address: string) =>
    isGone || !address.includes('/offer')
      ? Response.json({ error: 'Not found.', code: 'not_found' }, { status: 404 })
      : Response.json({ offer: { _id: 'offer', creatorId }, view: 'login' }),
  )
  const client = opens('/offer')
  await screen.findByText('@sam')
  isGone = true
  await client.invalidateQueries()
  await screen.findByText(offerTexts.missing)
  expect(screen.queryByText('@sam')).toBeNull()
})

test('who has to verify their email first does it here, is led back from its link, and redeems', async () => {
  let verifiedEmail = 'unverified'
  let redeemed = false
  writeToken(crypto.randomUUID())
  vi.stubGlobal('fetch', async (address: string) => {
    if (address.includes('/auth/me'))
      return Response.json({ _id: 'fan', email: 'fan@mail.test', verifiedEmail, permissions: [] })
    if (!address.includes('/offer'))
      return Response.json({ error: 'Not found.', code: 'not_found' }, { status: 404 })
    redeemed ||= address.endsWith('/redeem')
    return Response.json({ offer, view: redeemed ? 'redeemed' : 'open' })
  })
  const client = opens('/gift?from=mail')
  await screen.findByText('fan@mail.test')
  expect(keptWish()).toEqual({ label: 'Sam’s offer: 7 days free', path: '/gift?from=mail', thing: null })

  // As it is asked for now and then, and when the window is looked at again.
  verifiedEmail = 'verified'
  await client.invalidateQueries({ queryKey: meKey })
  await userEvent.click(await screen.findByRole('button', { name: offerTexts.redeem.Trial }))
  await screen.findByText(offerTexts.doneTitle)
  await waitFor(() => expect(keptWish()).toBeNull())
})

test('a second click that is refused meanwhile doesn’t bring the redeemed offer back', async () => {
  const first = Promise.withResolvers<void>()
  const again = Promise.withResolvers<void>()
  let redemptions = 0
  let reads = 0
  writeToken(crypto.randomUUID())
  vi.stubGlobal('fetch', async (address: string) => {
    if (address.includes('/auth/me'))
      return Response.json({ _id: 'fan', email: 'fan@mail.test', verifiedEmail: 'verified', permissions: [] })
    if (address.endsWith('/redeem')) {
      redemptions += 1
      if (redemptions > 1)
        return Response.json({ error: 'In flight.', code: 'request_in_flight' }, { status: 409 })
      await first.promise
      return Response.json({ offer, view: 'redeemed' })
    }
    if (!address.includes('/offer/gift'))
      return Response.json({ error: 'Not found.', code: 'not_found' }, { status: 404 })
    reads += 1
    if (reads > 1) await again.promise
    return Response.json({ offer, view: 'open' })
  })
  const client = opens('/gift')
  const button = await screen.findByRole('button', { name: offerTexts.redeem.Trial })
  fireEvent.click(button)
  fireEvent.click(button)
  await waitFor(() => expect(reads).toBe(2))
  first.resolve()
  await screen.findByText(offerTexts.doneTitle)
  again.resolve()
  await waitFor(() => expect(client.isFetching()).toBe(0))
  expect(screen.queryByText(offerTexts.doneTitle)).not.toBeNull()
})

test.each([
  [true, offerTexts.see],
  [false, offerTexts.profile('Sam')],
])('the way on from a redeemed offer of which one still has something (%s): %s', async (inside, way) => {
  vi.stubGlobal('fetch', async (address: string) =>
    address.includes('/offer')
      ? Response.json({ offer, view: 'redeemed', inside })
      : Response.json({ error: 'Not found.', code: 'not_found' }, { status: 404 }),
  )
  opens('/offer')
  await screen.findByRole('link', { name: way })
  expect(screen.getAllByRole('link')).toHaveLength(2)
})
