import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import type { Person } from '../../lib/session.tsx'
import { formatDate } from '../../ui/format.ts'
import { NextSteps } from './NextSteps.tsx'
import { nextStepsTexts } from './texts.ts'
import type { WaitingThing } from './waiting.ts'
import { waitingTexts } from './waiting-texts.ts'

const me = { _id: 'me', username: 'me', profileImage: null } as Person

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

type OnSale = { subscriptions?: number; bundles?: number; singles?: number }
type Waits = {
  person?: Person
  waiting?: Partial<WaitingThing>[] | null
  unread?: number
  unreadKnown?: Promise<void>
}

/** Shows the steps of a creator who uploaded something and has these things on sale, and for whom this waits; null can't be read. */
function steps(
  onSale: OnSale,
  { person = me, waiting = [], unread = 0, unreadKnown }: Waits = {},
): QueryClient {
  const some = (count = 0) => Array.from({ length: count }, (_, index) => ({ _id: `${index}` }))
  vi.stubGlobal('fetch', async (address: string) => {
    const { pathname } = new URL(address, 'http://localhost')
    if (pathname.endsWith('/users/subscriptions'))
      return Response.json({ subscriptions: some(onSale.subscriptions) })
    if (pathname.endsWith('/users/bundles')) return Response.json({ bundles: some(onSale.bundles) })
    if (pathname.endsWith('/users/waiting'))
      return waiting
        ? Response.json({ items: waiting })
        : Response.json({ error: 'Not now.', code: 'internal_error' }, { status: 500 })
    if (pathname.endsWith('/users/unread')) {
      await unreadKnown
      return Response.json({ items: some(unread) })
    }
    const items = some(pathname.endsWith('/purchasablemedia') ? onSale.singles : 1)
    return Response.json({ items, hasMore: false, nextCursor: null })
  })
  const router = createMemoryRouter([{ path: '/', element: <NextSteps person={person} /> }])
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return client
}

test.each([
  ['nothing', {}, nextStepsTexts.toDo],
  ['a subscription', { subscriptions: 1 }, nextStepsTexts.done],
  ['a bundle', { bundles: 1 }, nextStepsTexts.done],
  ['a single', { singles: 1 }, nextStepsTexts.done],
])('with %s on sale, the first price is marked right', async (_what, onSale, mark) => {
  steps(onSale)
  const price = await screen.findByRole('link', { name: new RegExp(nextStepsTexts.price) })
  expect(price.closest('li')?.querySelector(`[aria-label="${mark}"]`)).not.toBeNull()
  const upload = screen.getByRole('link', { name: new RegExp(nextStepsTexts.upload) })
  expect(upload.closest('li')?.querySelector(`[aria-label="${nextStepsTexts.toDo}"]`)).toBeNull()
})

const ready = { ...me, profileImage: 'portrait' } as Person
const SINCE = '2026-11-20T12:00:00Z'
const request: Partial<WaitingThing> = { kind: 'request_to_answer', count: 2, since: SINCE }

test('nothing is shown of it before all is known, as it would push down what stands below', async () => {
  const known = Promise.withResolvers<void>()
  const client = steps({}, { waiting: [request], unread: 3, unreadKnown: known.promise })
  const shown = new Set<number>()
  const observer = new MutationObserver(() => {
    const work = screen.queryByRole('region', { name: waitingTexts.own })
    if (work) shown.add(work.querySelectorAll('a').length)
  })
  observer.observe(document.body, { childList: true, subtree: true })
  await waitFor(() => expect(client.isFetching()).toBe(1))
  known.resolve()
  await screen.findByText('3 unread conversations')
  observer.disconnect()
  expect([...shown]).toEqual([2])
})

test('real work stands in place of tips, and beside the first steps', async () => {
  steps({ singles: 1 }, { person: ready, waiting: [request], unread: 3 })
  const work = await screen.findByRole('region', { name: waitingTexts.own })
  expect(
    [...work.querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('href')]),
  ).toEqual([
    [`2 custom requests to answerOldest waiting since ${formatDate(SINCE)}`, '/customs'],
    ['3 unread conversationsAnswer in your messages.', '/dashboard/chats'],
  ])
  expect(screen.queryByText(nextStepsTexts.keepGoing)).toBeNull()
  cleanup()
  steps({}, { waiting: [request] })
  await screen.findByRole('region', { name: waitingTexts.own })
  screen.getByText(nextStepsTexts.setUp)
  cleanup()
  steps({ singles: 1 }, { person: ready })
  await screen.findByText(nextStepsTexts.keepGoing)
  const asFan = screen.getByRole('link', { name: new RegExp(nextStepsTexts.asFan) })
  expect(asFan.getAttribute('href')).toBe('/users/me?as=fan')
  expect(screen.queryByRole('region', { name: waitingTexts.own })).toBeNull()
})

test('what waits that can’t be read takes no step away', async () => {
  steps({}, { waiting: null })
  await screen.findByText(waitingTexts.loadFailed)
  await screen.findByText(nextStepsTexts.setUp)
})
