import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useList } from '../../../ui/list/use-list.ts'
import { type Transaction, transactionsQuery } from './api.ts'
import { TransactionTable } from './TransactionTable.tsx'
import { standingText } from './texts.ts'

const one = (title: string, seller: string, amount: string) => ({
  _id: title,
  status: 'captured',
  kind: 'single',
  title,
  amount,
  returned: null as string | null,
  byBank: false,
  dispute: null,
  fee: null,
  share: null,
  buyerId: { _id: 'buyer', username: 'buyer' },
  creatorId: { _id: seller, username: seller },
  transactionDate: '2026-11-21T12:00:00Z',
})
const first = [one('Sunrise', 'me', '$9.99'), one('Noon', 'other', '$5')]
const second = [one('Dusk', 'me', '$7')]

/** What the second page answers; it waits until it is released. */
let failing: boolean
let release: () => void
let files: Blob[]
let asked: string

beforeEach(() => {
  failing = false
  files = []
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
  vi.stubGlobal('fetch', async (address: string) => {
    if (address.includes('/csv')) {
      asked = address
      const headers = { 'content-disposition': 'attachment; filename="transactions.csv"' }
      return new Response('written by the server', { headers })
    }
    const further = address.includes('cursor')
    if (further) await gate
    if (further && failing) return Response.json({ error: 'Away.', code: 'user_not_found' }, { status: 404 })
    return Response.json({
      items: further ? second : first,
      hasMore: !further,
      nextCursor: further ? null : 'next',
      totals: { gross: '$1', fee: '$0', share: '$1', commissions: '$0', spent: '$0' },
    })
  })
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    files.push(blob as Blob)
    return 'blob:file'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

function Table() {
  return <TransactionTable list={useList(transactionsQuery)} creatorId="me" empty={<p>Nothing</p>} />
}

async function open() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <RouterProvider router={createMemoryRouter([{ path: '/', element: <Table /> }])} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  await screen.findByText('Sunrise')
}
const file = async () => {
  await waitFor(() => expect(files).toHaveLength(1))
  return (await files[0]?.text())
    ?.split('\r\n')
    .slice(1, -1)
    .map((line) => line.split('","')[1])
}
const download = () => userEvent.click(screen.getByRole('button', { name: /^Download CSV/ }))
const search = (words: string) =>
  fireEvent.change(screen.getByLabelText('Search transactions'), { target: { value: words } })

test('rows are found by the amount and the date that are shown; how many is said once all are here', async () => {
  await open()
  search('$9.99 nov 21')
  await screen.findByText('Searching…')
  expect(screen.queryByText(/result/)).toBeNull()
  release()
  await screen.findByText('1 result')
  screen.getByText('Sunrise')
  expect(screen.queryByText('Noon')).toBeNull()
  search('$5.00')
  await screen.findByText('Noon')
  expect(screen.queryByText('Sunrise')).toBeNull()
})

test('what was bought has an amount and no share; on a phone the amount stands where a sale has its share', async () => {
  await open()
  const bought = () => screen.getByText('Noon').closest('tr') as HTMLElement
  expect(within(bought()).getAllByText('$5.00')).toHaveLength(1)
  cleanup()
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
  await open()
  within(bought()).getByText('$5.00')
})

test('the file holds what is shown, in its order', async () => {
  await open()
  release()
  await userEvent.selectOptions(screen.getByLabelText('Show'), 'sold')
  await userEvent.click(screen.getByRole('button', { name: 'Amount' }))
  await screen.findByText('2 results')
  await download()
  expect(await file()).toEqual(['Dusk', 'Sunrise'])
})

test('the file holds what was chosen, though the search shows it no longer', async () => {
  await open()
  release()
  await userEvent.click(screen.getAllByRole('checkbox')[2] as HTMLElement)
  search('sunrise')
  await screen.findByText('1 result · 1 selected')
  await download()
  expect(await file()).toEqual(['Noon'])
})

test('Download after a page that did not come asks for it again', async () => {
  failing = true
  release()
  await open()
  await userEvent.selectOptions(screen.getByLabelText('Show'), 'sold')
  await screen.findByText('Away.')
  await download()
  expect(files).toEqual([])
  failing = false
  await download()
  expect(await file()).toEqual(['Sunrise', 'Dusk'])
})

test('what nobody narrowed down is written by the server, of the days that are asked for', async () => {
  await open()
  await download()
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByLabelText('From'), { target: { value: '2026-11-20' } })
  fireEvent.change(dialog.getByLabelText('To'), { target: { value: '2026-11-19' } })
  await userEvent.click(dialog.getByRole('button', { name: 'Download CSV' }))
  await dialog.findByText('The last day is before the first.')
  fireEvent.change(dialog.getByLabelText('To'), { target: { value: '2026-11-21' } })
  await userEvent.click(dialog.getByRole('button', { name: 'Download CSV' }))
  await waitFor(() => expect(files).toHaveLength(1))
  expect(await files[0]?.text()).toBe('written by the server')
  expect(asked).toMatch(/\/users\/transactions\/csv\?from=2026-11-20&to=2026-11-21&timeZone=/)
})

test.each<[Partial<Transaction>, string]>([
  [{ returned: '$4' }, 'Partly refunded'],
  [{ returned: '$4', byBank: true }, 'Partly returned'],
  [{ status: 'refunded', returned: '$9.99' }, 'Refunded'],
  [{ status: 'voided', returned: '$9.99' }, 'Refunded'],
  [{ status: 'voided' }, 'Canceled'],
  [{ status: 'disputed', dispute: 'lost', returned: '$9.99', byBank: true }, 'Dispute lost'],
])('a sale with %j is called %s', (change, said) => {
  expect(standingText({ ...one('Sunrise', 'me', '$9.99'), ...change } as Transaction)).toBe(said)
})
