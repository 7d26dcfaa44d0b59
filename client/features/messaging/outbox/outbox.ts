import { useSyncExternalStore } from 'react'
import { chatsKey, invalidate, queryClient } from '../../../lib/query.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { type Acknowledged, connection, emit } from '../../../lib/socket.ts'
import { readToken, subscribeToken } from '../../../lib/token.ts'
import {
  type AttachmentUploads,
  attachmentUploadsOf,
} from '../../media/parts/attachments/attachment-uploads.ts'
import { outboxTexts } from '../texts.ts'
import { type Files, nextTime, nextToSend, type Outgoing, type OutgoingEvent, reduce } from './outgoing.ts'
import { openUnsent } from './unsent.ts'

/** How long to wait before what wasn't acknowledged, or isn't ready, is sent again, in milliseconds. */
const AGAIN_MS = 2_000
/** From how long a wait on its writer is told, in milliseconds. */
const TOLD_MS = 5_000
/** How often a fault of the server may answer a message before its writer is told, half a minute in all. */
const MAX_FAULTS = 15
/** How long a sent message stays for the list to take its place, in milliseconds. */
const KEPT_MS = 5_000

/** Messages on their way to the server. They outlive a lost connection and the tab that wrote them, but for its files. */
export type Outbox = {
  snapshot(): readonly Outgoing[]
  subscribe(listener: () => void): () => void
  send(message: Omit<Outgoing, 'clientMessageId' | 'createdAt' | 'state' | 'error' | 'notBefore'>): void
  retry(clientMessageId: string): void
  /** Takes a failed message out to be edited, with its files; false if it has not failed, or may be stored. */
  withdraw(clientMessageId: string): boolean
  /** Gives up a message that failed or waits, and its files. */
  discard(clientMessageId: string): void
  /** Sends nothing from now on. */
  end(): void
}

type Line = {
  read: () => boolean
  subscribe: (listener: () => void) => () => void
  emit: typeof emit
}

let current: { personId: string; outbox: Outbox } | null = null

/** The outbox of who is logged in; what somebody else wrote before is not sent. */
export function outboxOf(personId: string): Outbox {
  if (current?.personId === personId) return current.outbox
  current?.outbox.end()
  const uploads = () => attachmentUploadsOf(personId, readToken())
  const outbox = createOutbox(personId, uploads, { ...connection, emit })
  current = { personId, outbox }
  return outbox
}

subscribeToken(() => {
  if (readToken() !== null) return
  current?.outbox.end()
  current = null
})

