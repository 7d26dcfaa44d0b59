import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { meKey, SessionProvider } from '../../../lib/session.tsx'
import { readToken, writeToken } from '../../../lib/token.ts'
import { attachmentUploadsOf } from '../../media/parts/attachments/attachment-uploads.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Outgoing } from '../outbox/outgoing.ts'
import { OutgoingBubble } from './OutgoingBubble.tsx'

beforeEach(() => {
  writeToken(crypto.randomUUID())
  vi.stubGlobal('fetch', async (address: string) =>
    Response.json(address.endsWith('/config') ? { limits: { maxFileBytes: 1000 } } : { _id: 'me' }),
  )
})
afterEach(() => {
  cleanup()
  writeToken(null)
  vi.unstubAllGlobals()
})

function show(changes: Partial<Outgoing>, behind = false) {
  const [discard, rewrite] = [vi.fn(), vi.fn()]
  const message: Outgoing = {
    clientMessageId: 'one',
    recipientId: 'them',
    conversationId: 'conversation',
    content: 'Hello',
    replyTo: null,
    uploadKeys: [],
    mediaIds: [],
    price: null,
    createdAt: '2026-11-21T12:00:00.000Z',
    state: 'waiting',
    error: null,
    notBefore: null,
    ...changes,
  }
  const client = createQueryClient()
  client.setQueryData([...meKey, readToken()], { _id: 'me' })
  render(
    <QueryClientProvider client={client}>
      <SessionProvider>
        <OutgoingBubble
          message={message}
          behind={behind}
          outbox={{ discard } as unknown as Outbox}
          onRewrite={rewrite}
        />
      </SessionProvider>
    </QueryClientProvider>,
  )
  return { discard, rewrite, message }
}

test('a message that has to wait says why and until when, and can be deleted', async () => {
  const until = new Date(2026, 10, 21, 15, 40).getTime()
  const { discard } = show({ error: 'Too many.', notBefore: until })
  expect(screen.getByRole('status').textContent).toContain('Too many. We’ll try again at 3:40 PM.')
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
  expect(discard).toHaveBeenCalledWith('one')
})

test('one behind it says so, and can be deleted too', async () => {
  const { discard } = show({}, true)
  expect(screen.getByRole('status').textContent).toContain('Waiting for the message above to be sent.')
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
  expect(discard).toHaveBeenCalledWith('one')
})

test('one that waits for a moment shows no more than its clock', () => {
  show({ notBefore: Date.now() + 2000 })
  expect(screen.queryByRole('status')).toBeNull()
  expect(screen.queryByRole('button')).toBeNull()
  screen.getByRole('img', { name: 'Sending' })
})

test('one that may be stored all the same can be sent again, and not written anew', () => {
  show({ state: 'failed', error: 'Something went wrong on our end.', mayBeStored: true })
  screen.getByRole('button', { name: 'Try again' })
  expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()
})

test('one that failed can be written anew, unless what hangs on it is unknown here', async () => {
  const { rewrite, message } = show({ state: 'failed', error: 'This price is too low.' })
  await userEvent.click(screen.getByRole('button', { name: 'Edit' }))
  expect(rewrite).toHaveBeenCalledWith(message)
  cleanup()
  show({ state: 'failed', error: 'This price is too low.', mediaIds: ['one'] })
  expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()
})

test('the upload of one that waits for its files can be canceled; one whose files are gone can’t be tried again', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  const uploads = attachmentUploadsOf('me', readToken())
  const uploadKeys = uploads.choose([new File(['x'], 'photo.png')], 1000)
  const { rewrite, message } = show({ uploadKeys })
  await userEvent.click(screen.getByRole('button', { name: 'Cancel Upload' }))
  expect(rewrite).toHaveBeenCalledWith(message)
  cleanup()
  for (const key of uploadKeys) uploads.drop(key)
  show({ state: 'failed', error: 'A file couldn’t be uploaded.', uploadKeys })
  screen.getByRole('button', { name: 'Edit' })
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})
