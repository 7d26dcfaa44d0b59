import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { SessionProvider } from '../../../lib/session.tsx'
import { callTexts } from '../../../lib/texts.ts'
import { readToken, writeToken } from '../../../lib/token.ts'
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

const refusal = (status: number, code: string) => Response.json({ error: code, code }, { status })

function opens(answer: (path: string) => Response | undefined = () => undefined) {
  vi.stubGlobal('fetch', async (path: string) => answer(path) ?? refusal(404, 'not_found'))
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

test('who tries again after an answer that was lost gets into the account that was made', async () => {
  let tries = 0
  opens((path) => {
    if (path.includes('/auth/login')) return Response.json({ token: 'mine', secondFactor: null })
    if (!path.includes('/users/signup')) return
    tries += 1
    if (tries === 2) throw new TypeError('the answer was lost')
    return refusal(409, 'signup_taken')
  })
  const user = userEvent.setup()
  for (const [label, text] of [
    [signupTexts.firstName, 'Ada'],
    [signupTexts.username, 'ada'],
    [signupTexts.forumUsername, 'ada_reads'],
    [signupTexts.email, 'ada@example.com'],
    [signupTexts.password, 'tulips at 9'],
    [signupTexts.confirmation, 'tulips at 9'],
  ] as const)
    await user.type(await screen.findByLabelText(label, { selector: 'input' }), text)
  await user.click(screen.getByRole('radio', { name: new RegExp(`^${signupTexts.no}`) }))
  const send = () => user.click(screen.getByRole('button', { name: signupTexts.submit }))
  // Nothing was lost so far: the account is another person’s.
  await send()
  await screen.findByText('signup_taken')
  expect(readToken()).toBeNull()
  await send()
  await screen.findByText(callTexts.unreachable)
  await send()
  await waitFor(() => expect(readToken()).toBe('mine'))
})
