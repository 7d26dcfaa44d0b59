import { MantineProvider } from '@mantine/core'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { meKey, SessionProvider } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import { UnsavedChanges } from '../../../ui/UnsavedChanges.tsx'
import { massMessagesQuery } from './api.ts'
import { ComposeForm } from './ComposeForm.tsx'
import { Component as MassMessagesPage } from './MassMessagesPage.tsx'

const STARTED = 'This message is already being sent.'
const ME = { _id: 'me', isCreator: true, timeZone: 'UTC' }

/** What the count of people is answered with, one call after the other; the last one from then on. */
let counts: Promise<Response>[]
let readLists: () => Response | Promise<Response>
let saved: number
/** The keys of what was sent, and what is answered to it. */
let keys: (string | null)[]
let answerTo: () => Response | Promise<Response>
/** The creator's mass messages, as the server lists them. */
let massMessages: object[]

beforeEach(() => {
  saved = 0
  keys = []
  answerTo = () => Response.json(ME)
  readLists = () => Response.json({ items: [] })
  massMessages = []
  writeToken('token')
  vi.stubGlobal('fetch', async (address: string, { method, headers }: RequestInit = {}) => {
    const { pathname } = new URL(address, location.origin)
    if (pathname.endsWith('/audience')) return (counts.length > 1 ? counts.shift() : counts[0])?.then(copy)
    if (pathname.endsWith('/massmessages')) return Response.json({ items: massMessages, nextCursor: null })
    if (pathname.endsWith('/config'))
      return Response.json({ brand: { name: 'Fanfare' }, limits: { maxFileBytes: 1000 } })
    if (method === 'POST' && massMessages.some((one) => 'status' in one && one.status === 'sent'))
      return Response.json({ error: STARTED, code: 'mass_message_started' }, { status: 409 })
    if (method === 'POST') {
      saved += 1
      keys.push(new Headers(headers).get('idempotency-key'))
      return answerTo()
    }
    return pathname.endsWith('/fanlists') ? readLists() : Response.json(ME)
  })
})
afterEach(() => {
  cleanup()
  localStorage.removeItem('drafts')
  writeToken(null)
  vi.unstubAllGlobals()
})

const copy = (response: Response) => response.clone()
const counted = (people: number) => Promise.resolve(Response.json({ people }))
const refused = () =>
  Promise.resolve(Response.json({ error: 'Not now.', code: 'rate_limited' }, { status: 429 }))

/** A message that is to go out tomorrow. */
function waiting() {
  const message = { _id: 'waits', content: 'On Friday', attachments: [], price: null, failure: null, sent: 0 }
  const listed = { ...message, audience: 'followers', list: null, excludedList: null, status: 'scheduled' }
  return { ...listed, sendAt: new Date(Date.now() + 86_400_000).toISOString(), expected: 3 }
}

async function opens(page: ReactNode, address = '/'): Promise<QueryClient> {
  const client = createQueryClient()
  client.setQueryData([...meKey, 'token'], ME)
  render(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <SessionProvider>
          <RouterProvider
            router={createMemoryRouter([{ path: '*', element: page }], { initialEntries: [address] })}
          />
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>,
  )
  return client
}

async function writes(): Promise<void> {
  await opens(<ComposeForm edited={null} />)
  await userEvent.type(await screen.findByRole('textbox', { name: 'Message' }), 'A new set')
}

const submits = (name: 'Send' | 'Schedule' = 'Send') => userEvent.click(screen.getByRole('button', { name }))

test('a message is sent only after it was asked for how many, however late they are counted', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  counts = [promise]
  await writes()
  await submits()
  expect(screen.queryByRole('dialog')).toBeNull()
  resolve(Response.json({ people: 3 }))
  await screen.findByText('Send to 3 people?')
  expect(saved).toBe(0)
})

test('where they couldn’t be counted it is asked all the same', async () => {
  counts = [refused()]
  await writes()
  await submits()
  await screen.findByText('Send this message?')
  expect(saved).toBe(0)
})

test('what is sent again after the page was loaded again has the key of the first time, until it is answered or changed', async () => {
  counts = [counted(3)]
  const confirms = async () => {
    await submits()
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Send' }))
    // One that is about to close sends nothing.
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }
  const reloads = async () => {
    cleanup()
    await opens(<ComposeForm edited={null} />)
    const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
    expect(field.value).toBe('A new set')
    return field
  }
  answerTo = () => new Promise(() => {})
  await writes()
  await confirms()
  await waitFor(() => expect(keys).toHaveLength(1))
  await reloads()
  answerTo = () => Response.json({ error: 'Wait.', code: 'request_in_flight' }, { status: 409 })
  await confirms()
  await screen.findByText('Wait.')
  const field = await reloads()
  await confirms()
  await screen.findByText('Wait.')
  const [first] = keys
  expect(keys).toEqual([first, first, first])

  await userEvent.type(field, '!')
  answerTo = () => Response.json({ error: 'No.', code: 'invalid_input' }, { status: 400 })
  await confirms()
  await screen.findByText('No.')
  answerTo = () => Response.json({ status: 'sending' })
  await confirms()
  await waitFor(() => expect(keys).toHaveLength(5))
  expect(new Set(keys).size).toBe(3)
  await waitFor(() => expect(localStorage.getItem('drafts')).toBe('{"personId":"me","texts":{}}'))
})

