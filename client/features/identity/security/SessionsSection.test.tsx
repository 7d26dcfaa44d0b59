import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { SessionProvider } from '../../../lib/session.tsx'
import { renewToken, writeToken } from '../../../lib/token.ts'
import { SessionsSection } from './SessionsSection.tsx'

afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllGlobals()
})

const session = { createdAt: '2026-11-01T09:00:00.000Z', lastSeenAt: '2026-11-20T09:00:00.000Z' }
const own = { ...session, _id: 'own', device: 'Chrome on Windows', current: true }
const other = { ...session, _id: 'other', device: 'Safari on iPhone', current: false }

/** Shows the list, which holds for each token what `listed` says at that moment. */
function opens(listed: (token: string) => unknown[], revoke = () => Response.json({ success: true })) {
  vi.stubGlobal('fetch', async (address: string, { headers }: { headers: Headers }) => {
    const { pathname } = new URL(address, 'http://localhost')
    if (pathname === '/api/auth/me') return Response.json({ _id: 'me' })
    if (pathname === '/api/users/sessions/revoke') return revoke()
    const token = new Headers(headers).get('authorization')?.replace('Bearer ', '')
    return Response.json({ items: listed(token ?? '') })
  })
  writeToken('first')
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionProvider>
        <SessionsSection />
      </SessionProvider>
    </QueryClientProvider>,
  )
  return screen.findAllByRole('listitem')
}

test('the session that is looking is active now, whenever the server last wrote it down', async () => {
  const [shownOwn, shownOther] = await opens(() => [own, other])
  expect(shownOwn?.textContent).toContain('Active now')
  expect(shownOwn?.textContent).not.toContain('Last seen')
  expect(shownOther?.textContent).toContain('Last seen Nov 20, 2026')
})

test('a session that ended elsewhere meanwhile leaves the list without an error', async () => {
  let listed = [own, other]
  await opens(
    () => listed,
    () => Response.json({ error: 'We couldn’t find that.', code: 'not_found' }, { status: 404 }),
  )
  listed = [own]
  await userEvent.click(screen.getByRole('button', { name: 'Log out Safari on iPhone' }))
  await waitFor(() => expect(screen.queryByText('Safari on iPhone')).toBeNull())
  expect(screen.getByRole('alert').textContent).toBe('')
})

test('after a login over the page the list is that of the new session', async () => {
  await opens((token) => (token === 'first' ? [own, other] : [{ ...own, device: 'Chrome on Android' }]))
  act(() => void renewToken('first', 'second'))
  await screen.findByText('Chrome on Android')
  expect(screen.queryByText('Safari on iPhone')).toBeNull()
})
