import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { SessionProvider, useSession } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import { ReauthenticationProvider } from '../parts/reauthentication/ReauthenticationDialog.tsx'
import { EmailSection } from './EmailSection.tsx'
import { emailTexts } from './texts.ts'

afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllGlobals()
})

const PENDING = 'new@mail.test'
const ME = { _id: 'me', email: 'old@mail.test', verifiedEmail: 'verified', permissions: [] }

/** The section once it is known who is logged in. */
function Loaded() {
  return useSession().currentUser ? <EmailSection /> : null
}

/** Shows the section while a change is pending; `cancel` answers its cancellation, after which the account is as `then`. */
async function opens(cancel: () => Response, then: object) {
  let me: object = { ...ME, pendingEmail: PENDING }
  vi.stubGlobal('fetch', async (address: string) => {
    if (!address.includes('/changeemail/cancel')) return Response.json(me)
    me = { ...ME, pendingEmail: null, ...then }
    return cancel()
  })
  writeToken(crypto.randomUUID())
  const element = (
    <ReauthenticationProvider>
      <Loaded />
    </ReauthenticationProvider>
  )
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionProvider>
        <RouterProvider router={createMemoryRouter([{ path: '/', element }])} />
      </SessionProvider>
    </QueryClientProvider>,
  )
  await screen.findByText(PENDING)
  await userEvent.click(screen.getByRole('button', { name: emailTexts.cancel }))
}

test('a pending change is canceled by one button, which goes with it', async () => {
  await opens(() => Response.json({ success: true }), {})
  await waitFor(() => expect(screen.queryByText(PENDING)).toBeNull())
  screen.getByText(ME.email)
  expect(screen.queryByRole('button', { name: emailTexts.cancel })).toBeNull()
})

test('one that was confirmed meanwhile shows the new address as the present one', async () => {
  const error = 'This email change is no longer pending.'
  await opens(() => Response.json({ error, code: 'no_email_change' }, { status: 409 }), { email: PENDING })
  await waitFor(() => expect(screen.queryByRole('button', { name: emailTexts.cancel })).toBeNull())
  screen.getByText(PENDING)
  expect(screen.queryByText(ME.email)).toBeNull()
})
