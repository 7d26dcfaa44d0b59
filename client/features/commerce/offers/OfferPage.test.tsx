import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
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
  const offer = {
    ...{ _id: 'gift', creatorId, offerType: 'freeTrial', price: null, subscriptionDays: 7, bundle: null },
    ...{ subscription: { _id: 'club', title: 'Club', price: '$9' }, media: [], photoCount: 0, videoCount: 0 },
  }
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
