import { formatMoney } from '../../../../contract/money.ts'
import type { Forum } from '../../../ports/forum/port.ts'
import type { InboxRow, PersonRow, ThreadRow } from './data.ts'
import type { SentReply } from './replying/actions.ts'

/** A conversation of the inbox with its messages and replies. */
export function presentThread(row: ThreadRow, forum: Forum | null) {
  const first = row.messages.find(({ own }) => !own)
  const others = row.messages.filter((message) => message !== first)
  const known = others.map(({ name, author, body, own, at }) => ({
    ...{ id: name, author, body, own },
    ...{ created_utc: at, state: 'sent' as const, failure: null },
  }))
  const written = row.replies.map(({ id, body, state, failure, at }) => ({
    ...{ id, author: row.account, body, own: true },
    ...{ created_utc: at, state, failure },
  }))
  return {
    _id: row.id,
    id: first?.name ?? row.key,
    account: row.account,
    author: row.author,
    authorUrl: forum?.pageUrl(`/user/${encodeURIComponent(row.author)}`) ?? null,
    subject: row.subject,
    body: first?.body ?? '',
    created_utc: first?.at ?? row.last_received_at.getTime() / 1000,
    moderates: row.moderates,
    lastContact: row.last_contact_at?.toISOString() ?? null,
    ignore: row.ignored,
    deleted: false,
    outOfSync: row.out_of_sync,
    replies: [...known, ...written].sort((one, other) => one.created_utc - other.created_utc),
    person: presentPerson(row.person),
  }
}

/** The writer's account on our site; null when unknown. */
export function presentPerson(person: PersonRow | null) {
  if (!person) return null
  const { id, username, follows, subscribed, spent_cents } = person
  return { _id: id, username, follows, subscribed, spent: formatMoney(spent_cents) }
}

/** A reply that was just sent or is under way. */
export function presentReply({ id, author, body, at, state }: SentReply) {
  return { id, author, body, created_utc: at.getTime() / 1000, own: true, state, failure: null }
}

/** How old what is shown may be, and whether something keeps it from being read again. */
export function presentSync(inboxes: readonly InboxRow[]) {
  const times = inboxes.flatMap(({ synced_at }) => (synced_at ? [synced_at.getTime()] : []))
  const isRevoked = inboxes.some(({ revoked_at, failure }) => revoked_at !== null || failure === 'reconnect')
  const failure = isRevoked
    ? ('reconnect' as const)
    : inboxes.some((inbox) => inbox.failure === 'unavailable')
      ? ('unavailable' as const)
      : null
  return { syncedAt: times.length > 0 ? new Date(Math.max(...times)).toISOString() : null, failure }
}
