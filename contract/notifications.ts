import { z } from 'zod'
import { MASS_FAILURES } from './constants.ts'
import { CHANGED_PARTS } from './promotion.ts'
import { TERM_MONTHS } from './subscriptions.ts'

const told = <const K extends string, D extends z.ZodRawShape>(kind: K, data: D) =>
  z.object({ kind: z.literal(kind), person: z.uuid(), data: z.object(data) })

/** The person who caused it: their username then, and their id. The notification is deleted with their account. */
const from = { from: z.string(), fromId: z.uuid() }

/** With whom, and where in their conversation. */
const customRequest = { ...from, messageId: z.uuid().nullable() }

/**
 * The creator whom it is about: their username then, and their id; null while they aren't there for its account, which reads
 * it without the name. It is deleted with the creator's account; what was told earlier may have no id.
 */
const creator = { creator: z.string(), creatorId: z.uuid().nullish() }

/** How many months one pays for; what was told before there were several says nothing. */
const Term = z.literal([...TERM_MONTHS]).default(1)

/** The effect of a refund on access that was paid for: it ended, or continues; `none`: there was none to end. */
const AfterRefund = z.enum(['ended', 'kept', 'none']).default('none')

/** Everything that an account is told: kept in its list of notifications, and sent by the channels it wants. */
export const NotificationEvent = z.discriminatedUnion('kind', [
  told('email.change-requested', {}),
  told('email.taken', {}),
  told('password.changed', {}),
  told('factor.added', { passkey: z.string().nullable() }),
  told('factor.removed', { passkey: z.string().nullable(), last: z.boolean() }),
  /** Where payouts go from now on; nothing is paid there before `until`. `added`: nothing was there before. */
  told('bank-details.changed', { lastFour: z.string(), until: z.iso.date(), added: z.boolean().optional() }),
  told('recovery-code.used', { left: z.number().int() }),
  told('deletion.requested', { erasedBy: z.iso.date() }),
  told('deletion.undone', {}),
  /** `ended`: the suspension is over. The reason stays with the operators. */
  told('account.suspended', { ended: z.boolean() }),
  told('export.ready', {}),
  /**
   * `why`: somebody asked for it, or the charge paid for nothing, as its buyer had it otherwise by then or it was gone, or it
   * was voided under review.
   * `outside`: not by the card that paid, which the gateway refused; `parts`: how much by which, where a part went to that
   * card; `voided`: before the charge settled; `late`: as it wasn't delivered by its deadline.
   */
  told('payment.refunded', {
    ...{ title: z.string(), amount: z.string(), access: AfterRefund },
    why: z.enum(['asked', 'alreadyHad', 'gone', 'notApproved']).default('asked'),
    outside: z.boolean().default(false),
    parts: z.object({ card: z.string(), other: z.string() }).nullable().default(null),
    voided: z.boolean().default(false),
    late: z.boolean().default(false),
  }),
  /** `share`: what of the creator's share was taken back. */
  told('sale.refunded', {
    title: z.string(),
    amount: z.string(),
    share: z.string(),
    access: AfterRefund,
  }),
  /** The product that somebody just paid for; a renewal is `subscription.renewed`. */
  told('purchase.receipt', {
    title: z.string(),
    amount: z.string(),
    seller: z.string(),
    /** The seller's id; null where it isn't told whose account that is. */
    fromId: z.uuid().nullable(),
    /** How many items were bought for good; 0 where there are none. */
    items: z.number().int(),
    /** The price of all of it, if its buyer had `owned` of its items. */
    reduced: z.object({ fullPrice: z.string(), owned: z.number().int() }).nullish(),
    card: z.string(),
    on: z.iso.date(),
    /** The reference by which operators find the payment. */
    number: z.uuid().nullish(),
    renews: z.object({ on: z.iso.date(), amount: z.string(), months: Term }).nullable(),
    /** Until when a subscription is paid that has no card to renew with; nothing of anything else. */
    until: z.iso.date().nullish(),
  }),
  told('sale.disputed', { title: z.string(), amount: z.string(), state: z.enum(['opened', 'won', 'lost']) }),
  /** `noCard`: there is none to charge, so that it renews only if the fan adds one. */
  told('subscription.renewing', {
    ...{ title: z.string(), amount: z.string(), on: z.iso.date(), months: Term },
    noCard: z.boolean().default(false),
  }),
  told('subscription.renewed', {
    title: z.string(),
    amount: z.string(),
    card: z.string(),
    until: z.iso.date(),
    months: Term,
    number: z.uuid().nullish(),
  }),
  /**
   * `until`: how long there is access all the same; null where that is over. `ends`: when the subscription does without
   * payment; `last`: that is the next day. Those of before either was said have neither.
   */
  told('subscription.declined', {
    ...{ ...creator, title: z.string(), amount: z.string() },
    noCard: z.boolean().default(false),
    until: z.iso.date().nullish(),
    ends: z.iso.date().nullish(),
    last: z.boolean().default(false),
  }),
  /** There is no access while a payment of it is under review. `ends`: when it ends unless approved by then, if it does. */
  told('subscription.reviewed', {
    ...{ ...creator, title: z.string(), amount: z.string(), ends: z.iso.date().nullable() },
  }),
  /** A free trial ends `on` a day. `amount`: what a month costs then; null where it can't be bought anymore. */
  told('subscription.ending', {
    ...{ ...creator, title: z.string(), on: z.iso.date(), amount: z.string().nullable() },
  }),
  /** Its fan canceled it; `resumable`: they can undo that until its paid period ends. */
  told('subscription.canceled', {
    ...creator,
    title: z.string(),
    until: z.iso.date(),
    resumable: z.boolean(),
  }),
  /**
   * `price`: its fan didn’t agree to a higher one. `over`: it was canceled or a free trial, whose time is over, and whose it
   * was where the fan can subscribe again.
   */
  told('subscription.ended', {
    ...{ title: z.string(), unpaid: z.boolean() },
    price: z.boolean().default(false),
    noCard: z.boolean().default(false),
    over: z.object({ free: z.boolean(), creator: z.string().nullable() }).nullish(),
    creatorId: z.uuid().nullish(),
  }),
  /**
   * Its price falls, or its creator asks for a higher one, which is charged `on` a day if the fan agrees. Asked no more,
   * it is `kept` at `amount`; of who declined `before`, it is canceled and `ending`, `on` a day.
   */
  told('subscription.price-changed', {
    state: z.enum(['lower', 'asked', 'lastCall', 'kept', 'ending']),
    ...creator,
    title: z.string(),
    before: z.string(),
    amount: z.string(),
    months: Term,
    on: z.iso.date(),
    /** Whether a card is missing, or was declined, so that it doesn’t renew by itself; older ones don’t say. */
    needsCard: z.boolean().optional(),
  }),
  told('subscription.extended', {
    ...creator,
    title: z.string(),
    until: z.iso.date(),
    renews: z.boolean(),
  }),
  /** `from` wrote, and nothing of it was read for a while; what they wrote stays in the product. */
  told('message.received', { from: z.string(), senderId: z.uuid() }),
  /** The new state of a custom request with `from`; its text stays in the product. `before`: the price it was accepted for earlier. */
  told('custom.changed', {
    state: z.enum(['requested', 'accepted', 'declined', 'delivered']),
    ...customRequest,
    amount: z.string().nullable(),
    before: z.string().nullish(),
  }),
  /** A custom request was paid, or wasn’t delivered in time and is given back. */
  told('custom.sold', { state: z.enum(['paid', 'overdue']), ...customRequest, amount: z.string() }),
  /**
   * A scheduled message wasn't sent, or was sent without attachments that were no longer available; or one under way
   * was `stopped`. Older notifications have no `why`.
   */
  told('mass-message.changed', {
    sent: z.boolean(),
    leftOut: z.number().int(),
    why: z.enum(MASS_FAILURES).optional(),
    stopped: z.boolean().optional(),
  }),
  told('creator.leaving', { username: z.string(), creatorId: z.uuid().nullish(), until: z.iso.date() }),
  told('follower.added', { ...from }),
  told('sale.made', {
    ...from,
    title: z.string(),
    amount: z.string(),
    item: z.enum(['single', 'bundle', 'message', 'offer']),
  }),
  /** `amount`: what was paid for the first period; null for a free trial. */
  told('subscriber.added', { ...from, title: z.string(), amount: z.string().nullable() }),
  told('subscriber.canceled', { ...from, title: z.string(), until: z.iso.date() }),
  told('subscriber.ended', { ...from, title: z.string() }),
  told('tip.received', { ...from, amount: z.string() }),
  /**
   * `until`: when its person, who is leaving, can no longer log in to ask for it again. `cut`: what of an amount that came back
   * is in the balance, what refunds and lost disputes took of it, and what is on hold for open ones; null where all is back.
   */
  told('payout.changed', {
    amount: z.string(),
    state: z.enum(['approved', 'paid', 'failed', 'canceled', 'returned']),
    reason: z.string().nullable(),
    until: z.iso.date().nullish(),
    cut: z.object({ back: z.string(), taken: z.string().nullable(), held: z.string().nullable() }).nullish(),
  }),
  /** `from` invited the person to a shared referral code, or took them out. */
  told('shared-code.changed', { ...from, state: z.enum(['invited', 'removed']) }),
  /**
   * The decision about a subreddit that the person referred to the subreddit program; `share`: they got the
   * subreddit's own. `note`: its restrictions, or why it was declined.
   */
  told('subreddit.decided', {
    state: z.enum(['approved', 'declined', 'share']),
    subreddit: z.string(),
    amount: z.string().nullable(),
    note: z.string().nullable(),
  }),
  /** The forum no longer accepts the connection of this account. */
  told('forum.reconnect', { account: z.string() }),
  told('verification.reminder', { subreddit: z.string() }),
  /** Of a subreddit where the person has a post planned. */
  told('subreddit.changed', { subreddit: z.string(), parts: z.array(z.enum(CHANGED_PARTS)) }),
  /**
   * The outcome of a scheduled post; `reason`: why it failed or was moved, or who removed it, in the forum’s word. `moved`: it
   * came too soon, and goes up `on` a later day, in the queue’s time zone.
   */
  told('post.changed', {
    state: z.enum(['failed', 'unknown', 'waiting', 'removed', 'uncommented', 'moved']),
    on: z.iso.date().nullish(),
    subreddit: z.string(),
    title: z.string(),
    reason: z.string().nullable(),
  }),
  told('media.ready', { title: z.string(), mediaId: z.uuid() }),
  /** `reason`: the sentence that the upload was refused with. */
  told('media.failed', { title: z.string(), reason: z.string() }),
  /** `reason`: what its creator is told of why, in sentences. */
  told('media.quarantined', {
    title: z.string(),
    mediaId: z.uuid(),
    reason: z.string().default(''),
    /** Whether it was down already, and why has changed. */
    changed: z.boolean().default(false),
    /** Whether its creator deleted it, so that its page is gone. */
    deleted: z.boolean().default(false),
  }),
  told('media.released', { title: z.string(), mediaId: z.uuid() }),
])
export type NotificationEvent = z.output<typeof NotificationEvent>
export type NotificationKind = NotificationEvent['kind']

