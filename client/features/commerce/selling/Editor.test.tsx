import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { subscriptionRoutes } from '../../../../contract/routes/commerce/subscriptions.ts'
import { ApiError } from '../../../lib/api.ts'
import { meKey, SessionProvider } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import { Editor } from './Editor.tsx'
import type { Edited } from './edited.ts'

const ME = '00000000-0000-7000-8000-000000000001'
const initial: Edited = {
  ...{
    title: 'Patrons',
    description: '',
    coverMediaId: null,
    price: '$10',
    chatEnabled: false,
    lessOwned: false,
  },
  ...{ includes: 'allLocked', askSubscribers: false, terms: [], mediaIds: [], excludedMediaIds: [] },
}

/** What was saved, in order. */
let saved: Pick<Edited, 'price' | 'askSubscribers'>[]
/** What it is refused with, by field, and the items that were sent. */
let wrong: Record<string, string> | null
let sentMedia: string[]

beforeEach(() => {
  saved = []
  wrong = null
  writeToken('token')
  vi.stubGlobal('fetch', async (address: string) =>
    Response.json(
      address.includes('/config')
        ? { brand: { name: 'Fanfare' }, payments: { feePercent: 20 } }
        : { items: [], hasMore: false, nextCursor: null },
    ),
  )
})
afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllGlobals()
})

function open(more: Partial<Edited> = {}) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } })
  client.setQueryData([...meKey, 'token'], { _id: ME })
  const element = (
    <Editor
      kind="subscription"
      route={subscriptionRoutes.editSubscription}
      creatorId={ME}
      initial={{ ...initial, ...more }}
      contents={{ photoCount: 0, videoCount: 0, videoSeconds: 0 }}
      cover={null}
      below={null}
      savedText="Saved it"
      onSave={async ({ price = '', askSubscribers = false, mediaIds = [] }) => {
        sentMedia = mediaIds
        if (wrong) throw new ApiError(400, { error: 'Check it.', code: 'invalid_input', details: wrong })
        saved.push({ price, askSubscribers })
      }}
    />
  )
  render(
    <QueryClientProvider client={client}>
      <SessionProvider>
        <MantineProvider>
          <RouterProvider router={createMemoryRouter([{ path: '/', element }])} />
        </MantineProvider>
      </SessionProvider>
    </QueryClientProvider>,
  )
  return userEvent.setup()
}

type User = ReturnType<typeof userEvent.setup>
const ask = () => screen.queryByRole<HTMLInputElement>('radio', { name: /^Ask current subscribers/ })
async function types(user: User, price: string) {
  const field = await screen.findByLabelText(/^Price/)
  await user.clear(field)
  await user.type(field, price)
}
async function saves(user: User) {
  const before = saved.length
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(saved).toHaveLength(before + 1))
}

test('who is to be asked for a raise isn’t asked for a price that has gone back, which shows no question', async () => {
  const user = open()
  expect(ask()).toBeNull()
  await types(user, '15')
  await user.click(await screen.findByRole('radio', { name: /^Ask current subscribers/ }))
  await types(user, '8')
  expect(ask()).toBeNull()
  await saves(user)
  expect(saved).toEqual([{ price: '$8', askSubscribers: false }])
})

test('an answer to a question that is hidden is nothing to save', async () => {
  const user = open()
  await types(user, '15')
  await user.click(await screen.findByRole('radio', { name: /^Ask current subscribers/ }))
  expect(screen.getByText('Unsaved changes')).toBeDefined()
  await types(user, '10')
  expect(screen.queryByText('Unsaved changes')).toBeNull()
})

test('a raise that was saved is asked for once: the next one asks only if that is chosen again', async () => {
  const user = open()
  await types(user, '15')
  await user.click(await screen.findByRole('radio', { name: /^Ask current subscribers/ }))
  await saves(user)
  expect(ask()).toBeNull()
  await types(user, '16')
  expect(ask()).toHaveProperty('checked', false)
  await saves(user)
  expect(saved).toEqual([
    { price: '$15', askSubscribers: true },
    { price: '$16', askSubscribers: false },
  ])
})

test('items that were deleted meanwhile are said to be, and are removed in one press', async () => {
  const ids = ['sea', 'sun', 'sand'].map((_name, index) => `00000000-0000-7000-8000-00000000001${index}`)
  const user = open({ includes: 'chosen', mediaIds: ids })
  await types(user, '12')
  const text = 'Some of these items were deleted or made private.'
  wrong = { 'mediaIds.0': text, 'mediaIds.2': text }
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('2 of the selected items were deleted or made private. Remove them and save again.')
  await user.click(screen.getByRole('button', { name: 'Remove all 2' }))
  expect(screen.queryByRole('button', { name: 'Remove all 2' })).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Save' }))
  wrong = null
  await saves(user)
  expect(sentMedia).toEqual([ids[1]])
})
