import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { SessionProvider } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import { EMPTY, forgetForm, keepForm, keptForm } from '../signup/kept-form.ts'
import { Component as LoginPage } from './LoginPage.tsx'
import { loginTexts } from './texts.ts'

afterEach(() => {
  cleanup()
  writeToken(null)
  forgetForm()
  vi.unstubAllGlobals()
})

function open() {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionProvider>
        <RouterProvider router={createMemoryRouter([{ path: '/', element: <LoginPage /> }])} />
      </SessionProvider>
    </QueryClientProvider>,
  )
}

async function logIn() {
  const user = userEvent.setup()
  await user.type(await screen.findByLabelText(new RegExp(`^${loginTexts.email}`)), 'ada@mail.test')
  await user.type(await screen.findByLabelText(new RegExp(`^${loginTexts.password}`)), 'tulips at 9')
  return { submit: () => user.click(screen.getByRole('button', { name: loginTexts.submit })) }
}

test.each([
  ['is not there for the next person once somebody has logged in', { token: 'a-token' }, {}],
  ['is kept where the password was wrong', null, { firstName: 'Robin' }],
])('what was typed to sign up %s', async (_name, answer, kept) => {
  vi.stubGlobal('fetch', async (address: string) => {
    if (answer && address.includes('/auth/login')) return Response.json(answer)
    return Response.json({ error: 'Not found.', code: 'not_found' }, { status: 404 })
  })
  keepForm({ ...EMPTY, firstName: 'Robin' }, {})
  open()
  const { submit } = await logIn()
  expect(keptForm()).toEqual({ firstName: 'Robin' })
  await submit()
  if (!answer) await screen.findByText('Not found.')
  await waitFor(() => expect(keptForm()).toEqual(kept))
})

test('who can’t answer the second factor is led to the contact page', async () => {
  const challenge = { challengeId: crypto.randomUUID(), methods: ['totp', 'recovery'], passkey: null }
  vi.stubGlobal('fetch', async (address: string) =>
    address.includes('/auth/login')
      ? Response.json({ token: null, secondFactor: challenge })
      : Response.json({ error: 'Not found.', code: 'not_found' }, { status: 404 }),
  )
  open()
  const { submit } = await logIn()
  expect(screen.queryByRole('link', { name: loginTexts.contact })).toBeNull()
  await submit()
  const link = await screen.findByRole('link', { name: loginTexts.contact })
  expect(link.getAttribute('href')).toBe('/contact')
})
