import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { toast } from '../../../ui/toast.ts'
import { fanQuery } from './api.ts'
import { FanDialog } from './FanDialog.tsx'

const fan = {
  ...{ _id: 'fan', username: 'finn', profileImage: null, isCreator: false, since: null, follows: true },
  ...{ subscription: 'none', spent: '$0', listIds: [] as string[], note: '', listable: true },
}
const lists = ['Regulars', 'Newcomers'].map((name) => ({ _id: name, name, members: 0 }))

/** Lets the answer of the first list go. */
let answer: () => void
let asked: string[]
let readFan: () => Response
let readLists: () => Response | Promise<Response>

beforeEach(() => {
  asked = []
  readFan = () => Response.json(fan)
  readLists = () => Response.json({ items: lists })
  const gate = new Promise<void>((resolve) => {
    answer = resolve
  })
  vi.stubGlobal('fetch', async (address: string, { body }: RequestInit) => {
    if (address.includes('/fanlists')) return readLists()
    if (!address.includes('/members')) return readFan()
    const { listId } = JSON.parse(String(body))
    asked.push(listId)
    if (listId === 'Newcomers') return Response.json({ success: true })
    await gate
    return Response.json({ error: 'This list was deleted.', code: 'fan_list_not_found' }, { status: 404 })
  })
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

function opens() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const dialog = <FanDialog person={{ _id: 'fan', username: 'finn' }} onClose={() => {}} />
  render(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <RouterProvider router={createMemoryRouter([{ path: '*', element: dialog }])} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return client
}

const failure = () => Response.json({ error: 'It didn’t work.', code: 'internal' }, { status: 500 })

test('a list that couldn’t be changed is said to be, also where another one was changed meanwhile', async () => {
  const told = vi.spyOn(toast, 'failure').mockReturnValue()
  opens()
  const box = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name })
  for (const name of ['Regulars', 'Newcomers']) await userEvent.click(await box(name))
  await waitFor(() => expect(asked).toEqual(['Regulars', 'Newcomers']))
  answer()
  await waitFor(() => expect(told).toHaveBeenCalledWith('This list was deleted.'))
  expect((await box('Regulars')).checked).toBe(false)
  expect((await box('Newcomers')).checked).toBe(true)
})

test('a note that is typed stays when the fan can’t be read again', async () => {
  const client = opens()
  const note = await screen.findByRole<HTMLTextAreaElement>('textbox')
  await userEvent.type(note, 'Likes sunsets')
  readFan = failure
  await client.invalidateQueries()
  await waitFor(() => expect(client.getQueryState(fanQuery('fan').queryKey)?.status).toBe('error'))
  expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('Likes sunsets')
})

test('lists that are on their way or did not come are not said to be none', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  readLists = () => promise
  opens()
  await screen.findByRole('textbox')
  const none = () => screen.queryByText('You have no lists yet.')
  expect(none()).toBeNull()
  resolve(failure())
  await screen.findByText('We couldn’t load your lists')
  expect(none()).toBeNull()
  readLists = () => Response.json({ items: [] })
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(none()).not.toBeNull())
})

test('who can’t be added to a list is only taken off those that they are on', async () => {
  readFan = () => Response.json({ ...fan, listIds: ['Newcomers'], listable: false })
  opens()
  const box = await screen.findByRole('checkbox', { name: 'Newcomers' })
  expect(screen.getAllByRole('checkbox')).toHaveLength(1)
  expect(screen.queryByRole('button', { name: 'New list' })).toBeNull()
  screen.getByText('Only fans and people who wrote to you can be added to a list.')
  await userEvent.click(box)
  await waitFor(() => expect(asked).toEqual(['Newcomers']))
  expect(screen.queryByRole('checkbox')).toBeNull()
})
