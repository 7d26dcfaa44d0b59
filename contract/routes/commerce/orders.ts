import { z } from 'zod'
import { MAX_ADDRESS_LENGTH, ZIP } from '../../billing-address.ts'
import { MAX_DELIVERY_DAYS } from '../../constants.ts'
import { KINDS, PAYMENT_STATUSES } from '../../orders.ts'
import { route } from '../../route.ts'
import { Id, line, listOf, Moment, Money, Page } from '../../schemas.ts'
import { FeedMedia } from '../media/viewing.ts'
import { TermMonths } from './subscriptions.ts'

/** One order as its buyer sees it, with the status of its payment. `held` and `unknown` grant nothing and may still end either way. */
export const Purchase = z.object({
  _id: Id,
  kind: z.enum(KINDS),
  itemId: Id,
  status: z.enum(PAYMENT_STATUSES),
  amount: z.string(),
  title: z.string(),
  creatorUsername: z.string(),
  createdAt: Moment,
  /** When a subscription renews. */
  renewsAt: Moment.nullable(),
  /** One sentence on what this status means for the buyer. */
  message: z.string(),
})

/**
 * The address that a card's bill goes to, for its issuer to check. It goes on to the gateway with the charge, and is kept
 * and logged nowhere here.
 */
export const BillTo = z.object({
  zip: z.string().trim().regex(ZIP, 'Enter a ZIP or postal code.'),
  address: line(MAX_ADDRESS_LENGTH).optional(),
})

/** The means of payment: both parts of a card's token, or a stored card of the caller's. */
const Paying = z.object({
  dataDescriptor: z.string().min(1).max(200).optional(),
  dataValue: z.string().min(1).max(8192).optional(),
  billTo: BillTo.optional(),
  saveCard: z.boolean().default(false),
  cardId: Id.optional(),
})

export const orderRoutes = {
  purchase: route({
    method: 'POST',
    path: '/users/purchase',
    summary: 'Charges a card token or a stored card once and grants the item, or says why not.',
    access: 'user',
    self: 'userId',
    transaction: 'manual',
    idempotent: true,
    rateLimit: { points: 30, seconds: 600 },
    body: Paying.extend({
      userId: Id.optional(),
      kind: z.enum(KINDS),
      /** Of a tip the creator it is for; of a donation `DONATION_ID`. */
      itemId: Id,
      /** Of a tip or a donation how much; of nothing else. */
      amount: Money.optional(),
      /** Of a subscription for how many months it is paid at a time. */
      months: TermMonths.default(1),
      /** The price that the fan was shown; another one now is a 409 `price_changed` instead of a charge, whose `details` say the terms of now. */
      price: Money.optional(),
      /** The discount offer to buy it by; `singles` are bought by the one that is their `itemId`. */
      offerId: Id.optional(),
      /** The price of each month after a discounted trial that the fan was shown; another one now is a 409 `price_changed`. */
      renewalPrice: Money.optional(),
      /** How many items the fan was shown to be in it; another number now, of a subscription a lower one, is a 409 `contents_changed` instead of a charge. */
      itemCount: z.number().int().min(0).max(10_000_000).optional(),
      /** The fingerprint of the contents that the fan was shown; others now are a 409 `contents_changed` instead of a charge. */
      contentsVersion: z.string().max(100).optional(),
      /** Of a custom request the days to deliver it that the fan was shown; others now are a 409 `delivery_changed`. */
      deliveryDays: z.number().int().min(0).max(MAX_DELIVERY_DAYS).optional(),
    }),
    output: Purchase,
  }),
  payCustomRequest: route({
    method: 'POST',
    path: '/users/customrequest/pay',
    summary: 'Pays an accepted custom request: the same as `/users/purchase` with its kind.',
    access: 'user',
    self: 'userId',
    transaction: 'manual',
    idempotent: true,
    rateLimit: { points: 30, seconds: 600 },
    body: Paying.extend({
      userId: Id.optional(),
      requestId: Id,
      /** The price that the fan was shown; another one now is a 409 `price_changed` instead of a charge. */
      price: Money.optional(),
      /** The days to deliver it that the fan was shown; others now are a 409 `delivery_changed`. */
      deliveryDays: z.number().int().min(0).max(MAX_DELIVERY_DAYS).optional(),
    }),
    output: Purchase,
  }),
  purchaseStatus: route({
    method: 'GET',
    path: '/users/purchase/:purchaseId',
    summary: 'The status of the caller’s purchase.',
    access: 'user',
    params: z.object({ purchaseId: Id }),
    output: Purchase,
  }),
  stuckCharges: route({
    method: 'GET',
    path: '/admin/stuckcharges',
    summary:
      'Charges that grant nothing and that the gateway neither voided nor refunded, so the operator has to.',
    access: { permission: 'refunds.issue' },
    output: z.object({
      items: z.array(
        z.object({
          purchaseId: Id,
          reference: z.string(),
          gatewayTransactionId: z.string().nullable(),
          buyerUsername: z.string(),
          title: z.string(),
          amount: z.string(),
          reason: z.string(),
          since: Moment,
        }),
      ),
    }),
  }),
  openPurchase: route({
    method: 'GET',
    path: '/users/openpurchase',
    summary:
      'The caller’s pending purchase of this item, whether they have it, what they owe for it, and how much of it their subscriptions show them.',
    access: 'user',
    query: z.object({ kind: z.enum(KINDS), itemId: Id }),
    output: z.object({
      purchase: Purchase.nullable(),
      /** Whether they bought it, or subscribe to it, so that a purchase would be refused. */
      has: z.boolean(),
      /** Of a subscription that is past due: what a purchase at this price and term pays, and until when. */
      owed: z.object({ price: z.string(), months: TermMonths, paidUntil: Moment }).nullable(),
      /** How much of what the caller doesn’t own yet their subscriptions show them. */
      lent: z.enum(['all', 'some']).nullable(),
    }),
  }),
  testCardToken: route({
    method: 'POST',
    path: '/users/mocktestauthnet',
    summary: 'Checks a card token against the sandbox gateway; 404 with a real account.',
    access: 'user',
    self: 'userId',
    transaction: 'manual',
    rateLimit: { points: 30, seconds: 600 },
    body: z.object({ userId: Id.optional(), dataValue: z.string().min(1).max(8192) }),
    output: z.object({ success: z.boolean(), message: z.string() }),
  }),
  premiumContent: route({
    method: 'GET',
    path: '/users/premiumcontent',
    summary: 'The caller’s purchases and other unlocked items, newest first.',
    access: 'user',
    self: 'userId',
    query: Page.extend({
      userId: Id.optional(),
      showing: z.enum(['all', 'images', 'videos']).default('all'),
      /** A creator’s username, whatever its case. */
      creator: line(100).optional(),
      /** Words of title or creator’s name; unfinished words count. */
      search: line(100).optional(),
    }),
    output: listOf(FeedMedia),
  }),
  premiumCreators: route({
    method: 'GET',
    path: '/users/premiumcontent/creators',
    summary: 'The creators of what the caller bought or otherwise unlocked, by username; 200 at most.',
    access: 'user',
    self: 'userId',
    query: z.object({ userId: Id.optional() }),
    output: z.object({ items: z.array(z.object({ _id: Id, username: z.string() })) }),
  }),
}
