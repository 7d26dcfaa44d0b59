import { z } from 'zod'
import { route } from '../../route.ts'
import { Id, Moment, Money } from '../../schemas.ts'
import { BillTo } from './orders.ts'
import { Person } from './subscriptions.ts'

/** A card that the gateway keeps for the caller. */
export const Card = z.object({
  _id: Id,
  /** As on the card: `Visa`. */
  brand: z.string(),
  lastFour: z.string(),
  /** `09/31`; null while it isn't known yet. */
  expires: z.string().nullable(),
  /** `soon`: this month or the next. An expired one pays nothing. */
  expiry: z.enum(['valid', 'soon', 'expired']),
  /** The subscriptions that are charged to it. */
  renews: z.array(z.object({ _id: Id, title: z.string(), creator: Person })),
  addedAt: Moment,
})

/** A past-due subscription, with what it owes. */
const Owed = z.object({ _id: Id, title: z.string(), price: z.string() })

/** What the caller was shown to be past due, each with its price; anything else now is a 409 `past_due_changed` instead of a charge. */
const ShownOwed = z.array(z.object({ _id: Id, price: Money })).max(10_000)

/** The result for past-due subscriptions once there was a card for them. */
const Retried = z.object({ renewed: z.number().int(), stillPastDue: z.number().int() })

const ofOne = z.object({ userId: Id.optional(), cardId: Id })

/** Several of these calls change what is charged, and so answer in a restricted region, as billing does. */
export const cardRoutes = {
  cards: route({
    method: 'GET',
    path: '/users/cards',
    summary:
      'The caller’s stored cards, the last used first, with what renews by each, and all that another one is charged for at once.',
    access: 'user',
    self: 'userId',
    restricted: 'allowed',
    query: z.object({ userId: Id.optional() }),
    output: z.object({ items: z.array(Card), pastDue: z.array(Owed) }),
  }),
  addCard: route({
    method: 'POST',
    path: '/users/cards',
    summary: 'Stores a card, in place of another or beside it, and charges what is past due to it.',
    access: 'user',
    self: 'userId',
    restricted: 'allowed',
    transaction: 'manual',
    idempotent: true,
    rateLimit: { points: 30, seconds: 600 },
    body: z.object({
      userId: Id.optional(),
      dataDescriptor: z.string().min(1).max(200),
      dataValue: z.string().min(1).max(8192),
      billTo: BillTo.optional(),
      /** The card whose subscriptions it takes over, and which is removed. */
      replaces: Id.optional(),
      pastDue: ShownOwed.optional(),
    }),
    output: Retried.extend({ card: Card }),
  }),
  removeCard: route({
    method: 'POST',
    path: '/users/cards/remove',
    summary: 'Removes a stored card; what renewed by it waits for another card.',
    access: 'user',
    self: 'userId',
    restricted: 'allowed',
    body: ofOne,
    output: z.object({ items: z.array(Card) }),
  }),
  renewByCard: route({
    method: 'POST',
    path: '/users/cards/renewals',
    summary: 'Renews all of the caller’s subscriptions by this card, and charges what is past due to it.',
    access: 'user',
    self: 'userId',
    restricted: 'allowed',
    transaction: 'manual',
    rateLimit: { points: 30, seconds: 600 },
    body: ofOne.extend({ pastDue: ShownOwed.optional() }),
    output: Retried.extend({ items: z.array(Card) }),
  }),
}
