import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { afterLogin } from '../../lib/redirect.ts'
import { SessionProvider } from '../../lib/session.tsx'
import { OwnReferralLink } from './OwnReferralLink.tsx'

beforeEach(() => {
  vi.stubGlobal('fetch', async () =>
    Response.json({ error: 'No one is logged in.', code: 'unauthenticated' }, { status: 401 }),
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  afterLogin.clear()
})

test.each(['Log in', 'Sign Up'])('“%s” leads back to where the visitor was', async (name) => {
  const router = createMemoryRouter(
    [
      { path: '/how-to-use', element: <OwnReferralLink /> },
      { path: '*', element: null },
    ],
    { initialEntries: ['/how-to-use?ref=ada'] },
  )
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SessionProvider>
        <RouterProvider router={router} />
      </SessionProvider>
    </QueryClientProvider>,
  )
  await userEvent.click(await screen.findByRole('link', { name }))
  expect(afterLogin.saved()).toBe('/how-to-use?ref=ada')
})