type Tell<E> = E extends { kind: infer K; data: infer D } ? { kind: K; data: D } : never
/** A notification of an account, without the account. */
export type Told = Tell<NotificationEvent>
export const ToldEvent = z.discriminatedUnion(
  'kind',
  NotificationEvent.options.map((option) => option.omit({ person: true })) as never,
)

/** Topics of the notification settings; each kind of notification belongs to one. */
export const NOTIFICATION_TOPICS = [
  'security',
  'payments',
  'messages',
  'requests',
  'gifts',
  'sales',
  'subscribers',
  'followers',
  'payouts',
  'media',
  'promotion',
] as const
export const NotificationTopic = z.enum(NOTIFICATION_TOPICS)
export type NotificationTopic = z.output<typeof NotificationTopic>

/** The topic of each kind; a new kind names its own here. */
export const topicOf: Record<NotificationKind, NotificationTopic> = {
  'email.change-requested': 'security',
  'email.taken': 'security',
  'password.changed': 'security',
  'factor.added': 'security',
  'factor.removed': 'security',
  'bank-details.changed': 'security',
  'recovery-code.used': 'security',
  'deletion.requested': 'security',
  'deletion.undone': 'security',
  'account.suspended': 'security',
  'export.ready': 'security',
  'payment.refunded': 'payments',
  'purchase.receipt': 'payments',
  'sale.refunded': 'payments',
  'sale.disputed': 'payments',
  'subscription.renewing': 'payments',
  'subscription.renewed': 'payments',
  'subscription.declined': 'payments',
  'subscription.reviewed': 'payments',
  'subscription.canceled': 'payments',
  'subscription.ended': 'payments',
  'subscription.price-changed': 'payments',
  'creator.leaving': 'payments',
  'message.received': 'messages',
  'mass-message.changed': 'messages',
  'custom.changed': 'requests',
  'custom.sold': 'requests',
  'subscription.ending': 'gifts',
  'subscription.extended': 'gifts',
  'sale.made': 'sales',
  'subscriber.added': 'sales',
  'tip.received': 'sales',
  'subscriber.canceled': 'subscribers',
  'subscriber.ended': 'subscribers',
  'follower.added': 'followers',
  'payout.changed': 'payouts',
  'shared-code.changed': 'payouts',
  'subreddit.decided': 'payouts',
  'forum.reconnect': 'promotion',
  'verification.reminder': 'promotion',
  'subreddit.changed': 'promotion',
  'post.changed': 'promotion',
  'media.ready': 'media',
  'media.failed': 'media',
  // A decision about the account, which its owner can appeal.
  'media.quarantined': 'security',
  'media.released': 'security',
}

