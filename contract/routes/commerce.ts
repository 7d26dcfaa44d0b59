import { z } from 'zod'
import { errors } from '../errors.ts'
import { parseMoney } from '../money.ts'
import { route } from '../route.ts'
import { Id, line, listOf, Moment, Money, Page, repeated } from '../schemas.ts'
import { Media } from './media.ts'

const Title = line(120).pipe(z.string().min(1, errors.must_include_title[1]))
const Price = z
  .string(errors.must_include_price[1])
  .trim()
  .min(1, { error: errors.must_include_price[1], abort: true })
  .max(20)
  .refine((text) => parseMoney(text) !== null, 'Enter an amount like $4 or $4.50.')
  .refine((text) => parseMoney(text) !== 0, 'Enter a price above $0.')
const MediaIds = z.array(Id).max(2000)

/** What a creator sells by the month; `status`, `expiration` and `message` are the viewing fan's own. */
export const Subscription = z.object({
  _id: Id,
  userId: Id,
  creatorId: Id,
  title: z.string(),
  price: z.string(),
  chatEnabled: z.boolean(),
  mediaIds: z.array(Id),
  photoCount: z.number().int(),
  videoCount: z.number().int(),
  /** Total seconds of its videos. */
  videoSeconds: z.number().int(),
  status: z.enum(['incomplete', 'trialing', 'active', 'past_due', 'canceled', 'expired']).nullable(),
  expiration: Moment.nullable(),
  message: z.string().nullable(),
})

/** A set of items sold at one price; `ownedCount` is how many of them the viewing fan already has. */
export const Bundle = z.object({
  _id: Id,
  userId: Id,
  title: z.string(),
  price: z.string(),
  mediaIds: z.array(Id),
  photoCount: z.number().int(),
  videoCount: z.number().int(),
  /** Total seconds of its videos. */
  videoSeconds: z.number().int(),
  ownedCount: z.number().int(),
  /** Bought as a whole. */
  purchased: z.boolean(),
})

/** One purchase as its buyer sees it. `held` and `unknown` grant nothing and may still end either way. */
export const Purchase = z.object({
  _id: Id,
  kind: z.enum(['subscription', 'bundle', 'single']),
  itemId: Id,
  status: z.enum([
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
  ]),
  amount: z.string(),
  title: z.string(),
  creatorUsername: z.string(),
  createdAt: Moment,
  /** When a subscription renews. */
  renewsAt: Moment.nullable(),
  /** One sentence on what this status means for the buyer. */
  message: z.string(),
})

const Person = z.object({ _id: Id, username: z.string() })

/** A movement of money as buyer and creator see it (core §3); gross, fee and share only for the creator. */
export const Transaction = z.object({
  _id: Id,
  status: z.string(),
  kind: z.string(),
  title: z.string(),
  amount: z.string(),
  fee: z.string().nullable(),
  share: z.string().nullable(),
  buyerId: Person,
  creatorId: Person,
  transactionDate: Moment,
})

