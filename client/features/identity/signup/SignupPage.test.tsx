import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { SessionProvider } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import { forgetWish, keepWish } from '../../../lib/wish.ts'
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
  vi.stubGlobal('fetch', async () => {
    return Response.json({ error: 'Not found.', code: 'not_found' }, { status: 404 })
  })
  const router = createMemoryRouter([{ path: '/', element: <SignupPage /> }])
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionProvider>
        <RouterProvider router={router} />
      </SessionProvider>
    </QueryClientProvider>,
  )
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