test('for nobody it isn’t sent, and they are counted anew', async () => {
  counts = [counted(0), counted(0), counted(1)]
  await writes()
  await submits()
  await waitFor(() =>
    expect(screen.getAllByText('No one would get it. Choose other people.')).toHaveLength(2),
  )
  expect(screen.queryByRole('dialog')).toBeNull()
  await submits()
  await screen.findByText('Send to 1 person?')
  expect(saved).toBe(0)
})

test('of one for later it is said that nobody would get it yet, and it can be scheduled', async () => {
  counts = [counted(0)]
  await writes()
  await screen.findByText('No one would get it. Choose other people.')
  await userEvent.click(screen.getByRole('radio', { name: 'At a set time' }))
  await screen.findByText('No one would get it yet.')
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16)
  fireEvent.change(screen.getByLabelText('Date and time'), { target: { value: tomorrow } })
  await submits('Schedule')
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain(
    'No one would get it yet. Who gets it is decided when it’s sent. You can change it until then.',
  )
})

test('who writes goes on while the message that is changed goes out, and is told when it is saved', async () => {
  counts = [counted(3)]
  massMessages = [waiting()]
  const client = await opens(<MassMessagesPage />, '/?compose=waits')
  await userEvent.type(await screen.findByRole('textbox', { name: 'Message' }), ' or Saturday')
  massMessages = massMessages.map((one) => ({ ...one, status: 'sent' }))
  await act(() => client.refetchQueries({ queryKey: massMessagesQuery.queryKey }))
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' }).value).toBe(
    'On Friday or Saturday',
  )
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }))
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Schedule' }))
  await screen.findByText(STARTED)
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' }).value).toBe(
    'On Friday or Saturday',
  )
})

