import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Person } from '../../lib/session.tsx'
import { RecentSales } from './RecentSales.tsx'
import { salesTexts } from './texts.ts'

const me = { _id: 'me', username: 'me' } as Person

/** What the server answers: so many pages of these titles, the same on each, and which of them were asked for. */
let sold: string[]
let bought: string[]
let pages: number
let asked: (string | null)[]
let gross: string

const one = (title: string, seller: string, page: string) => ({
  _id: `${title} ${page}`,
  status: 'captured',
  kind: title.startsWith('Custom request') ? 'custom' : 'single',
  title,
  amount: '$4',
  fee: seller === 'me' ? '$1' : null,
  share: seller === 'me' ? '$3' : null,
  buyerId: { _id: 'buyer', username: 'buyer' },
  creatorId: { _id: seller, username: seller },
  transactionDate: '2026-11-21T12:00:00Z',
})

beforeEach(() => {
  asked = []
  gross = '$4'
  vi.stubGlobal('fetch', async (address: string) => {
    const url = new URL(address, 'http://localhost')
    if (url.pathname.endsWith('/earnings')) return Response.json({ days: [] })
    const cursor = url.searchParams.get('cursor')
    asked.push(cursor)
    const page = Number(cursor ?? 1)
    return Response.json({
      items: [
        ...(page === pages ? sold.map((title) => one(title, 'me', `${page}`)) : []),
        ...bought.map((title) => one(title, 'other', `${page}`)),
      ],
      hasMore: page < pages,
      nextCursor: page < pages ? `${page + 1}` : null,
      totals: { gross, fee: '$1', share: '$3', commissions: '$0', spent: '$8' },
    })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const open = () =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={createMemoryRouter([{ path: '/', element: <RecentSales person={me} /> }])} />
    </QueryClientProvider>,
  )

test('what was bought is not listed as a sale, and a sale behind it is found', async () => {
  ;[sold, bought, pages] = [['Sunrise'], ['Noon', 'Dusk'], 2]
  open()
  await screen.findByText('Sunrise')
  expect(screen.getAllByRole('listitem')).toHaveLength(1)
  expect(screen.queryByText('Noon')).toBeNull()
  expect(asked).toEqual([null, '2'])
})

test('Home looks for sales no further back than the second page, and says nothing untrue', async () => {
  ;[sold, bought, pages] = [['Sunrise'], ['Noon'], 9]
  open()
  await waitFor(() => expect(asked).toEqual([null, '2']))
  await new Promise((resolve) => setTimeout(resolve))
  expect(asked).toEqual([null, '2'])
  expect(screen.queryByText(salesTexts.none)).toBeNull()
  expect(screen.queryByText('Noon')).toBeNull()
})

test('who sold nothing reads so, after one page', async () => {
  ;[sold, bought, pages] = [[], ['Noon'], 9]
  gross = '$0'
  open()
  await screen.findByText(salesTexts.none)
  expect(asked).toEqual([null])
})

test('a custom request is called so, without the name that its creator goes by', async () => {
  ;[sold, bought, pages] = [['Custom request to @me'], [], 1]
  open()
  await screen.findByText('Custom request')
})