/** Sends what is written over this line, in order, as soon as it is connected. */
export function createOutbox(personId: string, uploads: () => AttachmentUploads, line: Line): Outbox {
  const unsent = openUnsent(personId)
  let messages: readonly Outgoing[] = []
  const listeners = new Set<() => void>()
  let again: ReturnType<typeof setTimeout> | undefined
  let ended = false
  let watched: AttachmentUploads | null = null
  const faults = new Map<string, number>()

  /** As another tab can send it: files end with the page, unless the server has made items of them. */
  const keptOf = (message: Outgoing): Outgoing =>
    filesOf(message, uploads()) === 'ready'
      ? { ...message, uploadKeys: [], mediaIds: mediaIdsOf(message, uploads()) }
      : message

  const warn = (event: BeforeUnloadEvent) => event.preventDefault()
  const dispatch = (event: OutgoingEvent) => {
    if (ended) return
    messages = reduce(messages, event)
    unsent.write(messages.map(keptOf))
    // Files don't outlive the page.
    if (messages.some(isUnderWayWithFiles)) addEventListener('beforeunload', warn)
    else removeEventListener('beforeunload', warn)
    for (const listener of listeners) listener()
  }
  /** Sends a message again after so many milliseconds, however often others are sent meanwhile. */
  const later = (id: string, wait: number) => {
    const error = wait < TOLD_MS ? null : outboxTexts.limited
    dispatch({ type: 'unanswered', id, notBefore: Date.now() + wait, error })
  }

  /** A login of the same person in another tab has uploads of its own. */
  const watchUploads = () => {
    const now = uploads()
    if (watched !== now) now.subscribe(pump)
    watched = now
  }

  /** A fault leaves open whether the message was stored: later ones wait for it, unless the fault stays. */
  const mayPass = (id: string, code: string) => {
    if (code !== 'internal') return code === 'attachment_not_ready'
    const count = (faults.get(id) ?? 0) + 1
    faults.set(id, count)
    return count < MAX_FAULTS
  }

  const pump = () => {
    if (ended) return
    for (const message of messages) {
      if (message.state === 'waiting' && filesOf(message, uploads()) === 'failed')
        dispatch({
          type: 'failed',
          id: message.clientMessageId,
          error: outboxTexts.uploadFailed,
          refused: false,
        })
    }
    if (!line.read()) return
    for (const message of nextToSend(messages, (one) => filesOf(one, uploads()), Date.now())) {
      dispatch({ type: 'started', id: message.clientMessageId })
      void deliver(message)
    }
    clearTimeout(again)
    const wait = nextTime(messages, Date.now())
    if (wait !== null) again = setTimeout(pump, wait)
  }

  const deliver = async (message: Outgoing) => {
    const id = message.clientMessageId
    let answer: Acknowledged
    try {
      answer = await line.emit('chat message', wireOf(personId, message, uploads()))
    } catch {
      later(id, AGAIN_MS)
      return pump()
    }
    if (answer.ok) {
      dispatch({ type: 'sent', id })
      for (const key of message.uploadKeys) uploads().forget(key)
      setTimeout(() => dispatch({ type: 'removed', id }), KEPT_MS)
    } else if (answer.retryAfter !== undefined || mayPass(id, answer.code)) {
      later(id, (answer.retryAfter ?? 0) * 1_000 || AGAIN_MS)
    } else {
      const refused = answer.code !== 'internal'
      dispatch({ type: 'failed', id, error: answer.error, refused })
      // Whether one may write there still may have changed.
      if (refused) invalidate(queryClient, [[...chatsKey, message.recipientId]])
    }
    pump()
  }

  const stop = line.subscribe(pump)
  unsent.collect((found) => {
    for (const message of found) dispatch({ type: 'queued', message })
    pump()
  })
  return {
    snapshot: () => messages,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    send: (message) => {
      if (message.uploadKeys.length > 0) watchUploads()
      const [clientMessageId, createdAt] = [crypto.randomUUID(), serverNow().toISOString()]
      dispatch({
        type: 'queued',
        message: { ...message, clientMessageId, createdAt, state: 'waiting', error: null, notBefore: null },
      })
      pump()
    },
    retry: (id) => {
      const failed = messages.find(({ clientMessageId }) => clientMessageId === id)
      for (const key of failed?.uploadKeys ?? []) uploads().retry(key)
      faults.delete(id)
      dispatch({ type: 'retried', id })
      pump()
    },
    withdraw: (id) => {
      const failed = messages.find((one) => one.clientMessageId === id && one.state === 'failed')
      if (!failed || failed.mayBeStored) return false
      dispatch({ type: 'removed', id })
      return true
    },
    discard: (id) => {
      const message = messages.find(({ clientMessageId }) => clientMessageId === id)
      if (message?.state === 'sending' || message?.state === 'sent') return
      for (const key of message?.uploadKeys ?? []) uploads().drop(key)
      dispatch({ type: 'removed', id })
      pump()
    },
    end: () => {
      ended = true
      clearTimeout(again)
      unsent.close()
      removeEventListener('beforeunload', warn)
      stop()
    },
  }
}

const isUnderWayWithFiles = ({ state, uploadKeys }: Outgoing) =>
  uploadKeys.length > 0 && (state === 'waiting' || state === 'sending')

function filesOf({ uploadKeys }: Outgoing, uploads: AttachmentUploads): Files {
  const all = uploads.snapshot()
  const states = uploadKeys.map((key) => all.find((one) => one.key === key)?.state ?? 'failed')
  if (states.includes('failed')) return 'failed'
  return states.includes('uploading') ? 'uploading' : 'ready'
}

/** The items of a message, those that its files became included. */
function mediaIdsOf({ mediaIds, uploadKeys }: Outgoing, uploads: AttachmentUploads): readonly string[] {
  const all = uploads.snapshot()
  return [...mediaIds, ...uploadKeys.flatMap((key) => all.find((one) => one.key === key)?.mediaId ?? [])]
}

function wireOf(senderId: string, message: Outgoing, uploads: AttachmentUploads) {
  const { clientMessageId, recipientId, conversationId, content, price, replyTo } = message
  return {
    message: {
      senderId,
      content,
      conversationId,
      clientMessageId,
      attachments: mediaIdsOf(message, uploads).map((mediaId) => ({ url: `/media/${mediaId}` })),
      ...(price === null ? {} : { price }),
      ...(replyTo === null ? {} : { replyTo: replyTo._id }),
    },
    // The first message of a conversation says whom it goes to.
    conversation: { _id: conversationId, participants: [{ _id: senderId }, { _id: recipientId }] },
  }
}

/** The outbox of who is logged in, and what is in it. */
export function useOutbox(): { outbox: Outbox; messages: readonly Outgoing[] } {
  const { _id } = useCurrentUser()
  const outbox = outboxOf(_id)
  return { outbox, messages: useSyncExternalStore(outbox.subscribe, outbox.snapshot) }
}
