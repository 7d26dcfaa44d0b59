import { z } from 'zod'
import { MAX_MEDIA_SELECTED, MAX_OFFER_DESCRIPTION_LENGTH, MAX_TITLE_LENGTH } from '../../constants.ts'
import { errors } from '../../errors.ts'
import { NO_MONEY, parseMoney } from '../../money.ts'
import { route } from '../../route.ts'
import { Id, line, Moment, paragraph, repeated, Success } from '../../schemas.ts'
import { INCLUDES, LONGER_TERMS, TERM_DISCOUNT, TERM_MONTHS } from '../../subscriptions.ts'
import { FeedMedia } from '../media/viewing.ts'

export const Title = line(MAX_TITLE_LENGTH).pipe(z.string().min(1, errors.must_include_title.text))

export const Price = z
  .string(errors.must_include_price.text)
  .trim()
  .min(1, { error: errors.must_include_price.text, abort: true })
  .max(20)
  .refine((text) => parseMoney(text) !== null, NO_MONEY)
  .refine((text) => parseMoney(text) !== 0, 'Enter a price above $0.')

export const MediaIds = z.array(Id).max(MAX_MEDIA_SELECTED)

/** How something that is sold is shown: what it says of itself, and an item as the viewer may see it. */
export const Showing = z.object({
  description: z.string(),
  cover: FeedMedia.nullable(),
  /** No longer sold: only its creator and who has it see it. */
  retired: z.boolean(),
  /** Its creator may delete it, as nobody ever had it; false for everyone else. */
  deletable: z.boolean(),
})

/** The same to change; what isn't sent stays. */
export const ShowingChange = z.object({
  description: paragraph(MAX_OFFER_DESCRIPTION_LENGTH).optional(),
  /** One of the creator's own items, neither private nor deleted; null for none. */
  coverMediaId: Id.nullable().optional(),
})

/** Items that are put into something that is sold, behind what it holds, and items that are taken out. */
export const ContentsChange = z.object({
  addMediaIds: MediaIds.default([]),
  removeMediaIds: MediaIds.default([]),
})

/** The items that were not in it before, and those that were in it until now. */
export const ContentsChanged = z.object({ addedMediaIds: z.array(Id), removedMediaIds: z.array(Id) })

const { least, most } = TERM_DISCOUNT
const Discount = z
  .number(`Enter a discount of ${least} to ${most}%.`)
  .int('Enter a whole number.')
  .min(least, `Enter a discount of ${least} to ${most}%.`)
  .max(most, `Enter a discount of ${least} to ${most}%.`)

/** A term that a subscription is also sold for, and what that takes off its months. */
export const OfferedTerm = z.object({ months: z.literal([...LONGER_TERMS]), discountPercent: Discount })

/** All terms beside the single month, each once; none left out stays on sale. */
export const OfferedTerms = z
  .array(OfferedTerm)
  .max(LONGER_TERMS.length)
  .refine((terms) => new Set(terms.map(({ months }) => months)).size === terms.length, 'Name each term once.')

/** For how many months one pays at a time. */
export const TermMonths = z.literal([...TERM_MONTHS])

/** A creator's monthly plan; `status`, `expiration`, `owed` and `message` are the viewing fan's own. */
export const Subscription = z.object({
  _id: Id,
  userId: Id,
  creatorId: Id,
  title: z.string(),
  ...Showing.shape,
  /** Of one month. */
  price: z.string(),
  /** The prices of longer terms, and of a month in each, shortest first; empty if it is sold by the month alone. */
  terms: z.array(OfferedTerm.extend({ price: z.string(), perMonth: z.string() })),
  chatEnabled: z.boolean(),
  includes: z.enum(INCLUDES),
  /** Its current items; of all locked media the newest 2,000. */
  mediaIds: z.array(Id),
  /** The items that its creator excluded from all locked media; empty for everyone else. */
  excludedMediaIds: z.array(Id),
  photoCount: z.number().int(),
  videoCount: z.number().int(),
  /** Total seconds of its videos. */
  videoSeconds: z.number().int(),
  status: z.enum(['incomplete', 'trialing', 'active', 'past_due', 'canceled', 'expired']).nullable(),
  expiration: Moment.nullable(),
  /** What a card of theirs is charged at once for a period that isn’t paid; null when nothing is owed. */
  owed: z.string().nullable(),
  /** A payment of theirs for a period that isn’t paid is still undecided, so that another one would be refused. */
  undecided: z.boolean(),
  /** How the viewer stands to it; null without a subscription, or where what is past due can’t be paid anymore. */
  message: z.string().nullable(),
})

