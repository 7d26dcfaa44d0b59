import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { newMediaQuery } from '../../features/media/library/api.ts'
import { SessionProvider } from '../../lib/session.tsx'
import { FanOverview } from './FanOverview.tsx'
import { homeTexts } from './texts.ts'
import { waitingTexts } from './waiting-texts.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const NOTHING = { items: [], hasMore: false, nextCursor: null }

/** Shows a fan's home whose photos are there before it's known what waits for them; answers what says that. */
function home(): (waiting: Response) => void {
  const { promise, resolve } = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', async (address: string) =>
    new URL(address, 'http://localhost').pathname.endsWith('/users/waiting')
      ? promise
      : Response.json(NOTHING),
  )
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  client.setQueryData(newMediaQuery.queryKey, { pages: [NOTHING], pageParams: [undefined] })
  const router = createMemoryRouter([{ path: '/', element: <FanOverview /> }])
  render(
    <QueryClientProvider client={client}>
      <SessionProvider>
        <RouterProvider router={router} />
      </SessionProvider>
    </QueryClientProvider>,
  )
  return resolve
}

const photos = () => screen.findByText(homeTexts.nothingTitle)
const stands = (one: Element, other: Element) =>
  one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? 'above' : 'below'

test('what waits stands above the photos, also where these are there first', async () => {
  const answer = home()
  answer(Response.json({ items: [{ kind: 'request_to_pay', count: 1, amount: 24, name: 'okko' }] }))
  const needs = await screen.findByRole('region', { name: waitingTexts.own })
  expect(stands(needs, await photos())).toBe('above')
})

test('photos are there though nobody can say what waits', async () => {
  const answer = home()
  answer(Response.json({ error: 'Not now.', code: 'internal_error' }, { status: 500 }))
  expect(stands(await screen.findByText(waitingTexts.loadFailed), await photos())).toBe('below')
})
