import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Cards } from './Cards.tsx'

const ID = '00000000-0000-7000-8000-000000000001'
const card = { _id: ID, brand: 'Visa', lastFour: '1111', expires: '12/39', expiry: 'valid', renews: [] }
const owed = { _id: ID, title: 'Patrons', price: '$10' }

let sent: unknown[]
let items: (typeof card)[]
let pastDue: (typeof owed)[]
/** What became past due between the dialog and the call. */
let meanwhile: typeof pastDue | null
beforeEach(() => {
  sent = []
  items = [card]
  meanwhile = null
  vi.stubGlobal('fetch', async (_address: string, { body }: RequestInit) => {
    if (!body) return Response.json({ items, pastDue })
    sent.push(JSON.parse(String(body)))
    if (meanwhile) {
      ;[pastDue, meanwhile] = [meanwhile, null]
      return Response.json({ error: 'What you owe has changed.', code: 'past_due_changed' }, { status: 409 })
    }
    return Response.json({ renewed: 0, stillPastDue: 0 })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const shown = ({ _id, price }: typeof owed) => ({ _id, price })

function opens(): QueryClient {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 30_000, retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <MantineProvider>
        <Cards subscriptions={[{ _id: ID, renews: true }]} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  return client
}

async function choosesFor(waiting: typeof pastDue, before = waiting) {
  pastDue = before
  opens()
  const user = userEvent.setup()
  const button = await screen.findByRole('button', { name: 'Use for renewals: Visa 1111' })
  pastDue = waiting
  await user.click(button)
  return user
}

test('what a card pays at once is told before it is chosen for renewals', async () => {
  const user = await choosesFor([owed])
  await screen.findByText('We’ll charge $10 for “Patrons” right away.')
  expect(sent).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Charge Visa 1111' }))
  await waitFor(() => expect(sent).toEqual([{ cardId: ID, pastDue: [shown(owed)] }]))
})

test('what several come to is told with them', async () => {
  await choosesFor([owed, { ...owed, _id: `${ID}2`, price: '$4.50' }])
  await screen.findByText(/“Patrons” right away\. That’s \$14\.50 for 2 subscriptions\.$/)
})

test('what became past due since the page was read is told, too', async () => {
  await choosesFor([owed], [])
  await screen.findByText('We’ll charge $10 for “Patrons” right away.')
  expect(sent).toEqual([])
})

test('what became past due since it was told isn’t charged before it is told, too', async () => {
  const user = await choosesFor([owed])
  const other = { ...owed, _id: `${ID}2`, title: 'Friends', price: '$4.50' }
  meanwhile = [owed, other]
  await user.click(await screen.findByRole('button', { name: 'Charge Visa 1111' }))
  await screen.findByText('What you owe has changed.')
  await screen.findByText(/“Friends” right away\. That’s \$14\.50 for 2 subscriptions\.$/)
  await user.click(screen.getByRole('button', { name: 'Charge Visa 1111' }))
  await waitFor(() => expect(sent.at(-1)).toEqual({ cardId: ID, pastDue: [shown(owed), shown(other)] }))
})

test('what is paid since it was told isn’t charged again', async () => {
  const user = await choosesFor([owed])
  meanwhile = []
  await user.click(await screen.findByRole('button', { name: 'Charge Visa 1111' }))
  await screen.findByText('Nothing is charged right away.')
  await user.click(screen.getByRole('button', { name: 'Use for renewals' }))
  await waitFor(() => expect(sent.at(-1)).toEqual({ cardId: ID, pastDue: [] }))
})

test('a dialog that replaces a card stays when the card is removed elsewhere', async () => {
  pastDue = []
  const client = opens()
  await userEvent.click(await screen.findByRole('button', { name: 'Replace Visa 1111' }))
  const dialog = await screen.findByRole('dialog', { name: 'Replace Visa 1111' })
  items = []
  await client.invalidateQueries()
  await screen.findByText('No saved cards')
  expect(screen.getByRole('dialog', { name: 'Replace Visa 1111' })).toBe(dialog)
})

test('a card that pays nothing yet is chosen at once', async () => {
  await choosesFor([])
  await waitFor(() => expect(sent).toEqual([{ cardId: ID, pastDue: [] }]))
})
