/**
 * The kinds of orders: `singles` by an offer alone, a `message` for its attachments by the person it was sent to, a
 * `tip` of any amount for a creator, a `donation` of any amount for the operator, a `custom` request by the fan whose
 * request was accepted. Each kind has its folder in `server/domains/commerce/sellables/`.
 */
export const KINDS = [
  'subscription',
  'bundle',
  'single',
  'singles',
  'message',
  'tip',
  'donation',
  'custom',
] as const
export type Kind = (typeof KINDS)[number]

/** Whether the buyer chooses the amount. */
export const isTip = (kind: Kind): boolean => kind === 'tip' || kind === 'donation'

/** The item of every donation; it is no account's id, as nobody's is told. */
export const DONATION_ID = '00000000-0000-7000-8000-00000000d0fe'

/**
 * The name in a money record of a person whose account was deleted; no username is written so (docs/product.md,
 * Deleting an account).
 */
export const DELETED_USER = 'Deleted User'

/** The same while an account is suspended, as it may come back (docs/product.md, Suspension). */
export const UNAVAILABLE_ACCOUNT = 'Unavailable account'

/** The states of an order: owed, paid, replaced or expired unpaid, or given up after it was due. */
export const ORDER_STATUSES = ['open', 'paid', 'void', 'uncollectible'] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

/** One attempt to pay an order. `held` and `unknown` grant nothing and may still end either way. */
export const PAYMENT_STATUSES = [
  'created',
  'submitting',
  'captured',
  'declined',
  'held',
  'refused',
  'unknown',
  'voided',
  'refunded',
  'disputed',
] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/** Nobody knows yet how these end; an order has at most one of them. */
export const UNDECIDED_STATUSES: PaymentStatus[] = ['created', 'submitting', 'held', 'unknown']

/** One refund of a payment, whole or in part. */
export const REFUND_STATUSES = ['created', 'submitting', 'refunded', 'voided', 'refused', 'unknown'] as const
export type RefundStatus = (typeof REFUND_STATUSES)[number]

/** A payment that the cardholder's bank took back: until the bank has decided, and who it decided for. */
export const DISPUTE_STATUSES = ['open', 'won', 'lost'] as const
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number]

/** The reason that the cardholder gave their bank. */
export const DISPUTE_CAUSES = [
  'fraud',
  'not_received',
  'not_as_described',
  'duplicate',
  'canceled',
  'other',
] as const
export type DisputeCause = (typeof DISPUTE_CAUSES)[number]
