import { z } from 'zod'

const told = <const K extends string, D extends z.ZodRawShape>(kind: K, data: D) =>
  z.object({ kind: z.literal(kind), person: z.uuid(), data: z.object(data) })

/** With whom, and where in their conversation. */
const customRequest = { from: z.string(), personId: z.uuid(), messageId: z.uuid().nullable() }

/** Everything that an account is told: kept in its list of notifications, and sent by the channels it wants. */
export const NotificationEvent = z.discriminatedUnion('kind', [
  told('email.change-requested', {}),
  told('email.taken', {}),
  told('password.changed', {}),
  told('factor.added', { passkey: z.string().nullable() }),
  told('factor.removed', { passkey: z.string().nullable(), last: z.boolean() }),
  told('recovery-code.used', { left: z.number().int() }),
  told('deletion.requested', { erasedBy: z.iso.date() }),
  told('deletion.undone', {}),
  told('export.ready', {}),
  told('payment.refunded', { title: z.string(), amount: z.string(), whole: z.boolean() }),
  told('sale.disputed', { title: z.string(), amount: z.string(), state: z.enum(['opened', 'won', 'lost']) }),
  told('subscription.renewing', { title: z.string(), amount: z.string(), on: z.iso.date() }),
  told('subscription.renewed', {
    title: z.string(),
    amount: z.string(),
    card: z.string(),
    until: z.iso.date(),
  }),
  told('subscription.declined', { title: z.string(), amount: z.string(), creator: z.string() }),
  told('subscription.ended', { title: z.string(), unpaid: z.boolean() }),
  told('subscription.extended', {
    title: z.string(),
    creator: z.string(),
    until: z.iso.date(),
    renews: z.boolean(),
  }),
  /** `from` wrote, and nothing of it was read for a while; what they wrote stays in the product. */
  told('message.received', { from: z.string(), senderId: z.uuid() }),
  /** What became of a custom request with `from`; what it asks for stays in the product. */
  told('custom.changed', {
    state: z.enum(['requested', 'accepted', 'declined', 'delivered']),
    ...customRequest,
    amount: z.string().nullable(),
  }),
  /** A custom request was paid, or wasn’t delivered in time and is given back. */
  told('custom.sold', { state: z.enum(['paid', 'overdue']), ...customRequest, amount: z.string() }),
  /** What was scheduled was not sent, or without attachments that were no longer available. */
  told('mass-message.changed', { sent: z.boolean(), leftOut: z.number().int() }),
  told('creator.leaving', { username: z.string(), until: z.iso.date() }),
])
export type NotificationEvent = z.output<typeof NotificationEvent>
export type NotificationKind = NotificationEvent['kind']

/** Sent whatever the account prefers: who misses one may lose the account, or what they own. */
export const requiredNotifications: ReadonlySet<NotificationKind> = new Set([
  'email.change-requested',
  'email.taken',
  'password.changed',
  'factor.added',
  'factor.removed',
  'recovery-code.used',
  'deletion.requested',
  'deletion.undone',
  'payment.refunded',
  'sale.disputed',
  'subscription.renewing',
  'subscription.renewed',
  'subscription.declined',
  'subscription.ended',
  'creator.leaving',
])

export const NotificationChannel = z.enum(['email'])
export type NotificationChannel = z.output<typeof NotificationChannel>

/** Mails that are no notification: links, which are made when they are sent, and messages to the operator. */
export const MailRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('email.confirm'), person: z.uuid(), address: z.string() }),
  z.object({ kind: z.literal('password.reset'), address: z.string() }),
  z.object({
    kind: z.literal('contact.message'),
    /** `email`: where the answer goes; `username`: the account that it was sent from, if any. */
    data: z.object({
      email: z.string(),
      name: z.string(),
      message: z.string(),
      username: z.string().nullable(),
    }),
  }),
])
export type MailRequest = z.output<typeof MailRequest>

/** What the job `notifications.send` takes; the id stays over all attempts. */
export const Delivery = z.object({
  id: z.uuid(),
  message: z.discriminatedUnion('kind', [...NotificationEvent.options, ...MailRequest.options]),
})
export type Delivery = z.output<typeof Delivery>
