import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { chatsKey, queryClient } from '../../../lib/query.ts'
import type { Acknowledged } from '../../../lib/socket.ts'
import { readToken, renewToken, writeToken } from '../../../lib/token.ts'
import {
  type AttachmentUpload,
  attachmentUploadsOf,
} from '../../media/parts/attachments/attachment-uploads.ts'
import { emptyTray, putBack, trayOf } from '../conversation/writing.ts'
import { outboxTexts } from '../texts.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import type { Attachable } from './outgoing.ts'
import { forgetUnsent, readDraft, writeDraft } from './unsent.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  forgetUnsent()
})

const MAX_BYTES = 1_000

const FAULT: Acknowledged = { ok: false, error: 'Something went wrong on our end.', code: 'internal' }

const LIMITED: Acknowledged = { ok: false, error: 'Too many.', code: 'rate_limited', retryAfter: 600 }

/** An outbox whose line answers one message after the other with these, and the last of them from then on. */
function outboxWith(...answers: [Acknowledged, ...Acknowledged[]]) {
  const sent: { content: string; clientMessageId: string }[] = []
  const outbox = createOutbox('me', () => attachmentUploadsOf('me', null), {
    read: () => true,
    subscribe: () => () => {},
    emit: async (_name, event) => {
      const { content, clientMessageId } = (event as { message: (typeof sent)[number] }).message
      sent.push({ content, clientMessageId })
      const answer = answers.length > 1 ? answers.shift() : answers[0]
      return answer ?? answers[0]
    },
  })
  return { outbox, sent }
}

const sample = {
  recipientId: 'them',
  conversationId: 'conversation',
  content: '',
  replyTo: null,
  uploadKeys: [],
  mediaIds: [],
  price: null,
}
const write = (outbox: Outbox, content: string) => outbox.send({ ...sample, content })
const statesOf = (outbox: Outbox) => outbox.snapshot().map(({ content, state }) => [content, state])

test('a message that met a fault of the server is sent again as the same one, before those written after it', async () => {
  const { outbox, sent } = outboxWith(FAULT, { ok: true })
  write(outbox, 'one')
  write(outbox, 'two')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(statesOf(outbox)).toEqual([
    ['one', 'waiting'],
    ['two', 'waiting'],
  ])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(sent.map(({ content }) => content)).toEqual(['one', 'one', 'two'])
  expect(new Set(sent.map(({ clientMessageId }) => clientMessageId)).size).toBe(2)
  outbox.end()
})

test('a fault that stays is told to the writer, who can try again', async () => {
  const { outbox, sent } = outboxWith(FAULT)
  write(outbox, 'one')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(outbox.snapshot()).toMatchObject([{ state: 'failed', error: FAULT.error, mayBeStored: true }])
  // Written anew it would have another id, under which the server doesn't know it.
  expect(outbox.withdraw(outbox.snapshot()[0]?.clientMessageId ?? '')).toBe(false)
  const before = sent.length
  outbox.retry(outbox.snapshot()[0]?.clientMessageId ?? '')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(statesOf(outbox)).toEqual([['one', 'waiting']])
  expect(sent).toHaveLength(before + 1)
  outbox.end()
})

test('a refusal is told at once, and nothing is sent again', async () => {
  const { outbox, sent } = outboxWith({
    ok: false,
    error: 'You can’t message this person.',
    code: 'recipient_unavailable',
  })
  write(outbox, 'never')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(statesOf(outbox)).toEqual([['never', 'failed']])
  expect(sent).toHaveLength(1)
  outbox.end()
})

test('a message over a limit says why and until when, is not sent before, and holds up no other conversation', async () => {
  const { outbox, sent } = outboxWith(LIMITED, FAULT, { ok: true })
  write(outbox, 'limited')
  await vi.advanceTimersByTimeAsync(0)
  write(outbox, 'behind it')
  outbox.send({ ...sample, conversationId: 'another', content: 'to somebody else' })
  const until = Date.now() + 600_000
  expect(outbox.snapshot()[0]).toMatchObject({
    state: 'waiting',
    error: outboxTexts.limited,
    notBefore: until,
  })
  await vi.advanceTimersByTimeAsync(4_000)
  const contents = () => sent.map(({ content }) => content)
  expect(contents()).toEqual(['limited', 'to somebody else', 'to somebody else'])
  await vi.advanceTimersByTimeAsync(600_000)
  expect(contents().slice(3)).toEqual(['limited', 'behind it'])
  outbox.end()
})

