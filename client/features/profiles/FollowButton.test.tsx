import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../lib/query.ts'
import { SessionProvider } from '../../lib/session.tsx'
import { writeToken } from '../../lib/token.ts'
import { FollowButton } from './FollowButton.tsx'

/** How long a busy machine may take, in milliseconds. */
const PATIENCE = { timeout: 150_000 }

let following: boolean

/** The server: who is logged in, and whether they follow. */
async function answer(address: string, init?: RequestInit): Promise<Response> {
  if (!/follow/.test(address))
    return Response.json({ _id: 'fan', verifiedEmail: 'verified', permissions: [] })
  if (init?.method === 'POST') following = !following
  return Response.json({ following })
}

beforeEach(() => {
  following = false
  writeToken('token')
  vi.stubGlobal('fetch', answer)
})
afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllGlobals()
})

test('who follows by keyboard stands on the button that comes next', async () => {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionProvider>
        <MemoryRouter>
          <FollowButton creatorId="creator" />
        </MemoryRouter>
      </SessionProvider>
    </QueryClientProvider>,
  )
  const person = userEvent.setup()
  await vi.waitFor(
    () => expect(screen.getByRole('button', { name: 'Follow' }).hasAttribute('disabled')).toBe(false),
    PATIENCE,
  )
  // What was only loaded takes nobody's focus.
  expect(document.activeElement).toBe(document.body)
  await person.tab()
  await person.keyboard('{Enter}')
  await vi.waitFor(() => {
    const button = screen.getByRole('button', { name: 'Following' })
    expect(button.hasAttribute('disabled')).toBe(false)
    expect(document.activeElement).toBe(button)
  }, PATIENCE)
  expect(following).toBe(true)
})