/** Emailed at once whatever the account prefers: who misses one may lose the account, or what they own. */
export const REQUIRED_TOPICS: ReadonlySet<NotificationTopic> = new Set(['security', 'payments'])

/** Topics that only creators have. */
export const CREATOR_TOPICS: ReadonlySet<NotificationTopic> = new Set([
  'sales',
  'subscribers',
  'followers',
  'media',
  'promotion',
])

/** When an email tells of it: at once, or in a digest. */
export const EmailFrequency = z.enum(['now', 'daily', 'weekly', 'off'])
export type EmailFrequency = z.output<typeof EmailFrequency>

/** An account's channels for a topic; the app itself shows all notifications. */
export type TopicChannels = { email: EmailFrequency; push: boolean }

/** The channels of what an account chose nothing for. */
export const DEFAULT_CHANNELS: Record<NotificationTopic, TopicChannels> = {
  security: { email: 'now', push: true },
  payments: { email: 'now', push: true },
  messages: { email: 'now', push: true },
  requests: { email: 'now', push: true },
  gifts: { email: 'now', push: true },
  sales: { email: 'daily', push: true },
  subscribers: { email: 'daily', push: false },
  followers: { email: 'weekly', push: false },
  payouts: { email: 'now', push: true },
  media: { email: 'off', push: false },
  promotion: { email: 'now', push: true },
}

