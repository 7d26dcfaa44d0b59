import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { callErrors } from '../../../contract/errors/calls.ts'
import SessionEnded from '../../features/identity/login/SessionEnded.tsx'
import { profileQuery } from '../../features/profiles/api.ts'
import { ProfileGate } from '../../features/profiles/ProfileGate.tsx'
import { createQueryClient, invalidate, roots } from '../../lib/query.ts'
import { SessionProvider, useSession } from '../../lib/session.tsx'
import { writeToken } from '../../lib/token.ts'

let profile: () => Response | Promise<Response>
const ME = { _id: 'me', email: 'me@example.test' }

const refusal = (status: number, code: string, error: string) => () =>
  Response.json({ error, code }, { status })
const sessionEnded = refusal(401, 'not_authenticated', callErrors.not_authenticated.text)

beforeEach(() => {
  writeToken(crypto.randomUUID())
  profile = () => Response.json({ _id: 'mara', username: 'mara' })
  vi.stubGlobal('fetch', async (address: string) => {
    if (address.includes('mara')) return profile()
    return Response.json(address.includes('/config') ? { brand: { name: 'Fanfare' } } : ME)
  })
})
afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllGlobals()
})

/** A profile on which something is typed, with the login that comes over it. */
function Page() {
  const { ended } = useSession()
  return (
    <>
      <ProfileGate username="mara">
        {({ username }) => <textarea aria-label={`Request to ${username}`} />}
      </ProfileGate>
      {ended && <SessionEnded onLogOut={() => {}} />}
    </>
  )
}

const { queryKey } = profileQuery('mara')

function opens() {
  const client = createQueryClient()
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retry: false } })
  render(
    <QueryClientProvider client={client}>
      <SessionProvider>
        <RouterProvider router={createMemoryRouter([{ path: '*', element: <Page /> }])} />
      </SessionProvider>
    </QueryClientProvider>,
  )
  const readAgain = async () => {
    invalidate(client, [roots.profiles])
    await waitFor(() => expect(client.getQueryState(queryKey)?.status).toBe('error'))
  }
  return { client, readAgain }
}

const request = () => screen.getByLabelText<HTMLTextAreaElement>('Request to mara')

test('what is typed on a profile stays while its session has ended and the profile can’t be read', async () => {
  const { readAgain } = opens()
  await userEvent.type(await screen.findByLabelText('Request to mara'), 'A sunset, please')
  profile = sessionEnded
  await readAgain()
  await screen.findByLabelText('Password')
  expect(request().value).toBe('A sunset, please')
})

test('the same while the server is away', async () => {
  const { readAgain } = opens()
  await userEvent.type(await screen.findByLabelText('Request to mara'), 'A sunset, please')
  profile = refusal(500, 'internal', 'It didn’t work.')
  await readAgain()
  expect(request().value).toBe('A sunset, please')
})

test('a profile that never came says so, and is asked for again', async () => {
  profile = refusal(500, 'internal', 'It didn’t work.')
  opens()
  const again = await screen.findByRole('button', { name: 'Try again' })
  profile = () => Response.json({ _id: 'mara', username: 'mara' })
  await userEvent.click(again)
  await screen.findByLabelText('Request to mara')
})

test('a profile that is gone meanwhile is shown no longer', async () => {
  const { readAgain } = opens()
  await screen.findByLabelText('Request to mara')
  profile = refusal(404, 'user_not_found', 'There is nobody of that name.')
  await readAgain()
  await screen.findByRole('link', { name: 'Browse All Content' })
  expect(screen.queryByLabelText('Request to mara')).toBeNull()
})
