import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../../lib/query.ts'
import { meKey, SessionProvider } from '../../../../lib/session.tsx'
import { writeToken } from '../../../../lib/token.ts'
import { PeopleSearch } from './PeopleSearch.tsx'

const ME = { _id: 'me' }

let found: () => Response | Promise<Response>

beforeEach(() => {
  writeToken('token')
  vi.stubGlobal('fetch', async (address: string) =>
    address.includes('searchusers') ? found() : Response.json(ME),
  )
})
afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllGlobals()
})

test('a search that is on its way or failed says so, and not that nobody has that name', async () => {
  const client = createQueryClient()
  client.setQueryData([...meKey, 'token'], ME)
  const { promise, resolve } = Promise.withResolvers<Response>()
  found = () => promise
  const search = <PeopleSearch nobody="No one with this username." onPick={() => {}} />
  render(
    <QueryClientProvider client={client}>
      <SessionProvider>
        <RouterProvider router={createMemoryRouter([{ path: '*', element: search }])} />
      </SessionProvider>
    </QueryClientProvider>,
  )
  // At once: typed letter by letter, a part of it may be searched for first.
  fireEvent.change(screen.getByRole('searchbox', { name: 'Find people' }), { target: { value: 'fin' } })
  await screen.findByLabelText('Loading')
  resolve(Response.json({ error: 'Not now.', code: 'rate_limited' }, { status: 429 }))
  await screen.findByText('We couldn’t search for people')
  expect(screen.queryByText('No one with this username.')).toBeNull()
  found = () =>
    Response.json({ items: [{ _id: 'finn', username: 'finn' }], hasMore: false, nextCursor: null })
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByRole('button', { name: 'finn' })
})
