import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { SessionProvider } from '../../../lib/session.tsx'
import { Component } from './OfferPage.tsx'
import { offerTexts } from './texts.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('an offer that is gone when it is read again is said to be', async () => {
  const creatorId = { _id: 'creator', username: 'sam', firstName: 'Sam', profileImage: null }
  let isGone = false
  vi.stubGlobal('fetch', async (address: string) =>
    isGone || !address.includes('/offer')
      ? Response.json({ error: 'Not found.', code: 'not_found' }, { status: 404 })
      : Response.json({ offer: { _id: 'offer', creatorId }, view: 'login' }),
  )
  const client = createQueryClient()
  render(
    <QueryClientProvider client={client}>
      <SessionProvider>
        <RouterProvider
          router={createMemoryRouter([{ path: '/:offerId', element: <Component /> }], {
            initialEntries: ['/offer'],
          })}
        />
      </SessionProvider>
    </QueryClientProvider>,
  )
  await screen.findByText('@sam')
  isGone = true
  await client.invalidateQueries()
  await screen.findByText(offerTexts.missing)
  expect(screen.queryByText('@sam')).toBeNull()
})
