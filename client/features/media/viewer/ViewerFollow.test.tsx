import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { meKey, SessionProvider } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import { profileQuery } from '../../profiles/api.ts'
import { ViewerFollow } from './ViewerFollow.tsx'

const ME = { _id: 'ada', username: 'ada', verifiedEmail: 'verified', isCreator: true }

beforeEach(() => {
  writeToken('token')
  vi.stubGlobal('fetch', async (address: string) =>
    Response.json(address.includes('/auth/me') ? ME : { following: false }),
  )
})
afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllGlobals()
})

/** Opens an item of that creator on a page that knows their profile already. */
function opens(username: string): void {
  const client = createQueryClient()
  client.setQueryData([...meKey, 'token'], ME)
  const profile = { _id: username, username, isCreator: true } as never
  client.setQueryData(profileQuery(username).queryKey, profile)
  const follow = (
    <SessionProvider>
      <ViewerFollow username={username} />
      <p>Shown</p>
    </SessionProvider>
  )
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={createMemoryRouter([{ path: '/', element: follow }])} />
    </QueryClientProvider>,
  )
}

test('another creator can be followed from an item of theirs, and nobody from an own one', async () => {
  opens('bea')
  await screen.findByRole('button', { name: 'Follow' })
  cleanup()
  opens('ada')
  await screen.findByText('Shown')
  expect(screen.queryByRole('button', { name: 'Follow' })).toBeNull()
})
