import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { meKey, SessionProvider } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import { FansPage } from './FansPage.tsx'
import { OperatorGift } from './OperatorGift.tsx'

const ME = {
  _id: 'me',
  isCreator: true,
  timeZone: 'UTC',
  permissions: ['subscriptions.extend', 'media.unlock'],
}
const FINN = { _id: 'finn', username: 'finn' }

/** What is answered to the calls of these paths; to others, who is logged in. */
let answers: Record<string, (address: URL) => Response>

const refused = () => Response.json({ error: 'Not now.', code: 'rate_limited' }, { status: 429 })

beforeEach(() => {
  writeToken('token')
  vi.stubGlobal('fetch', async (path: string) => {
    const address = new URL(path, location.origin)
    const answer = answers[address.pathname.replace('/api', '')]
    if (answer) return answer(address)
    return Response.json(path.includes('/config') ? { brand: { name: 'Fanfare' } } : ME)
  })
})
afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllGlobals()
})

function opens(page: ReactNode, address = '/'): void {
  const client = createQueryClient()
  client.setQueryData([...meKey, 'token'], ME)
  const router = createMemoryRouter([{ path: '*', element: page }], { initialEntries: [address] })
  render(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <SessionProvider>
          <RouterProvider router={router} />
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>,
  )
}

test('a creator whose subscriptions did not come is told so, and can give all the same', async () => {
  answers = { '/users/subscriptions': refused }
  opens(<FansPage AllFans={({ actions }) => <>{actions(FINN)}</>} />, '/?show=fans')
  await userEvent.click(await screen.findByRole('button', { name: 'Give free days to finn' }))
  await screen.findByText('We couldn’t load the subscriptions')
  const plan = { _id: 'plan', title: 'Everything' }
  answers = { '/users/subscriptions': () => Response.json({ subscriptions: [plan] }) }
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByRole('textbox', { name: 'Free days' })
})

test('a further page that did not come leaves what an operator filled in', async () => {
  const mara = { _id: 'mara', username: 'mara', isCreator: true }
  const item = { _id: 'item', title: 'Sunset', type: 'image', price: '$4' }
  answers = {
    '/users/searchusers': () => Response.json({ items: [mara], hasMore: false, nextCursor: null }),
    '/media/unlockablemedia': ({ searchParams }) =>
      searchParams.has('cursor')
        ? refused()
        : Response.json({ items: [item], hasMore: true, nextCursor: 'next' }),
  }
  opens(<OperatorGift person={FINN} onDone={() => {}} />)
  // At once: typed letter by letter, whom a part of the name finds would make way as it is clicked.
  fireEvent.change(await screen.findByRole('searchbox', { name: 'Creator' }), { target: { value: 'mara' } })
  await userEvent.click(await screen.findByRole('button', { name: 'mara' }))
  await userEvent.click(screen.getByRole('button', { name: 'Media' }))
  await userEvent.type(await screen.findByRole('textbox', { name: /Reason/ }), 'A broken file')
  await userEvent.click(screen.getByRole('button', { name: 'Show more items' }))
  await screen.findByText('Not now.')
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: /Reason/ }).value).toBe('A broken file')
})

test('a subscriber can be written to from their row, unless writing isn’t allowed', async () => {
  const one = {
    ...{ title: 'Everything', price: '$9.99', months: 1, status: 'active' },
    ...{ expiration: '2026-12-01T00:00:00Z', endedAt: null, startedAt: '2026-11-01T00:00:00Z' },
    ...{ canAddDays: false, canExtend: true },
  }
  const items = [
    { ...one, _id: '1', subscriber: FINN, canMessage: true },
    { ...one, _id: '2', subscriber: { _id: 'gil', username: 'gil' }, canMessage: false },
  ]
  answers = { '/users/subscribers': () => Response.json({ items, hasMore: false, nextCursor: null }) }
  opens(<FansPage AllFans={() => null} />)
  const link = await screen.findByRole('link', { name: 'Message finn' })
  expect(link.getAttribute('href')).toBe('/dashboard/chat/finn')
  expect(screen.queryByRole('link', { name: 'Message gil' })).toBeNull()
})
