import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../../lib/query.ts'
import { meKey, SessionProvider } from '../../../../lib/session.tsx'
import { writeToken } from '../../../../lib/token.ts'
import { OfferForm } from './OfferForm.tsx'

const ME = { _id: 'me', isCreator: true, timeZone: 'UTC' }

let subscriptions: () => Response
let bundles: object[]
/** The body of the last offer. */
let sent: { subscription?: string; media?: string[] } | undefined
/** What it is refused with, by field. */
let wrong: Record<string, string>
/** Holds the answer to an offer until it resolves. */
let answers: Promise<void>
/** The singles that are for sale. */
let singles: { _id: string; title: string }[]

beforeEach(() => {
  writeToken('token')
  wrong = { subscription: 'Choose one.' }
  answers = Promise.resolve()
  vi.stubGlobal('fetch', async (address: string, { method, body }: RequestInit = {}) => {
    if (address.includes('/users/subscriptions')) return subscriptions()
    if (address.includes('/users/bundles')) return Response.json({ bundles })
    if (address.includes('/purchasablemedia'))
      return Response.json({ items: singles, hasMore: false, nextCursor: null })
    if (method !== 'POST') return Response.json(ME)
    sent = JSON.parse(String(body))
    await answers
    const refusal = { error: 'Check this.', code: 'invalid_input', details: wrong }
    return Response.json(refusal, { status: 400 })
  })
})
afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllGlobals()
})

function sells(titles: string[]): () => Response {
  const sold = titles.map((title) => ({ _id: crypto.randomUUID(), title, price: '$9.99', retired: false }))
  return () => Response.json({ subscriptions: sold })
}

function opens(): void {
  const client = createQueryClient()
  client.setQueryData([...meKey, 'token'], ME)
  const form = <OfferForm onCreated={() => {}} />
  render(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <SessionProvider>
          <RouterProvider router={createMemoryRouter([{ path: '*', element: form }])} />
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>,
  )
}

test('subscriptions that did not come are not an empty choice, and can be asked for again', async () => {
  subscriptions = () => Response.json({ error: 'Not now.', code: 'rate_limited' }, { status: 429 })
  opens()
  await screen.findByText('We couldn’t load the subscriptions')
  subscriptions = sells(['Everything'])
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByRole('option', { name: 'Everything ($9.99)' })
})

test('who sells none is told what to do, and why no offer is made', async () => {
  subscriptions = sells([])
  opens()
  await screen.findByText('You have no subscription for sale yet. Create one in your shop first.')
  expect(screen.queryByRole('combobox', { name: 'Subscription' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Create offer' }))
  const refusal = await screen.findByText('Choose one.')
  const group = screen.getByRole('group', { name: 'Subscription' })
  expect(group.getAttribute('aria-describedby')).toBe(refusal.id)
})

test('a bundle without media is no choice, and who has no other is told so', async () => {
  const bundle = { price: '$9.99', retired: false, photoCount: 0, videoCount: 0 }
  const empty = { ...bundle, _id: 'empty', title: 'Empty' }
  const emptied = { ...bundle, _id: 'emptied', title: 'Emptied' }
  bundles = [empty, { ...bundle, _id: 'lakes', title: 'Lakes', videoCount: 1 }, emptied]
  subscriptions = sells([])
  opens()
  const show = async () => userEvent.click(await screen.findByRole('radio', { name: 'A bundle' }))
  await show()
  const choice = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Bundle' })
  expect([...choice.options].map(({ text }) => text)).toEqual(['Lakes ($9.99)'])
  cleanup()
  bundles = [empty, emptied]
  opens()
  await show()
  await screen.findByText('Your bundles are empty. Add media to one in your shop first.')
  expect(screen.queryByRole('combobox', { name: 'Bundle' })).toBeNull()
})

test('the only subscription is chosen already, and one of several is not', async () => {
  subscriptions = sells(['Everything'])
  opens()
  const choice = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Subscription' })
  expect([...choice.options].map(({ text }) => text)).toEqual(['Everything ($9.99)'])
  sent = undefined
  await userEvent.click(screen.getByRole('button', { name: 'Create offer' }))
  await waitFor(() => expect(sent?.subscription).toBe(choice.value))

  cleanup()
  subscriptions = sells(['Everything', 'Photos'])
  opens()
  expect((await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Subscription' })).value).toBe('')
})

test('a single that another tab stopped selling is gone from the choice, and is removed in one press', async () => {
  subscriptions = sells([])
  const single = (_id: string, title: string) => ({ _id, title, type: 'image', price: '$4', preview: null })
  const [sea, sun] = [crypto.randomUUID(), crypto.randomUUID()]
  singles = [single(sea, 'Sea'), single(sun, 'Sun')]
  opens()
  await userEvent.click(await screen.findByRole('radio', { name: 'Singles' }))
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Sea' }))
  await userEvent.click(screen.getByRole('checkbox', { name: 'Sun' }))
  singles = [single(sun, 'Sun')]
  wrong = { 'media.0': 'Some of these singles aren’t for sale anymore.' }
  await userEvent.click(screen.getByRole('button', { name: 'Create offer' }))
  const told = 'One of the singles you chose isn’t for sale anymore. Remove it and try again.'
  const refusal = await screen.findByText(told)
  await waitFor(() => expect(screen.queryByRole('checkbox', { name: 'Sea' })).toBeNull())
  const remove = screen.getByRole('button', { name: 'Remove it' })
  expect(refusal.compareDocumentPosition(remove)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  await userEvent.click(remove)
  expect(screen.queryByRole('button', { name: 'Remove it' })).toBeNull()
  const create = screen.getByRole('button', { name: 'Create offer' })
  expect(document.activeElement).toBe(create)
  await userEvent.click(create)
  await waitFor(() => expect(sent?.media).toEqual([sun]))
})

test('of singles that were chosen otherwise before the answer came, the one that isn’t for sale is removed', async () => {
  subscriptions = sells([])
  const names = ['Sea', 'Sun', 'Sand']
  const more = { type: 'image', price: '$4', preview: null }
  singles = names.map((title) => ({ _id: crypto.randomUUID(), title, ...more }))
  opens()
  await userEvent.click(await screen.findByRole('radio', { name: 'Singles' }))
  for (const name of names) await userEvent.click(await screen.findByRole('checkbox', { name }))
  const { promise, resolve } = Promise.withResolvers<void>()
  answers = promise
  wrong = { 'media.1': 'Some of these singles aren’t for sale anymore.' }
  await userEvent.click(screen.getByRole('button', { name: 'Create offer' }))
  await waitFor(() => expect(sent?.media).toHaveLength(3))
  await userEvent.click(screen.getByRole('checkbox', { name: 'Sea' }))
  resolve()
  await userEvent.click(await screen.findByRole('button', { name: 'Remove it' }))
  await userEvent.click(screen.getByRole('button', { name: 'Create offer' }))
  await waitFor(() => expect(sent?.media).toEqual([singles[2]?._id]))
})
