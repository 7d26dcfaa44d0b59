import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { meKey, SessionProvider } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import type { Reply, Thread } from './api.ts'
import { readDraft, writeDraft } from './drafts.ts'
import { ReplyForm } from './ReplyForm.tsx'

const ME = { _id: 'me', isCreator: true, timeZone: 'UTC' }
const thread = { _id: 'thread', author: 'HarborFox', replies: [] as Reply[] } as Thread
const reply = { id: 'reply', state: 'sent', text: 'Yes!' }

let sent: string[]
/** The forum's answer to the reply on its way. */
let answer: (response: Response) => void

beforeEach(() => {
  sent = []
  writeToken('token')
  vi.stubGlobal('fetch', (_address: string, { method, body }: RequestInit = {}) => {
    if (method !== 'POST') return Promise.resolve(Response.json(ME))
    sent.push(JSON.parse(String(body)).messageText)
    return new Promise<Response>((resolve) => {
      answer = resolve
    })
  })
})
afterEach(() => {
  cleanup()
  writeDraft(ME._id, thread._id, '')
  writeToken(null)
  vi.unstubAllGlobals()
})

/** The form on its page, which can be left and come back to. */
function opens(shown = thread) {
  const client = createQueryClient()
  client.setQueryData([...meKey, 'token'], ME)
  const router = createMemoryRouter([
    { path: '/', element: <ReplyForm thread={shown} /> },
    { path: '/elsewhere', element: <p>Elsewhere</p> },
  ])
  render(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <SessionProvider>
          <RouterProvider router={router} />
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>,
  )
  const answered = async (response: Response) => {
    answer(response)
    await waitFor(() => expect(client.isMutating()).toBe(0))
  }
  return { router, answered }
}

const field = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Reply to u/HarborFox' })
const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Reply' })
const success = () => Response.json({ reply, lastContact: null })
const refusal = () => Response.json({ error: 'Not now.', code: 'rate_limited' }, { status: 429 })

async function replies(words: string): Promise<void> {
  await userEvent.type(await field(), words)
  await userEvent.click(button())
  await waitFor(() => expect(sent).toEqual([words]))
}

test('a reply that is answered after its page was left is no draft anymore', async () => {
  const { router, answered } = opens()
  await replies('Yes!')
  await router.navigate('/elsewhere')
  await screen.findByText('Elsewhere')
  await answered(success())
  await router.navigate('/')
  expect((await field()).value).toBe('')
})

test('who comes back before the answer can’t send it again, and finds an empty form after it', async () => {
  const { router, answered } = opens()
  await replies('Yes!')
  await router.navigate('/elsewhere')
  await screen.findByText('Elsewhere')
  await router.navigate('/')
  expect((await field()).value).toBe('Yes!')
  await userEvent.type(await field(), '{Enter}')
  await userEvent.click(button())
  expect(sent).toEqual(['Yes!'])
  await userEvent.clear(await field())
  await userEvent.type(await field(), 'Yes!')
  await answered(success())
  await waitFor(async () => expect((await field()).value).toBe(''))
})

test('words that are typed while it is sent stay, as does what was refused', async () => {
  const { answered } = opens()
  await replies('Yes!')
  await userEvent.type(await field(), ' And soon.')
  await answered(success())
  expect((await field()).value).toBe('Yes! And soon.')
  expect(readDraft(ME._id, thread._id)).toBe('Yes! And soon.')
  await userEvent.click(button())
  await waitFor(() => expect(sent).toHaveLength(2))
  await answered(refusal())
  await screen.findByText('Not now.')
  expect((await field()).value).toBe('Yes! And soon.')
})

test.each([
  ['sending', ''],
  ['sent', ''],
  ['failed', 'Yes!'],
] as const)('after a reload while it was sent, a reply that is %s leaves “%s” typed', async (state, left) => {
  writeDraft(ME._id, thread._id, 'Yes!')
  const replies = [
    { own: true, body: 'Yes!', state },
    { own: false, body: 'And when?' },
  ] as Reply[]
  opens({ ...thread, replies })
  expect((await field()).value).toBe(left)
  expect(readDraft(ME._id, thread._id)).toBe(left)
})