test('a message over a limit can be taken back, and what was written after it goes on', async () => {
  const { outbox, sent } = outboxWith(LIMITED, { ok: true })
  write(outbox, 'limited')
  write(outbox, 'behind it')
  await vi.advanceTimersByTimeAsync(1_000)
  outbox.discard(outbox.snapshot()[0]?.clientMessageId ?? '')
  await vi.advanceTimersByTimeAsync(0)
  expect(statesOf(outbox)).toEqual([['behind it', 'sent']])
  expect(sent.map(({ content }) => content)).toEqual(['limited', 'behind it'])
  outbox.end()
})

/** An outbox without a connection, of a tab that nobody has closed yet. */
const offline = (personId = 'me') =>
  createOutbox(personId, () => attachmentUploadsOf(personId, null), {
    read: () => false,
    subscribe: () => () => {},
    emit: async () => FAULT,
  })

test('what a closed tab had not sent is sent by the next one under its own name, and only for its writer', () => {
  const closed = offline()
  write(closed, 'one')
  write(closed, 'two')
  const [first] = closed.snapshot()
  closed.end()
  sessionStorage.clear()
  const next = offline()
  expect(next.snapshot()).toMatchObject([
    { content: 'one', state: 'waiting', clientMessageId: first?.clientMessageId },
    { content: 'two' },
  ])
  next.end()
  const somebodyElse = offline('somebody else')
  expect(somebodyElse.snapshot()).toEqual([])
  somebodyElse.end()
})

test('a message with files warns before its page is left, and is no draft', () => {
  const outbox = offline()
  const warns = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }))
  write(outbox, 'words alone')
  expect(warns()).toBe(false)
  const [uploading] = attachmentUploadsOf('me', null).choose(
    [new File(['x'], 'photo.png', { type: 'image/png' })],
    MAX_BYTES,
  )
  outbox.send({ ...sample, content: 'with a photo', uploadKeys: [uploading ?? ''] })
  expect(warns()).toBe(true)
  expect(readDraft('me', 'them')).toBe('')
  outbox.discard(outbox.snapshot().at(-1)?.clientMessageId ?? '')
  expect(warns()).toBe(false)
  outbox.end()
})

test('of several messages with files that a closed tab had not sent the next one has all words, and says that they weren’t sent', () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  const closed = offline()
  const photo = () => attachmentUploadsOf('me', null).choose([new File(['x'], 'photo.png')], MAX_BYTES)
  const [first, second] = [photo(), photo()]
  closed.send({ ...sample, content: 'first', uploadKeys: first })
  closed.send({ ...sample, content: 'second', uploadKeys: second })
  write(closed, 'words alone')
  closed.end()
  // Its files end with a page.
  for (const key of [...first, ...second]) attachmentUploadsOf('me', null).drop(key)
  const next = offline()
  expect(statesOf(next)).toEqual([
    ['first', 'failed'],
    ['second', 'failed'],
    ['words alone', 'waiting'],
  ])
  const [unsent] = next.snapshot()
  expect(unsent?.error).toBe(outboxTexts.uploadFailed)
  expect(next.withdraw(unsent?.clientMessageId ?? '')).toBe(true)
  next.end()
})

test('a message whose files the server has is sent by the next tab as well, with them', async () => {
  const uploads = attachmentUploadsOf('me', null)
  const ready = { key: 'its file', state: 'ready', mediaId: 'item' } as AttachmentUpload
  const closed = createOutbox('me', () => ({ ...uploads, snapshot: () => [ready] }), {
    read: () => true,
    subscribe: () => () => {},
    emit: () => new Promise(() => {}),
  })
  closed.send({ ...sample, content: 'with a photo', uploadKeys: [ready.key] })
  const [unsent] = closed.snapshot()
  closed.end()
  const next = offline()
  expect(next.snapshot()).toMatchObject([
    { clientMessageId: unsent?.clientMessageId, state: 'waiting', uploadKeys: [], mediaIds: ['item'] },
  ])
  next.end()
})

