import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { SessionProvider, useSession } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import { Component } from './EarningsPage.tsx'

afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllGlobals()
})

const Page = () => useSession().loggedIn && <Component />

/** The page of somebody whose referrals brought so much. */
async function opens(
  commissions: string,
  isCreator = true,
  months: string[] = [],
  { items = [], breakdown }: { items?: unknown[]; breakdown?: object } = {},
): Promise<string[]> {
  writeToken(crypto.randomUUID())
  vi.stubGlobal('fetch', async (address: string) => {
    if (address.includes('/auth/me'))
      return Response.json({ _id: 'me', username: 'sam', isCreator, permissions: [] })
    const totals = { gross: '$10', fee: '$2', share: '$8', commissions, spent: '$0' }
    if (address.includes('/users/statements'))
      return Response.json({ items: months.map((month) => ({ month, change: '$7', closing: '$7' })) })
    if (address.includes('/earnings/breakdown') && breakdown) return Response.json(breakdown)
    if (address.includes('/users/earnings')) return Response.json({ days: [] })
    return address.includes('/transactions')
      ? Response.json({ items, hasMore: false, nextCursor: null, totals })
      : Response.json({ error: 'Not found.', code: 'not_found' }, { status: 404 })
  })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <SessionProvider>
          <RouterProvider router={createMemoryRouter([{ path: '/', element: <Page /> }])} />
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>,
  )
  const last = await screen.findByText(isCreator ? 'Gross' : 'Total spent')
  return [...(last.closest('dl')?.children ?? [])].map(({ textContent }) => textContent)
}

test('what referrals brought stands beside the share of own sales, once there is any', async () => {
  expect(await opens('$7.50')).toEqual([
    'Your share$8.00',
    'Commissions$7.50',
    'Gross$10.00',
    'Platform fee$2.00',
  ])
  cleanup()
  expect(await opens('$0')).toEqual(['Your share$8.00', 'Gross$10.00', 'Platform fee$2.00'])
  cleanup()
  expect(await opens('$7.50', false)).toEqual(['Commissions$7.50', 'Total spent$0.00'])
})

test('who only refers people has their statements too, and who only buys none', async () => {
  await opens('$7', false, ['2030-01'])
  expect(await screen.findByRole('button', { name: /^PDF of the statement for Jan/ })).toBeDefined()
  cleanup()
  await opens('$0', false)
  expect(screen.queryByText('Statements')).toBeNull()
})

test('all that the sources brought is what stands above and what was taken back since', async () => {
  const person = (username: string) => ({ _id: username, username })
  const sale = {
    ...{ _id: 'sale', kind: 'tip', title: 'Tip', amount: '$10', returned: '$2', byBank: false },
    ...{ status: 'captured', dispute: null, fee: '$1', share: '$7', buyerId: person('finn') },
    ...{ creatorId: person('me'), transactionDate: '2030-01-01T12:00:00Z' },
  }
  const source = (source: string, share: string) => ({ source, sales: 1, gross: share, fee: '$0', share })
  const sources = [source('subreddit', '$42'), source('tip', '$9.60'), source('commission', '$3.50')]
  await opens('$43.50', true, [], { items: [sale], breakdown: { sources, items: [], fans: [] } })
  await screen.findByText('All time, after refunds and disputes.')
  const bySource = await screen.findByRole('list', { name: 'By source' })
  expect([...bySource.children].map(({ textContent }) => textContent)).toEqual([
    'Subreddit program 1 commission$42.00',
    'Tips 1 sale$9.60',
    'Referral commissions 1 commission$3.50',
  ])
  screen.getByText('Before refunds and disputes.')
  // Tips are no items.
  screen.getByText('No items sold in this range')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Range' }), 'All time')
  await screen.findByText(
    'Before refunds and disputes. Taken back since: $1.60 of your share and $2.00 of your commissions.',
  )
})