export const commerceRoutes = {
  createSubscription: route({
    method: 'POST',
    path: '/users/create/subscription',
    summary: 'A creator starts selling a monthly subscription.',
    access: 'creator',
    self: 'userId',
    idempotent: true,
    body: z.object({
      userId: Id.optional(),
      title: Title,
      price: Price,
      chatEnabled: z.boolean().default(false),
    }),
    output: Subscription,
  }),
  subscription: route({
    method: 'GET',
    path: '/users/subscription/:id',
    summary: 'One subscription that is sold.',
    access: 'public',
    params: z.object({ id: Id }),
    output: Subscription,
  }),
  editSubscription: route({
    method: 'POST',
    path: '/users/edit/subscription',
    summary: 'Its owner changes title, price, chat and media. Fans who have it keep their own price.',
    access: 'creator',
    body: z.object({
      subscriptionId: Id,
      title: Title,
      price: Price,
      chatEnabled: z.boolean(),
      mediaIds: MediaIds,
    }),
    output: Subscription,
  }),
  subscriptions: route({
    method: 'GET',
    path: '/users/subscriptions',
    summary: 'The subscriptions that the creator `userId` sells.',
    access: 'public',
    query: z.object({ userId: Id }),
    output: z.object({ subscriptions: z.array(Subscription) }),
  }),
  yourSubscriptions: route({
    method: 'GET',
    path: '/users/yoursubscriptions',
    summary: 'The acting fan’s own subscriptions with their creators.',
    access: 'user',
    query: z.object({ ids: repeated(Id) }),
    output: z.object({ items: z.array(z.object({ creator: Person, subscription: Subscription })) }),
  }),
  createBundle: route({
    method: 'POST',
    path: '/users/create/bundle',
    summary: 'A creator starts selling a bundle.',
    access: 'creator',
    self: 'userId',
    idempotent: true,
    body: z.object({ userId: Id.optional(), title: Title, price: Price }),
    output: Bundle,
  }),
  bundle: route({
    method: 'GET',
    path: '/users/bundle/:id',
    summary: 'One bundle.',
    access: 'user',
    params: z.object({ id: Id }),
    output: Bundle,
  }),
  editBundle: route({
    method: 'POST',
    path: '/users/edit/bundle',
    summary: 'Its owner changes title, price and media. Who bought it keeps what it held then.',
    access: 'creator',
    body: z.object({ bundleId: Id, title: Title, price: Price, mediaIds: MediaIds }),
    output: Bundle,
  }),
  bundles: route({
    method: 'GET',
    path: '/users/bundles',
    summary: 'The bundles that the creator `creatorId` sells.',
    access: 'user',
    query: z.object({ creatorId: Id }),
    output: z.object({ bundles: z.array(Bundle) }),
  }),
  purchase: route({
    method: 'POST',
    path: '/users/purchase',
    summary: 'Charges a card token once and grants the item, or says plainly why not.',
    access: 'user',
    self: 'userId',
    transaction: 'manual',
    idempotent: true,
    rateLimit: { points: 30, seconds: 600 },
    body: z.object({
      userId: Id.optional(),
      kind: z.enum(['subscription', 'bundle', 'single']),
      itemId: Id,
      dataDescriptor: z.string().min(1).max(200),
      dataValue: z.string().min(1).max(8192),
      saveCard: z.boolean().default(false),
      /** The price that the fan was shown; another one now is a 409 `price_changed` instead of a charge. */
      price: Money.optional(),
    }),
    output: Purchase,
  }),
  purchaseStatus: route({
    method: 'GET',
    path: '/users/purchase/:purchaseId',
    summary: 'How an own purchase stands.',
    access: 'user',
    params: z.object({ purchaseId: Id }),
    output: Purchase,
  }),
  openPurchase: route({
    method: 'GET',
    path: '/users/openpurchase',
    summary: 'The acting fan’s purchase of this item that is still being decided, if any.',
    access: 'user',
    query: z.object({ kind: z.enum(['subscription', 'bundle', 'single']), itemId: Id }),
    output: z.object({ purchase: Purchase.nullable() }),
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
    summary: 'What the acting fan has bought or otherwise unlocked, newest first.',
    access: 'user',
    self: 'userId',
    query: Page.extend({
      userId: Id.optional(),
      showing: z.enum(['all', 'images', 'videos']).default('all'),
    }),
    output: listOf(Media),
  }),
  transactions: route({
    method: 'GET',
    path: '/users/transactions',
    summary: 'The acting person’s sales and purchases, newest first.',
    access: 'user',
    self: 'userId',
    query: Page.extend({ userId: Id.optional() }),
    output: listOf(Transaction).extend({
      /** Sums of all own sales in money text. */
      totals: z.object({ gross: z.string(), fee: z.string(), share: z.string(), spent: z.string() }),
    }),
  }),
}
