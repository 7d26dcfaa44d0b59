import {
  type Delivery,
  NotificationEvent,
  type NotificationKind,
  NotificationTopic,
} from '../../../contract/notifications.ts'
import { readUnsubscribeToken, unsubscribeToken } from '../../../contract/unsubscribe-links.ts'
import type { Signer } from '../../crypto/signer.ts'

export const HOUR_MS = 3600 * 1000
/** Mails that one address gets in any hour because of others, and of one kind because of its own account. */
const MAILS_AN_HOUR = 3

export type MailKind = Delivery['message']['kind']
export type CountedMail = { kind: MailKind; byOthers: boolean }
export type SentMail = CountedMail & { sentAt: Date }

/**
 * What is told of a creator or of what was bought from them, but not by them: it stays where they aren't there, without
 * their name.
 */
export const NAMING_CREATORS: NotificationKind[] = NotificationEvent.options.flatMap(({ shape }) =>
  'creatorId' in shape.data.shape || 'seller' in shape.data.shape ? [shape.kind.value] : [],
)

/** Emails to an address that somebody other than its owner can cause. */
export const BY_OTHERS: ReadonlySet<MailKind> = new Set([
  'email.confirm',
  'email.taken',
  'password.reset',
  'creator.leaving',
  'subscription.extended',
  'message.received',
  'custom.changed',
  'custom.sold',
  'follower.added',
  'sale.made',
  'subscriber.added',
  'subscriber.canceled',
  'subscriber.ended',
  'tip.received',
  'shared-code.changed',
  'notifications.summary',
])

/** What a person pays, owes or gets back: each tells of one charge, refund or period of their own. */
const OWN_MONEY: ReadonlySet<MailKind> = new Set([
  'payment.refunded',
  'purchase.receipt',
  'subscription.renewing',
  'subscription.renewed',
  'subscription.declined',
  'subscription.reviewed',
  'subscription.canceled',
  'subscription.ended',
  'subscription.price-changed',
])

/**
 * Whether a mail is sent however many the address got: it tells its owner of their own money. The end of free time isn't one,
 * as others give as much of that as they like.
 */
export function isUnlimited(message: Delivery['message'], address: { confirmed: boolean }): boolean {
  if (!address.confirmed || !OWN_MONEY.has(message.kind)) return false
  return message.kind !== 'subscription.ended' || !message.data.over?.free
}

/** Kinds that wait until they may go, each by itself: nothing else says the same. */
export const POSTPONED: ReadonlySet<MailKind> = new Set([
  'creator.leaving',
  'payment.refunded',
  'purchase.receipt',
  'sale.refunded',
  'sale.disputed',
  'custom.changed',
  'custom.sold',
  'subreddit.decided',
  'subscription.renewing',
  'subscription.renewed',
  'subscription.declined',
  'subscription.reviewed',
  'subscription.ending',
  'subscription.canceled',
  'subscription.ended',
  'subscription.price-changed',
  'notifications.digest',
])

/** Whether a mail counts as caused by others: what is sent to an address that nobody confirmed always does. */
export function isByOthers(kind: MailKind, address: { confirmed: boolean }): boolean {
  return BY_OTHERS.has(kind) || !address.confirmed
}

/**
 * Whether one more mail may go to an address that got these within the last hour. Links for a new password and the other
 * kinds leave one of the three to each other, so that nobody can lock the holder out by the one, nor silence the product
 * by the other.
 */
export function mayMail(sent: readonly CountedMail[], mail: CountedMail): boolean {
  if (!mail.byOthers)
    return sent.filter(({ kind, byOthers }) => !byOthers && kind === mail.kind).length < MAILS_AN_HOUR
  const others = sent.filter(({ byOthers }) => byOthers)
  if (others.length >= MAILS_AN_HOUR) return false
  // A confirmed address gets no confirmation link, so that none takes the place of a notice.
  if (mail.kind === 'email.confirm') return true
  const isReset = mail.kind === 'password.reset'
  return others.filter(({ kind }) => (kind === 'password.reset') === isReset).length < MAILS_AN_HOUR - 1
}

/** When a mail may go to an address that got these within the last hour: now, or once the hours of enough of them are over. */
export function mailableAt(sent: readonly SentMail[], mail: CountedMail, now: Date): Date {
  const ends = sent.map(({ sentAt }) => new Date(sentAt.getTime() + HOUR_MS))
  const moments = [now, ...ends.toSorted((one, other) => one.getTime() - other.getTime())]
  const isFree = (at: Date) =>
    mayMail(
      sent.filter(({ sentAt }) => sentAt.getTime() + HOUR_MS > at.getTime()),
      mail,
    )
  return moments.find(isFree) ?? now
}

/**
 * The emails that an unsubscribe link ends: those of one topic, all digests, or all immediate ones that can be turned
 * off.
 */
export type Scope = NotificationTopic | 'digest' | 'now'

const PURPOSE = 'unsubscribe'

/** The signed content of an unsubscribe link, which needs no login: the account and the emails to end. */
export function signedScope(signer: Signer, userId: string, scope: Scope): string {
  return unsubscribeToken({ userId, scope, signature: signer.sign(PURPOSE, `${userId}.${scope}`) })
}

/** The account and emails that a link names; null for a link that isn't ours. */
export function readScope(signer: Signer, token: string): { userId: string; scope: Scope } | null {
  const read = readUnsubscribeToken(token)
  if (!read || !signer.verify(PURPOSE, `${read.userId}.${read.scope}`, read.signature)) return null
  const { userId, scope } = read
  if (scope === 'digest' || scope === 'now') return { userId, scope }
  const topic = NotificationTopic.safeParse(scope)
  return topic.success ? { userId, scope: topic.data } : null
}
