import type { Output } from '../../../../contract/route.ts'
import type { conversationRoutes } from '../../../../contract/routes/messaging/conversations.ts'

type Answer = Output<typeof conversationRoutes.messages>
export type Message = Answer['messages'][number]
export type Conversation = Answer['conversation']
export type Participant = Answer['participants'][number]

/** The browser's part of one conversation: a stretch of messages without gaps, usually up to the newest. */
export type Chat = {
  conversation: Conversation
  /** By position, ascending. */
  messages: readonly Message[]
  /** Of the first message in the list: it falls as older ones are put before it, so that the list keeps its place. */
  firstIndex: number
  /** Another number whenever other messages took the place of those before, so that the list starts afresh. */
  stretch: number
  hasOlder: boolean
  /** True where the list began at unread messages or in the past, until the newest message is reached. */
  hasNewer: boolean
  /** Everything up to this revision of the conversation is known. */
  revision: number
  /** Where the first message stands that the last catching up brought; null if none has. */
  missed: number | null
  /** Why the other person can't be written to. */
  refusal: Answer['refusal']
  online: boolean
}

/** Far more than there are messages in any conversation. */
const FIRST_INDEX = 100_000_000

let stretches = 0

/** The newest messages, or those around the first unread one. */
export function opened({ conversation, messages, hasMore, hasNewer, refusal, online }: Answer): Chat {
  return {
    conversation,
    messages,
    firstIndex: FIRST_INDEX,
    stretch: ++stretches,
    hasOlder: hasMore,
    hasNewer,
    revision: conversation.revision,
    missed: null,
    refusal,
    online,
  }
}

/** The messages around a place in the past: those up to it, and those after it. */
export function openedAt(before: Answer, after: Answer): Chat {
  return {
    ...opened(before),
    messages: [...before.messages, ...after.messages],
    hasNewer: after.hasMore,
    revision: Math.min(before.conversation.revision, after.conversation.revision),
  }
}

/** With older messages before those that are there; known is then only what the answer knew. */
export function withOlder(chat: Chat, { conversation, messages, hasMore }: Answer): Chat {
  const first = chat.messages[0]?.position ?? Number.POSITIVE_INFINITY
  const older = messages.filter(({ position }) => position < first)
  return {
    ...chat,
    messages: [...older, ...chat.messages],
    firstIndex: chat.firstIndex - older.length,
    hasOlder: hasMore,
    revision: Math.min(chat.revision, conversation.revision),
  }
}

/** With newer messages after those that are there; known is then only what the answer knew. */
export function withNewer(chat: Chat, { conversation, messages, hasMore }: Answer): Chat {
  const last = chat.messages.at(-1)?.position ?? -1
  return {
    ...chat,
    messages: [...chat.messages, ...messages.filter(({ position }) => position > last)],
    // Messages that arrived after the answer was made had no place yet.
    hasNewer: hasMore || chat.revision > conversation.revision,
    revision: Math.min(chat.revision, conversation.revision),
  }
}

/** The changes since the known revision; after too many changes the conversation is loaded again instead. */
export function caughtUp(chat: Chat, { conversation, messages, refusal, online }: Answer): Chat {
  const patched = messages.reduce(withMessage, chat)
  const known = new Set(chat.messages.map(({ _id }) => _id))
  return {
    ...patched,
    conversation: newest(chat.conversation, conversation),
    revision: Math.max(patched.revision, conversation.revision),
    missed: patched.messages.find(({ _id }) => !known.has(_id))?.position ?? chat.missed,
    refusal,
    online,
  }
}

/**
 * After an event. `missed` says that others must have been lost before it: what came since is to be asked for, as the
 * known revision stays where it was.
 */
export function withEvent(
  chat: Chat,
  message: Message,
  conversation: Conversation,
): { chat: Chat; missed: boolean } {
  const missed = message.revision > chat.revision + 1
  const patched = {
    ...withMessage(chat, message),
    conversation: newest(chat.conversation, conversation),
  }
  return {
    chat: missed ? patched : { ...patched, revision: Math.max(chat.revision, message.revision) },
    missed,
  }
}

/**
 * With this message in its place, unless a newer state of it is there or it lies outside of what is loaded. Answers to it
 * quote what it says now, wherever it lies. One of another conversation, as of who was logged in before, changes nothing.
 */
export function withMessage(chat: Chat, message: Message): Chat {
  if (message.conversationId !== chat.conversation._id) return chat
  const messages = requoted(chat.messages, message)
  const at = messages.findIndex(({ _id }) => _id === message._id)
  const known = messages[at]
  if (known) {
    if (known.revision > message.revision) return chat
    // The name that its sender's client gave is told to that client alone, and not with every change.
    const clientMessageId = message.clientMessageId ?? known.clientMessageId
    return { ...chat, messages: messages.with(at, { ...message, clientMessageId }) }
  }
  const [first] = messages
  const last = messages.at(-1)
  if (last && message.position > last.position && chat.hasNewer) return { ...chat, messages }
  if (first && message.position < first.position && chat.hasOlder) return { ...chat, messages }
  const place = messages.findLastIndex(({ position }) => position < message.position) + 1
  return { ...chat, messages: messages.toSpliced(place, 0, message) }
}

/** Each message that answers this one, with what it says now; the others stay the same objects. */
function requoted(messages: readonly Message[], { _id, content, deletedAt }: Message): readonly Message[] {
  const deleted = deletedAt !== null
  return messages.map((one) =>
    one.replyTo?._id === _id && (one.replyTo.content !== content || one.replyTo.deleted !== deleted)
      ? { ...one, replyTo: { ...one.replyTo, content, deleted } }
      : one,
  )
}

/** The later of two states of a conversation. Reading changes no revision, so each person's progress is the larger one. */
export function newest(one: Conversation, other: Conversation): Conversation {
  const later = other.revision >= one.revision ? other : one
  const read = one.readPosition > other.readPosition ? one : other
  return {
    ...later,
    readPosition: Math.max(one.readPosition, other.readPosition),
    otherReadPosition: Math.max(one.otherReadPosition, other.otherReadPosition),
    unread: one.readPosition === other.readPosition ? later.unread : read.unread,
  }
}

/** The conversation once who looks at it has read up to a position, with what is left unread as far as it is known. */
export function asRead(
  { conversation, messages, hasNewer }: Chat,
  me: string,
  position: number,
): Conversation {
  const { readPosition } = conversation
  if (position <= readPosition) return conversation
  const unreadWhere = (is: (message: Message) => boolean) =>
    messages.filter((one) => one.senderId !== me && !one.deletedAt && is(one)).length
  const passed = (one: Message) => one.position > readPosition && one.position <= position
  const unread = hasNewer
    ? Math.max(0, conversation.unread - unreadWhere(passed))
    : unreadWhere((one) => one.position > position)
  return { ...conversation, readPosition: position, unread }
}

/**
 * Where the first message stands, at this position or later, that who looks at it hasn't read; null if there is none among
 * those loaded.
 */
export function firstUnreadOf({ conversation, messages }: Chat, me: string, from = 0): number | null {
  const { unread, readPosition } = conversation
  if (unread === 0) return null
  const isUnread = ({ senderId, deletedAt, position }: Message) =>
    senderId !== me && !deletedAt && position > readPosition && position >= from
  return messages.find(isUnread)?.position ?? null
}

/** The newest message of the other person; undefined when there is none among those loaded. */
export function newestOfOther(chat: Chat, me: string): Message | undefined {
  return chat.messages.findLast(({ senderId }) => senderId !== me)
}
