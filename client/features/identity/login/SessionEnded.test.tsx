import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { identityErrors } from '../../../../contract/errors/identity.ts'
import { SessionProvider } from '../../../lib/session.tsx'
import { endSession, readToken, writeToken } from '../../../lib/token.ts'
import SessionEnded from './SessionEnded.tsx'

let before: string
let after: string
let asked: { path: string; as: string | null }[]

beforeEach(() => {
  ;[before, after] = [crypto.randomUUID(), crypto.randomUUID()]
  asked = []
})
afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllGlobals()
})

const refusal = (code: 'challenge_expired' | 'password_wrong') => () =>
  Response.json({ error: identityErrors[code].text, code }, { status: 403 })
const challenge = () =>
  Response.json({ token: null, secondFactor: { challengeId: crypto.randomUUID(), methods: ['totp'] } })

type Answer = () => Response | Promise<Response>

/** Opens the dialog over a page of Ada's, whose calls are answered one after the other with these. */
async function opens({ login, finish = [] }: { login: Answer[]; finish?: Answer[] }) {
  const answers: Record<string, Answer[]> = { '/api/auth/login': login, '/api/auth/secondfactor': finish }
  vi.stubGlobal('fetch', async (address: string, { headers }: { headers: Headers }) => {
    const path = new URL(address, 'http://localhost').pathname
    asked.push({ path, as: new Headers(headers).get('authorization') })
    return answers[path]?.shift()?.() ?? Response.json({ _id: 'me', email: 'me@example.test' })
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
  const password = () => screen.findByLabelText('Password')
  const logIn = async () => user.click(await screen.findByRole('button', { name: 'Log in' }))
  return {
    user,
    password,
    typesPassword: async () => {
      await user.type(await password(), 'a long enough password')
      await logIn()
    },
    typesCode: async () => {
      await user.type(await screen.findByLabelText(/app code/), '123456')
      await logIn()
    },
  }
}

const logOutButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Log out' })

test('a second factor that came too late leads back to the password, with the reason, and from there on', async () => {
  const { password, typesPassword, typesCode } = await opens({
    login: [challenge, challenge],
    finish: [refusal('challenge_expired'), () => Response.json({ token: after })],
  })
  await typesPassword()
  await typesCode()
  await screen.findByText(identityErrors.challenge_expired.text)
  const field = await password()
  await waitFor(() => expect(document.activeElement).toBe(field))

  await typesPassword()
  await typesCode()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(readToken()).toBe(after)
})

test('that a second factor came too late is not said again once a password was sent', async () => {
  const { user, password, typesPassword, typesCode } = await opens({
    login: [challenge, refusal('password_wrong')],
    finish: [refusal('challenge_expired')],
  })
  await typesPassword()
  await typesCode()
  await screen.findByText(identityErrors.challenge_expired.text)
  await typesPassword()
  await screen.findByText(identityErrors.password_wrong.text)
  await user.type(await password(), '!')
  expect(screen.queryByText(identityErrors.password_wrong.text)).toBeNull()
  expect(screen.queryByText(identityErrors.challenge_expired.text)).toBeNull()
})

test.each([
  ['nobody is', null],
  ['somebody else is', 'bea'],
])(
  'a login that is answered once %s logged in changes nothing, and its session is ended',
  async (_who, token) => {
    const answer = Promise.withResolvers<Response>()
    const { typesPassword } = await opens({ login: [() => answer.promise] })
    await typesPassword()
    await waitFor(() => expect(asked.at(-1)?.path).toBe('/api/auth/login'))
    act(() => writeToken(token))
    answer.resolve(Response.json({ token: after }))
    await waitFor(() => expect(asked).toContainEqual({ path: '/api/users/logout', as: `Bearer ${after}` }))
    expect(readToken()).toBe(token)
  },
)

test('while a login is on its way nobody logs out', async () => {
  const [first, second] = [Promise.withResolvers<Response>(), Promise.withResolvers<Response>()]
  const { typesPassword, typesCode } = await opens({
    login: [() => first.promise],
    finish: [() => second.promise],
  })
  await typesPassword()
  await waitFor(() => expect(logOutButton().disabled).toBe(true))
  first.resolve(challenge())
  await waitFor(() => expect(logOutButton().disabled).toBe(false))
  await typesCode()
  await waitFor(() => expect(logOutButton().disabled).toBe(true))
  second.resolve(Response.json({ token: after }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(readToken()).toBe(after)
})
