import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { roots } from '../../lib/query.ts'
import { SessionProvider } from '../../lib/session.tsx'
import { Component as LandingPage } from './LandingPage.tsx'
import { landingTexts, postsTexts, promotionTexts, workdayTexts } from './texts.ts'

beforeEach(() => {
  vi.stubGlobal('fetch', async () => Response.json({ items: [], creators: [] }))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** Opens the front door of a site with or without a forum to promote on. */
function open(available: boolean) {
  const router = createMemoryRouter([{ path: '*', element: <LandingPage /> }])
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } })
  client.setQueryData(roots.config, { brand: { name: 'Fanfare' }, forum: { name: 'Reddit', available } })
  render(
    <QueryClientProvider client={client}>
      <SessionProvider>
        <RouterProvider router={router} />
      </SessionProvider>
    </QueryClientProvider>,
  )
}

test('promotion is sold where there is a forum', () => {
  open(true)
  screen.getByRole('heading', { name: promotionTexts.heading })
  screen.getByRole('figure', { name: postsTexts.label })
  screen.getByText(postsTexts.verified)
})

test('without a forum nothing of promotion is sold', () => {
  open(false)
  screen.getByRole('heading', { name: landingTexts.selling.heading })
  screen.getByRole('figure', { name: workdayTexts.label })
  const page = document.body.textContent ?? ''
  const sold = [
    promotionTexts.heading,
    ...promotionTexts.reasons.map(({ title }) => title),
    postsTexts.verified,
  ]
  expect(sold.filter((words) => page.includes(words))).toEqual([])
  expect(page).not.toMatch(/subreddit|communit|promot|schedul/i)
})
