import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { identityErrors } from '../../../../contract/errors/identity.ts'
import { SessionProvider } from '../../../lib/session.tsx'
import { endSession, readToken, writeToken } from '../../../lib/token.ts'
import SessionEnded from './SessionEnded.tsx'

afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllGlobals()
})

test('a second factor that came too late leads back to the password, with the reason, and from there on', async () => {
  const [before, after] = [crypto.randomUUID(), crypto.randomUUID()]
  const asked: string[] = []
  const tooLate = { error: identityErrors.challenge_expired.text, code: 'challenge_expired' }
  const answers: Record<string, () => Response> = {
    '/api/auth/login': () =>
      Response.json({ token: null, secondFactor: { challengeId: crypto.randomUUID(), methods: ['totp'] } }),
    '/api/auth/secondfactor': () =>
      asked.filter((path) => path.endsWith('/secondfactor')).length === 1
        ? Response.json(tooLate, { status: 403 })
        : Response.json({ token: after }),
  }
  vi.stubGlobal('fetch', async (address: string) => {
    const { pathname } = new URL(address, 'http://localhost')
    asked.push(pathname)
    return answers[pathname]?.() ?? Response.json({ _id: 'me', email: 'me@example.test' })
  })
  writeToken(before)
  const dialog = <SessionEnded onLogOut={() => {}} />
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SessionProvider>
        <RouterProvider router={createMemoryRouter([{ path: '/', element: dialog }])} />
      </SessionProvider>
    </QueryClientProvider>,
  )
  await waitFor(() => expect(asked).toHaveLength(1))
  endSession(before)
  const user = userEvent.setup()
  const logIn = async () => user.click(await screen.findByRole('button', { name: 'Log in' }))
  const password = () => screen.findByLabelText('Password')
  await user.type(await password(), 'a long enough password')
  await logIn()
  await user.type(await screen.findByLabelText(/app code/), '123456')
  await logIn()
  await screen.findByText(identityErrors.challenge_expired.text)
  const field = await password()
  await waitFor(() => expect(document.activeElement).toBe(field))

  await user.type(field, 'a long enough password')
  await logIn()
  await user.type(await screen.findByLabelText(/app code/), '123456')
  await logIn()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(readToken()).toBe(after)
})