/** Mails that are no notification: links, which are made when they are sent, and messages to the operator. */
export const MailRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('email.confirm'), person: z.uuid(), address: z.string() }),
  z.object({ kind: z.literal('password.reset'), address: z.string() }),
  /** The notifications of a digest: those that name this delivery and are still unread when it is sent. */
  z.object({ kind: z.literal('notifications.digest'), person: z.uuid() }),
  /** The same of what was to be emailed right away, and was more than an address gets in an hour. */
  z.object({ kind: z.literal('notifications.summary'), person: z.uuid() }),
  z.object({
    kind: z.literal('contact.message'),
    /** `email`: where the answer goes; `username`: the account that it was sent from, if any. Those of before have no number. */
    data: z.object({
      caseNumber: z.string().default(''),
      email: z.string(),
      name: z.string(),
      message: z.string(),
      username: z.string().nullable(),
    }),
  }),
])
export type MailRequest = z.output<typeof MailRequest>

/** The payload of the job `notifications.send`; the id is the same for all attempts. */
export const Delivery = z.object({
  id: z.uuid(),
  message: z.discriminatedUnion('kind', [...NotificationEvent.options, ...MailRequest.options]),
  /** A notification that isn't in its person's list yet; what was there and is gone doesn't come back. */
  unlisted: z.literal(true).optional(),
})
export type Delivery = z.output<typeof Delivery>