test('changes to a message that waits aren’t lost by the way back to the list, which has the same path', async () => {
  counts = [counted(3)]
  massMessages = [waiting()]
  const page = (
    <>
      <MassMessagesPage />
      <UnsavedChanges />
    </>
  )
  await opens(page, '/dashboard/mass-messages')
  await userEvent.click(await screen.findByRole('link', { name: 'Edit: On Friday' }))
  await userEvent.type(await screen.findByRole('textbox', { name: 'Message' }), ' or Saturday')
  await userEvent.click(screen.getByRole('link', { name: 'All mass messages' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Stay here' }))
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' }).value).toBe(
    'On Friday or Saturday',
  )
})

test('what is missing is said at its field, and nothing is asked', async () => {
  counts = [counted(3)]
  await writes()
  await userEvent.click(screen.getByRole('radio', { name: 'At a set time' }))
  await submits('Schedule')
  await screen.findByText('Choose a date and time.')
  expect([screen.queryByRole('dialog'), saved]).toEqual([null, 0])
})

test.each(['2020-01-01T10:00', '2099-01-01T10:00'])(
  'a message set for %s isn’t asked about: the time is wrong, and the field keeps the focus',
  async (time) => {
    counts = [counted(3)]
    await writes()
    await userEvent.click(screen.getByRole('radio', { name: 'At a set time' }))
    const field = screen.getByLabelText('Date and time')
    fireEvent.change(field, { target: { value: time } })
    await submits('Schedule')
    await screen.findByText('Choose a time in the next 12 months.')
    expect(document.activeElement).toBe(field)
    expect([screen.queryByRole('dialog'), saved]).toEqual([null, 0])
  },
)

test('whom a message is for stays with its text: after a reload it goes to nobody else', async () => {
  counts = [counted(3)]
  readLists = () =>
    Response.json({ items: ['Close', 'Away'].map((name) => ({ _id: name, name, people: 1 })) })
  await writes()
  await userEvent.click(screen.getByRole('radio', { name: 'A list' }))
  await userEvent.selectOptions(await screen.findByLabelText('List'), 'Close')
  await userEvent.selectOptions(screen.getByLabelText('Exclude'), 'Away')
  cleanup()
  await opens(<ComposeForm edited={null} />)
  expect((await screen.findByLabelText<HTMLSelectElement>('List')).value).toBe('Close')
  expect(screen.getByLabelText<HTMLSelectElement>('Exclude').value).toBe('Away')
})

test('lists that were deleted since a message was written are said, and chosen again before it is sent', async () => {
  counts = [counted(3)]
  const aim = JSON.stringify({ audience: 'list', listId: 'Close', excludedListId: 'Away' })
  const texts = { everybody: 'A new set', 'everybody, aim': aim }
  localStorage.setItem('drafts', JSON.stringify({ personId: 'me', texts }))
  const other = { _id: '01890000-0000-7000-8000-000000000001', name: 'Other', people: 1 }
  readLists = () => Response.json({ items: [other] })
  await opens(<ComposeForm edited={null} />)
  const deleted = () => screen.queryAllByText('This list was deleted. Choose again.')
  await waitFor(() => expect(deleted()).toHaveLength(2))
  const list = screen.getByLabelText('List')
  expect(list.textContent).toContain('Deleted list')
  await submits()
  await waitFor(() => expect(document.activeElement).toBe(list))
  await userEvent.selectOptions(list, 'Other')
  await submits()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Exclude')))
  expect([screen.queryByRole('dialog'), saved]).toEqual([null, 0])
  await userEvent.selectOptions(screen.getByLabelText('Exclude'), 'No one')
  expect(deleted()).toHaveLength(0)
  await submits()
  await screen.findByText('Send to 3 people?')
})

test('a list that is deleted while the form is open is said once it was refused', async () => {
  counts = [counted(3)]
  const away = { _id: '01890000-0000-7000-8000-000000000002', name: 'Away', people: 1 }
  readLists = () => Response.json({ items: [away] })
  await writes()
  await userEvent.selectOptions(await screen.findByLabelText('Exclude'), 'Away')
  await submits()
  readLists = () => Response.json({ items: [] })
  const refusal = {
    error: 'This list doesn’t exist.',
    code: 'fan_list_not_found',
    details: { listId: 'Gone.' },
  }
  answerTo = () => Response.json(refusal, { status: 404 })
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Send' }))
  await screen.findByText('This list was deleted. Choose again.')
  expect(screen.getByLabelText('Exclude').textContent).toContain('Deleted list')
})

test('the time that a message is set for stays with its text, until it is to go out now', async () => {
  counts = [counted(3)]
  const reopens = () => {
    cleanup()
    return opens(<ComposeForm edited={null} />)
  }
  const radio = (name: string) => screen.findByRole<HTMLInputElement>('radio', { name })
  await writes()
  await userEvent.click(await radio('At a set time'))
  fireEvent.change(screen.getByLabelText('Date and time'), { target: { value: '2026-12-24T18:00' } })
  await reopens()
  expect((await radio('At a set time')).checked).toBe(true)
  expect(screen.getByLabelText<HTMLInputElement>('Date and time').value).toBe('2026-12-24T18:00')
  await userEvent.click(await radio('Now'))
  await reopens()
  expect((await radio('Now')).checked).toBe(true)
})

test('what another tab sent to everybody is no longer to be sent in this one, where nothing else was typed', async () => {
  counts = [counted(3)]
  await writes()
  await submits()
  await screen.findByRole('dialog')
  const sends = () => {
    const kept = (texts: object) => JSON.stringify({ personId: 'me', texts })
    const event = { key: 'drafts', oldValue: kept({ everybody: 'A new set' }), newValue: kept({}) }
    act(() => void dispatchEvent(new StorageEvent('storage', event)))
  }
  sends()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
  expect(field.value).toBe('')
  await userEvent.type(field, 'Another')
  sends()
  expect(field.value).toBe('Another')
  // Nothing else is kept, which would stand in for it after a reload.
  expect(JSON.parse(localStorage.getItem('drafts') ?? '').texts).toEqual({ everybody: 'Another' })
})

test('a message that was scheduled leaves no time to the next one', async () => {
  counts = [counted(3)]
  await writes()
  await userEvent.click(screen.getByRole('radio', { name: 'At a set time' }))
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16)
  fireEvent.change(screen.getByLabelText('Date and time'), { target: { value: tomorrow } })
  answerTo = () => Response.json({ status: 'scheduled' })
  await submits('Schedule')
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Schedule' }))
  await waitFor(() => expect(localStorage.getItem('drafts')).toBe('{"personId":"me","texts":{}}'))
})

test('lists that are on their way or did not come are not said to be none', async () => {
  counts = [counted(3)]
  const { promise, resolve } = Promise.withResolvers<Response>()
  readLists = () => promise
  await writes()
  await userEvent.click(screen.getByRole('radio', { name: 'A list' }))
  const none = () => screen.queryByText('You have no lists yet. Create one on the Fans page.')
  expect(none()).toBeNull()
  resolve(await refused())
  await screen.findByText('We couldn’t load your lists')
  expect(none()).toBeNull()
  readLists = () => Response.json({ items: [] })
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(none()).not.toBeNull())
})
