import type { ForumMessage } from '../../../ports/forum/port.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS

const later = (milliseconds: number) => (now: Date) => new Date(now.getTime() + milliseconds)
const before = (milliseconds: number) => (now: Date) => new Date(now.getTime() - milliseconds)

/** When an inbox is read again after it was read. */
export const nextSync = later(MINUTE_MS)
/** Until when other processes leave a sync to the one that started it. */
export const syncLease = later(2 * MINUTE_MS)
/** An inbox is read sooner where its person asks for it: one that isn’t due before this moment. */
export const dueOnRequest = later(30 * SECOND_MS)
/** From when on its person can have an inbox read that is due then. */
export const askableFrom = before(30 * SECOND_MS)
/** Inboxes that nobody looked at since are left alone. */
export const watchedSince = before(10 * MINUTE_MS)
/** That somebody looks is noted again where it was noted before this. */
export const notedBefore = before(30 * SECOND_MS)

/** When an inbox is read again that couldn’t be read. */
export const syncAgain = (now: Date, retryAfterSeconds = 0) =>
  new Date(now.getTime() + Math.max(2 * MINUTE_MS, retryAfterSeconds * SECOND_MS))

/** Until when a thread stays hidden that is skipped now. */
export const skippedUntil = later(24 * 60 * MINUTE_MS)
/** An author’s moderated subreddits are read again if the last reading was before this. */
export const moderatesKeptSince = before(24 * 60 * MINUTE_MS)

/** When a reply is looked up whose answer didn’t come, or whose process ended. */
export const replyCheck = later(MINUTE_MS)
/** Replies sent before this are given up where the forum’s box of sent messages doesn’t have them. */
export const unconfirmedBefore = before(5 * MINUTE_MS)
/** Replies sent before this are given up even where the box couldn’t be read. */
export const unreadBefore = before(30 * MINUTE_MS)
/** The same text to the same thread since then is the same reply, sent by a second click or a call made again. */
export const sameReplySince = before(MINUTE_MS)

const CLOCKS_APART_MS = 60 * SECOND_MS

/** A text as the forum may hand it back. */
export const normalText = (text: string) => text.replace(/\r\n?/g, '\n').trim()

/** Whether the forum’s message may be the reply that was written here. */
export function isReply(message: ForumMessage, reply: { body: string; created_at: Date }): boolean {
  return (
    normalText(message.body) === normalText(reply.body) &&
    message.sentAt.getTime() >= reply.created_at.getTime() - CLOCKS_APART_MS
  )
}

const CHAT = /^(re: *)*\[direct chat room\]/i
const REPLY = /^re:/i

/** The key of a thread: its first message, or the other person if the forum doesn't name it. */
export function threadKey(message: ForumMessage, other: string): string {
  const { name, rootName, subject } = message
  const isByPerson = CHAT.test(subject) || (rootName === null && REPLY.test(subject))
  return isByPerson ? `with ${other.toLowerCase()}` : (rootName ?? name)
}

/** The subject of a thread, without what stands before that of an answer. */
export function threadSubject(subject: string): string {
  if (CHAT.test(subject)) return 'Chat'
  return subject.replace(/^(re: *)+/i, '') || 'No subject'
}

/** Whether two names are of one account of the forum, which takes capitals for small letters. */
export const sameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** The earliest first; of the same second by the forum’s ids, which grow. */
export function inOrder(messages: readonly ForumMessage[]): ForumMessage[] {
  const idOf = ({ name }: ForumMessage) => Number.parseInt(name.slice(3), 36)
  return messages.toSorted(
    (one, other) => one.sentAt.getTime() - other.sentAt.getTime() || idOf(one) - idOf(other),
  )
}

const SENTENCES: Record<string, string> = {
  USER_BLOCKED: 'This person blocked your account, so they won’t get your reply.',
  USER_MUTED: 'The moderators muted this conversation.',
  MUTED_FROM_SUBREDDIT: 'The moderators muted this conversation.',
  RESTRICTED_TO_PM: 'This person doesn’t take messages from your account.',
  NOT_WHITELISTED_BY_USER_MESSAGE: 'This person doesn’t take messages from your account.',
  SOMETHING_IS_BROKEN: 'The forum couldn’t deliver this reply. The person may have blocked your account.',
  DELETED_COMMENT: 'This message was deleted on the forum.',
  THREAD_LOCKED: 'This conversation is locked on the forum.',
  TOO_OLD: 'This message is too old to be answered.',
  TOO_LONG: 'The forum says that this reply is too long.',
  NO_TEXT: 'The forum says that this reply has no text.',
  IN_TIMEOUT: 'The forum suspended your account.',
  BAD_CAPTCHA:
    'The forum wants your account to prove that it’s a person. Log in there and send a message yourself.',
  FORBIDDEN: 'The forum doesn’t let your account answer this message. It may be gone from your inbox.',
}

/** The reason a person is given for a reply that the forum refused for good. */
export function replyRefusal({ code, message }: { code: string; message: string }): string {
  const words = message.trim()
  return (
    SENTENCES[code] ??
    (words === '' ? `The forum didn’t accept this reply (${code}).` : `The forum says: ${words}`)
  )
}
