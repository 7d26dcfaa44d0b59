import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { SessionProvider } from '../../../lib/session.tsx'
import { readToken, writeToken } from '../../../lib/token.ts'
import { forgetWish, keepWish } from '../../../lib/wish.ts'
import { Component as LoginPage } from '../login/LoginPage.tsx'
import { loginTexts } from '../login/texts.ts'
import { forgetForm, keptForm } from './kept-form.ts'
import { Component as SignupPage } from './SignupPage.tsx'
import { signupTexts } from './texts.ts'

afterEach(() => {
  cleanup()
  writeToken(null)
  forgetWish()
  forgetForm()
  vi.unstubAllGlobals()
})

function opens() {
  vi.stubGlobal('fetch', async (address: string) => {
    if (address.includes('/auth/login')) return Response.json({ token: 'a-token' })
    return Response.json({ error: 'Not found.', code: 'not_found' }, { status: 404 })
  })
  const pages = [
    { path: '/signup', element: <SignupPage /> },
    { path: '/login', element: <LoginPage /> },
  ]
  const router = createMemoryRouter(pages, { initialEntries: ['/signup'] })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionProvider>
        <RouterProvider router={router} />
      </SessionProvider>
    </QueryClientProvider>,
  )
  return router
}

test('a first tap selects the suggested username, a second one places the caret, and it isn’t kept as if typed', async () => {
  keepWish({ label: 'Subscribe to Mara', path: '/users/mara', thing: null })
  opens()
  const username = await screen.findByLabelText<HTMLInputElement>(new RegExp(`^${signupTexts.username}`))
  const { value } = username
  expect(value).not.toBe('')
  const selected = () => username.value.slice(username.selectionStart ?? 0, username.selectionEnd ?? 0)
  const user = userEvent.setup()
  await user.click(username)
  expect(selected()).toBe(value)
  await user.click(username)
  expect(selected()).toBe('')
  expect(keptForm()).toEqual({})
})

test('what somebody typed to sign up is not there for the next person once somebody has logged in', async () => {
  const router = opens()
  const user = userEvent.setup()
  await user.type(await screen.findByLabelText(new RegExp(`^${signupTexts.firstName}`)), 'Robin')
  expect(keptForm()).toEqual({ firstName: 'Robin' })

  await router.navigate('/login')
  await user.type(await screen.findByLabelText(new RegExp(`^${loginTexts.email}`)), 'ada@mail.test')
  await user.type(await screen.findByLabelText(new RegExp(`^${loginTexts.password}`)), 'tulips at 9')
  await user.click(screen.getByRole('button', { name: loginTexts.submit }))
  await waitFor(() => expect(readToken()).toBe('a-token'))
  expect(keptForm()).toEqual({})
})