export const Person = z.object({ _id: Id, username: z.string() })

export const subscriptionRoutes = {
  createSubscription: route({
    method: 'POST',
    path: '/users/create/subscription',
    summary: 'Creates a monthly subscription to sell.',
    access: 'creator',
    publishing: 'required',
    self: 'userId',
    idempotent: true,
    body: z.object({
      userId: Id.optional(),
      title: Title,
      price: Price,
      chatEnabled: z.boolean().default(false),
      includes: z.enum(INCLUDES).default('chosen'),
      terms: OfferedTerms.default([]),
    }),
    output: Subscription,
  }),
  subscription: route({
    method: 'GET',
    path: '/users/subscription/:id',
    summary: 'One subscription for sale.',
    access: 'public',
    params: z.object({ id: Id }),
    output: Subscription,
  }),
  editSubscription: route({
    method: 'POST',
    path: '/users/edit/subscription',
    summary:
      'Edits a subscription’s title, price, terms, chat, and media: chosen items, or all locked media but those excluded. A lower price is passed on to subscribers at their next renewal; they keep theirs before a higher one, unless they are asked and agree. What is left out stays as it is.',
    access: 'creator',
    publishing: 'required',
    rateLimit: { points: 120, seconds: 600 },
    body: z.object({
      subscriptionId: Id,
      title: Title.optional(),
      price: Price.optional(),
      chatEnabled: z.boolean().optional(),
      includes: z.enum(INCLUDES).optional(),
      terms: OfferedTerms.optional(),
      /** Asks subscribers who pay less for the price of now, which holds for them 30 days later if they agree. */
      askSubscribers: z.boolean().default(false),
      /** Of chosen items, all of them in their order. */
      mediaIds: MediaIds.optional(),
      ...ShowingChange.shape,
      /** Of all locked media, what stays out. */
      excludedMediaIds: MediaIds.optional(),
    }),
    output: Subscription,
  }),
  editSubscriptionMedia: route({
    method: 'POST',
    path: '/users/edit/subscriptionmedia',
    summary:
      'Adds items to a subscription of the caller’s or removes some; its other items stay. What is removed from all locked media stays out until it is added again.',
    access: 'creator',
    publishing: 'required',
    body: ContentsChange.extend({ subscriptionId: Id }),
    output: ContentsChanged,
  }),
  retireSubscription: route({
    method: 'POST',
    path: '/users/retire/subscription',
    summary:
      'Stops selling a subscription of the caller’s, or sells it again. Subscribers keep it, and it renews.',
    access: 'creator',
    body: z.object({ subscriptionId: Id, retired: z.boolean() }),
    output: Subscription,
  }),
  deleteSubscription: route({
    method: 'POST',
    path: '/users/delete/subscription',
    summary: 'Deletes a subscription of the caller’s that nobody ever had.',
    access: 'creator',
    body: z.object({ subscriptionId: Id }),
    output: Success,
  }),
  priceChange: route({
    method: 'GET',
    path: '/users/subscription/:id/pricechange',
    summary:
      'The higher price that subscribers of a subscription of the caller’s are asked for, and their answers.',
    access: 'creator',
    params: z.object({ id: Id }),
    output: z.object({
      change: z
        .object({
          /** Of one month. */
          price: z.string(),
          askedAt: Moment,
          agreed: z.number().int(),
          declined: z.number().int(),
          /** Subscribers who haven’t answered. */
          waiting: z.number().int(),
          /** Those who haven’t either, and whose subscription ended or is canceled. */
          left: z.number().int(),
        })
        .nullable(),
    }),
  }),
  subscriptions: route({
    method: 'GET',
    path: '/users/subscriptions',
    summary: 'The subscriptions the creator `userId` sells.',
    access: 'public',
    query: z.object({ userId: Id }),
    output: z.object({ subscriptions: z.array(Subscription) }),
  }),
  yourSubscriptions: route({
    method: 'GET',
    path: '/users/yoursubscriptions',
    summary: 'The caller’s subscriptions with their creators.',
    access: 'user',
    query: z.object({ ids: repeated(Id) }),
    output: z.object({ items: z.array(z.object({ creator: Person, subscription: Subscription })) }),
  }),
}
