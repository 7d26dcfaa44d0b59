import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { meKey, SessionProvider } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import { AddTo } from './AddTo.tsx'

const ME = '00000000-0000-7000-8000-000000000001'
const ITEM = '00000000-0000-7000-8000-000000000002'
const MADE = '00000000-0000-7000-8000-000000000003'
const OTHER = '00000000-0000-7000-8000-000000000004'
const SECOND = '00000000-0000-7000-8000-000000000005'

const sold = (_id: string, title: string) => ({
  ...{ _id, title, userId: ME, price: '$4', mediaIds: [] },
  ...{ photoCount: 0, videoCount: 0, videoSeconds: 0, ownedCount: 0, purchased: false },
})

type Sent = { path: string; key: string | null; body: Record<string, unknown> }
/** The calls that change something, in order; what is in the store; and what the next of them is refused with. */
let sent: Sent[]
let store: ReturnType<typeof sold>[]
let refusals: (number | Record<string, string> | null)[]

beforeEach(() => {
  sent = []
  store = []
  refusals = []
  writeToken('token')
  vi.stubGlobal('fetch', async (address: string, { method, headers, body }: RequestInit) => {
    const path = address.split('?')[0]?.replace('/api', '') ?? ''
    if (path === '/users/bundles') return Response.json({ bundles: store })
    if (path === '/config') return Response.json({ payments: { feePercent: 20 } })
    if (method === 'GET') return Response.json({ _id: ME })
    const said = JSON.parse(String(body)) as Sent['body']
    sent.push({ path, key: new Headers(headers).get('idempotency-key'), body: said })
    const refusal = refusals.shift()
    const status = typeof refusal === 'number' ? refusal : null
    if (refusal && !status)
      return Response.json({ error: 'Check it.', code: 'invalid_input', details: refusal }, { status: 400 })
    if (status) return Response.json({ error: 'It didn’t work.', code: 'internal' }, { status })
    if (path === '/users/edit/bundlemedia') return Response.json({ addedMediaIds: [ITEM] })
    store = [...store, sold(MADE, String(said.title))]
    return Response.json(store.at(-1))
  })
})
afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllGlobals()
})

function open(ids = [ITEM]) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } })
  client.setQueryData([...meKey, 'token'], { _id: ME })
  const [onDone, onClose] = [vi.fn(), vi.fn()]
  const items = ids.map((_id) => ({ _id, directOnly: false }))
  const element = <AddTo kind="bundle" items={items} onDone={onDone} onClose={onClose} />
  render(
    <QueryClientProvider client={client}>
      <SessionProvider>
        <MantineProvider>
          <RouterProvider router={createMemoryRouter([{ path: '/', element }])} />
        </MantineProvider>
      </SessionProvider>
    </QueryClientProvider>,
  )
  return { onDone, onClose, user: userEvent.setup() }
}

const press = async (user: ReturnType<typeof userEvent.setup>, name: string) =>
  user.click(await screen.findByRole('button', { name }))
const paths = () => sent.map(({ path }) => path)
const CREATE = '/users/create/bundle'
const ADD = '/users/edit/bundlemedia'

test('the first bundle is created and filled', async () => {
  const { onDone, user } = open()
  await user.type(await screen.findByLabelText(/Title/), 'Beach')
  await press(user, 'Create and add 1 item')
  await waitFor(() => expect(onDone).toHaveBeenCalledWith('Added 1 item to “Beach”.'))
  expect(paths()).toEqual([CREATE, ADD])
})

test('after it was created and the adding failed, the adding alone is tried again', async () => {
  refusals = [null, 500]
  const { onDone, user } = open()
  await user.type(await screen.findByLabelText(/Title/), 'Beach')
  await press(user, 'Create and add 1 item')
  await screen.findByText('It didn’t work.')
  // Nothing is left of the form that would create a second one.
  expect(screen.queryByLabelText(/Title/)).toBeNull()
  expect(await screen.findByRole<HTMLInputElement>('radio', { name: /Beach/ })).toHaveProperty(
    'checked',
    true,
  )
  await press(user, 'Add 1 item')
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce())
  expect(paths()).toEqual([CREATE, ADD, ADD])
  expect(sent[2]?.body).toEqual({ bundleId: MADE, addMediaIds: [ITEM] })
})

test('a title that was refused can be corrected: the new one is sent under a new key', async () => {
  store = [sold(OTHER, 'Mountains')]
  refusals = [400]
  const { onDone, user } = open()
  await user.click(await screen.findByRole('radio', { name: 'New bundle' }))
  await user.type(await screen.findByLabelText(/Title/), 'Beach')
  await press(user, 'Create and add 1 item')
  await screen.findByText('It didn’t work.')
  await user.type(screen.getByLabelText(/Title/), ' house')
  await press(user, 'Create and add 1 item')
  await waitFor(() => expect(onDone).toHaveBeenCalledWith('Added 1 item to “Beach house”.'))
  expect(paths()).toEqual([CREATE, CREATE, ADD])
  expect(sent[1]?.key).not.toBe(sent[0]?.key)
})

test('what failed half-way is tried again under the same key, so that there are no two', async () => {
  store = [sold(OTHER, 'Mountains')]
  refusals = [503]
  const { onDone, user } = open()
  await user.click(await screen.findByRole('radio', { name: 'New bundle' }))
  await user.type(await screen.findByLabelText(/Title/), 'Beach')
  await press(user, 'Create and add 1 item')
  await screen.findByText('It didn’t work.')
  await press(user, 'Create and add 1 item')
  await waitFor(() => expect(onDone).toHaveBeenCalledWith('Added 1 item to “Beach”.'))
  expect(sent[1]).toEqual(sent[0])
})

test('what was deleted meanwhile is said and left out, and the others can be added', async () => {
  store = [sold(OTHER, 'Mountains')]
  refusals = [{ 'mediaIds.0': 'Some of these items were deleted or made private.' }]
  const { onDone, user } = open([SECOND, ITEM])
  await user.click(await screen.findByRole('radio', { name: /Mountains/ }))
  await press(user, 'Add 2 items')
  await screen.findByText('Some of these items were deleted or made private.')
  await screen.findByText('1 item can’t be sold, because it’s private, deleted, or taken down.')
  await press(user, 'Add 1 item')
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce())
  expect(sent.at(-1)?.body).toEqual({ bundleId: OTHER, addMediaIds: [ITEM] })
})

test('where nothing is left to add, it says why and leads back to the library', async () => {
  store = [sold(OTHER, 'Mountains')]
  refusals = [{ 'mediaIds.0': 'This item was deleted or made private.' }]
  const { onClose, user } = open([ITEM])
  await user.click(await screen.findByRole('radio', { name: /Mountains/ }))
  await press(user, 'Add 1 item')
  await screen.findByText('1 item can’t be sold, because it’s private, deleted, or taken down.')
  expect(screen.queryByRole('button', { name: /0 items/ })).toBeNull()
  await press(user, 'Choose other items')
  expect(onClose).toHaveBeenCalledOnce()
})
