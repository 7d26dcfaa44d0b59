import { dayOf } from '../../../ui/format.ts'
import type { Message } from '../cache/timeline.ts'
import { isLimited, type Outgoing } from '../outbox/outgoing.ts'

/** One line of a conversation: a message, or one that is on its way, with what stands above it and how it joins its neighbors. */
export type Row = {
  key: string
  mine: boolean
  createdAt: string
  /** The day that begins with it, such as `2026-11-21`; null within a day. */
  day: string | null
  /** The first message that was unread when the conversation was opened, or looked at again. */
  firstUnread: boolean
  /** First and last of those that one person wrote in a row within a few minutes. */
  first: boolean
  last: boolean
} & (
  | { kind: 'message'; message: Message }
  /** `behind` one that is limited: it goes only after that one. */
  | { kind: 'outgoing'; message: Outgoing; behind: boolean }
)

/** Messages of one person closer together than this stand as a group, in milliseconds. */
const GROUP_MS = 5 * 60_000

type RowsOf = {
  messages: readonly Message[]
  outgoing: readonly Outgoing[]
  me: string
  /** Where the first message stands that was unread when the conversation was opened, or looked at again; null when all were read. */
  firstUnread: number | null
  /** Whether older messages exist: whether the first one begins a day is then unknown. */
  hasOlder: boolean
}

/** The rows of a conversation, from top to bottom. A message on its way keeps its key when it has arrived. */
export function rowsOf({ messages, outgoing, me, firstUnread, hasOlder }: RowsOf): Row[] {
  const limited = outgoing.findIndex(isLimited)
  const arrived = new Set(messages.map(({ clientMessageId }) => clientMessageId))
  const shown = [
    ...messages.map((message) => ({
      kind: 'message' as const,
      message,
      key: message.clientMessageId ?? message._id,
      mine: message.senderId === me,
      createdAt: message.createdAt,
      firstUnread: message.position === firstUnread,
    })),
    ...outgoing
      .map((message, at) => ({ message, behind: limited >= 0 && at > limited }))
      .filter(({ message }) => !arrived.has(message.clientMessageId))
      .map(({ message, behind }) => ({
        kind: 'outgoing' as const,
        message,
        behind,
        key: message.clientMessageId,
        mine: true,
        createdAt: message.createdAt,
        firstUnread: false,
      })),
  ]
  return shown.map((row, index) => {
    const [before, after] = [shown[index - 1], shown[index + 1]]
    const newDay = before ? dayOf(before.createdAt) !== dayOf(row.createdAt) : !hasOlder
    return {
      ...row,
      day: newDay ? dayOf(row.createdAt) : null,
      first: row.firstUnread || !before || !together(before, row),
      last: after?.firstUnread === true || !after || !together(row, after),
    }
  })
}

type Said = { mine: boolean; createdAt: string }

function together(one: Said, other: Said): boolean {
  const apart = Date.parse(other.createdAt) - Date.parse(one.createdAt)
  return one.mine === other.mine && apart < GROUP_MS && dayOf(one.createdAt) === dayOf(other.createdAt)
}
