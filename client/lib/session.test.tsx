import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from './query.ts'
import { SessionProvider, useSession } from './session.tsx'
import { endSession, writeToken } from './token.ts'
import { forgetWish, keepWish, keptWish } from './wish.ts'

afterEach(() => {
  cleanup()
  writeToken(null)
  forgetWish()
  vi.unstubAllGlobals()
})

const WISH = { label: 'Subscribe to Mara · $9.99/mo', path: '/users/mara', thing: null }

function Person() {
  return <p>{useSession().currentUser?.email ?? 'Nobody'}</p>
}

/** Shows whoever the token is of; its text is their email address. */
function opens() {
  vi.stubGlobal('fetch', async (_address: string, { headers }: { headers: Headers }) => {
    const [, token] = new Headers(headers).get('authorization')?.split(' ') ?? []
    return Response.json({ _id: token, email: token, permissions: [] })
  })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionProvider>
        <Person />
      </SessionProvider>
    </QueryClientProvider>,
  )
}

test('a wish comes along into a login, and goes with its person, however the session ended', async () => {
  opens()
  keepWish(WISH)
  act(() => writeToken('ada@mail.test'))
  await screen.findByText('ada@mail.test')
  expect(keptWish()).toEqual(WISH)

  act(() => writeToken('bea@mail.test'))
  await screen.findByText('bea@mail.test')
  expect(keptWish()).toBeNull()

  keepWish(WISH)
  act(() => {
    endSession('bea@mail.test')
    writeToken(null)
  })
  await screen.findByText('Nobody')
  await waitFor(() => expect(keptWish()).toBeNull())
})
