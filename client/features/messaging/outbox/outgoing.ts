import type { FeedMedia } from '../../media/api.ts'
import type { Message } from '../cache/timeline.ts'

/** The message that is answered, as shown above the answer. */
export type Quote = NonNullable<Message['replyTo']>

/** An item that can hang on a message; of one from the library it is known whether it goes to chosen people only. */
export type Attachable = FeedMedia & { directOnly?: boolean }

/**
 * A message that the server hasn't acknowledged yet: `waiting` for the connection, for its files or for its turn,
 * `sending`, or `failed` until the person tries again. One that was `sent` stays until the list has it.
 */
export type Outgoing = {
  clientMessageId: string
  recipientId: string
  conversationId: string
  content: string
  replyTo: Quote | null
  /** Uploads of its files, by their keys. */
  uploadKeys: readonly string[]
  /** Items of the sender's library. */
  mediaIds: readonly string[]
  /** The same as the composer shows them, for when they come back to it; an earlier build of the page kept none. */
  items?: readonly Attachable[]
  price: string | null
  createdAt: string
  state: 'waiting' | 'sending' | 'sent' | 'failed'
  /** Why it failed, or has to wait until `notBefore`. */
  error: string | null
  /** Whether it was sent and no answer since says that it wasn't stored, so that under another id it could come twice. */
  mayBeStored?: boolean
  /** When it may be sent again, in milliseconds since 1970; null for at once. */
  notBefore: number | null
}

export type OutgoingEvent =
  | { type: 'queued'; message: Outgoing }
  | { type: 'started'; id: string }
  /** No answer came, or none that decides; whether it arrived is unknown, so the same message is sent again. */
  | { type: 'unanswered'; id: string; notBefore: number; error: string | null }
  | { type: 'sent'; id: string }
  /** A refusal says that it isn't stored. */
  | { type: 'failed'; id: string; error: string; refused: boolean }
  | { type: 'retried'; id: string }
  | { type: 'removed'; id: string }

/** All unsent messages after one event, in the order in which they were written. */
export function reduce(messages: readonly Outgoing[], event: OutgoingEvent): readonly Outgoing[] {
  if (event.type === 'queued') return [...messages, event.message]
  if (event.type === 'removed') return messages.filter((one) => one.clientMessageId !== event.id)
  return messages.map((message) => (message.clientMessageId === event.id ? step(message, event) : message))
}

function step(message: Outgoing, event: Exclude<OutgoingEvent, { type: 'queued' | 'removed' }>): Outgoing {
  switch (event.type) {
    case 'started':
      return { ...message, state: 'sending', error: null, notBefore: null, mayBeStored: true }
    case 'unanswered':
      return message.state === 'sending'
        ? { ...message, state: 'waiting', error: event.error, notBefore: event.notBefore }
        : message
    case 'sent':
      return { ...message, state: 'sent', error: null }
    case 'failed':
      if (message.state === 'sent') return message
      return {
        ...message,
        state: 'failed',
        error: event.error,
        ...(event.refused ? { mayBeStored: false } : {}),
      }
    case 'retried':
      return message.state === 'failed' ? { ...message, state: 'waiting', error: null } : message
  }
}

/** How the uploads of a message stand together. */
export type Files = 'ready' | 'uploading' | 'failed'

/**
 * The messages that may be sent now: of each conversation the oldest, and none while another is under way or waits for its
 * time, so that they arrive in order. One whose files are still uploading holds up no other.
 */
export function nextToSend(
  messages: readonly Outgoing[],
  filesOf: (message: Outgoing) => Files,
  now: number,
): readonly Outgoing[] {
  const busy = new Set(
    messages.flatMap(({ state, conversationId }) => (state === 'sending' ? [conversationId] : [])),
  )
  return messages.filter((message) => {
    if (message.state !== 'waiting' || busy.has(message.conversationId)) return false
    if (filesOf(message) !== 'ready') return false
    busy.add(message.conversationId)
    return !isEarly(message, now)
  })
}

/** Whether it waits for longer than a moment, with a reason. */
export const isLimited = ({ state, error, notBefore }: Outgoing): boolean =>
  state === 'waiting' && error !== null && notBefore !== null

/** Longer than any limit has a message wait: a time that is further off was set by a clock that was set back since. */
const LONGEST_WAIT_MS = 3_600_000

const isEarly = ({ notBefore }: Outgoing, now: number) =>
  notBefore !== null && notBefore > now && notBefore - now <= LONGEST_WAIT_MS

/** How long until the first of these messages may be sent that has to wait, in milliseconds; null where none has. */
export function nextTime(messages: readonly Outgoing[], now: number): number | null {
  const times = messages.flatMap((message) =>
    message.state === 'waiting' && isEarly(message, now) ? [(message.notBefore ?? now) - now] : [],
  )
  return times.length > 0 ? Math.min(...times) : null
}
