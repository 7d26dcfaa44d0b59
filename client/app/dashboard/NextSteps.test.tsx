import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import type { Person } from '../../lib/session.tsx'
import { NextSteps } from './NextSteps.tsx'
import { nextStepsTexts } from './texts.ts'

const me = { _id: 'me', username: 'me', profileImage: null } as Person

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** Shows the steps of a creator who uploaded something and has these things on sale. */
function steps(onSale: { subscriptions?: number; bundles?: number; singles?: number }) {
  const some = (count = 0) => Array.from({ length: count }, (_, index) => ({ _id: `${index}` }))
  vi.stubGlobal('fetch', async (address: string) => {
    const { pathname } = new URL(address, 'http://localhost')
    if (pathname.endsWith('/users/subscriptions'))
      return Response.json({ subscriptions: some(onSale.subscriptions) })
    if (pathname.endsWith('/users/bundles')) return Response.json({ bundles: some(onSale.bundles) })
    const items = some(pathname.endsWith('/purchasablemedia') ? onSale.singles : 1)
    return Response.json({ items, hasMore: false, nextCursor: null })
  })
  const router = createMemoryRouter([{ path: '/', element: <NextSteps person={me} /> }])
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
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