test('a message whose file is on its way waits for it over a login of the same person', () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  const first = crypto.randomUUID()
  writeToken(first)
  const outbox = createOutbox('me', () => attachmentUploadsOf('me', readToken()), {
    read: () => true,
    subscribe: () => () => {},
    emit: async () => FAULT,
  })
  const uploadKeys = attachmentUploadsOf('me', readToken()).choose([new File(['x'], 'photo.png')], MAX_BYTES)
  outbox.send({ ...sample, content: 'with a photo', uploadKeys })
  renewToken(first, crypto.randomUUID())
  write(outbox, 'and words')
  expect(statesOf(outbox)).toEqual([
    ['with a photo', 'waiting'],
    ['and words', 'sending'],
  ])
  expect(
    attachmentUploadsOf('me', readToken())
      .snapshot()
      .map(({ key }) => key),
  ).toEqual(uploadKeys)
  writeToken(null)
  expect(attachmentUploadsOf('me', null).snapshot()).toEqual([])
  outbox.end()
})

test('a message whose file is gone, as another tab logged in, is never sent with a file that was chosen since', () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  writeToken(crypto.randomUUID())
  const uploads = () => attachmentUploadsOf('me', readToken())
  const outbox = createOutbox('me', uploads, {
    read: () => true,
    subscribe: () => () => {},
    emit: async () => FAULT,
  })
  const uploadKeys = uploads().choose([new File(['x'], 'for them.png')], MAX_BYTES)
  outbox.send({ ...sample, content: 'with a photo', uploadKeys })
  const id = outbox.snapshot()[0]?.clientMessageId ?? ''
  writeToken(crypto.randomUUID())
  uploads().choose([new File(['y'], 'for another.png')], MAX_BYTES)
  outbox.retry(id)
  expect(outbox.snapshot()).toMatchObject([{ state: 'failed', error: outboxTexts.uploadFailed }])
  writeToken(null)
  outbox.end()
})

test('a message that failed goes back to where it was written, before what stands there, with all it had', async () => {
  const { outbox } = outboxWith({ ok: false, error: 'This price is too low.', code: 'price_too_low' })
  const [file] = attachmentUploadsOf('me', null).choose(
    [new File(['x'], 'a.png', { type: 'image/png' })],
    MAX_BYTES,
  )
  const item = { _id: 'item', title: 'A photo' } as Attachable
  outbox.send({ ...sample, content: 'waits for its file', uploadKeys: [file ?? ''] })
  const [waiting] = outbox.snapshot()
  expect(outbox.withdraw(waiting?.clientMessageId ?? '')).toBe(false)
  outbox.discard(waiting?.clientMessageId ?? '')
  outbox.send({ ...sample, content: 'first', mediaIds: ['item'], items: [item], price: '$0.50' })
  await vi.advanceTimersByTimeAsync(0)
  const [failed] = outbox.snapshot()
  writeDraft('me', 'them', 'second')
  trayOf('them').write({ uploadKeys: ['other'], items: [], price: '' })
  expect(outbox.withdraw(failed?.clientMessageId ?? '')).toBe(true)
  if (failed) putBack('me', failed)
  expect(outbox.snapshot()).toEqual([])
  expect(readDraft('me', 'them')).toBe('first\nsecond')
  expect(trayOf('them').read()).toEqual({ uploadKeys: ['other'], items: [item], price: '$0.50' })
  trayOf('them').write(emptyTray)
  outbox.end()
})

test('what is refused has the conversation read again, which says whether one may still write; a limit has not', async () => {
  const queryKey = [...chatsKey, 'them']
  queryClient.setQueryData(queryKey, 'may write')
  const isAsked = () => queryClient.getQueryState(queryKey)?.isInvalidated
  const limited = outboxWith(LIMITED)
  write(limited.outbox, 'one too many')
  await vi.advanceTimersByTimeAsync(0)
  expect(isAsked()).toBe(false)
  limited.outbox.end()
  forgetUnsent()
  const { outbox } = outboxWith({
    ok: false,
    error: 'You can’t message this person.',
    code: 'recipient_unavailable',
  })
  write(outbox, 'one')
  await vi.advanceTimersByTimeAsync(0)
  expect(isAsked()).toBe(true)
  outbox.end()
  queryClient.clear()
})
