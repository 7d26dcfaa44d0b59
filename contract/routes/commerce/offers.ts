import { z } from 'zod'
import { OFFER_LIMITS, OFFER_TYPES, OFFER_VIEWS } from '../../offers.ts'
import { route } from '../../route.ts'
import { Id, listOf, Moment, Page, Success } from '../../schemas.ts'
import { FeedMedia, ListedCreator, Reduced } from '../media/viewing.ts'
import { Person, Price } from './subscriptions.ts'

const Sold = z.object({ _id: Id, title: z.string(), price: z.string() })

/** An item that an offer gives: as much as everyone may see of it, and its picture for whoever may see that. */
const OfferedMedia = FeedMedia.pick({
  _id: true,
  type: true,
  url: true,
  poster: true,
  widths: true,
  title: true,
  preview: true,
  width: true,
  height: true,
})

/** An offer as one viewer may see it: what it gives is empty for those who may not know, whom it is for is its creator's alone. */
export const Offer = z.object({
  _id: Id,
  offerType: z.enum(OFFER_TYPES),
  creatorId: ListedCreator.omit({ monthPrice: true }).extend({ firstName: z.string() }),
  /** Its price is for each month. */
  subscription: Sold.nullable(),
  subscriptionDays: z.number().int().nullable(),
  bundle: Sold.nullable(),
  /** The first of its items. */
  media: z.array(OfferedMedia),
  photoCount: z.number().int(),
  videoCount: z.number().int(),
  /** Total seconds of its videos. */
  videoSeconds: z.number().int(),
  /** Fingerprint of its bundle or singles as they are now; a purchase sends it back. Null where they aren’t shown. */
  contentsVersion: z.string().nullable(),
  /** The price; null when it is free. */
  price: z.string().nullable(),
  reduced: Reduced,
  /** The regular price of its bundle or singles. */
  regularPrice: z.string().nullable(),
  availableToAll: z.boolean(),
  availableTo: z.array(Person),
  /** 0: any number of people. */
  redemptionsAllowed: z.number().int(),
  expiresAt: Moment.nullable(),
  /** The people who redeemed it: all of them for its creator, for others at most themselves. */
  redeemedBy: z.array(Id),
})

/** An offer with what its page shows, and whether its viewer has any of what it gives. */
const OfferPage = z.object({ offer: Offer, view: z.enum(OFFER_VIEWS), inside: z.boolean() })

/** An offer in its creator's list, with what came of it. */
export const OwnOffer = Offer.omit({
  media: true,
  regularPrice: true,
  reduced: true,
  contentsVersion: true,
  creatorId: true,
  redeemedBy: true,
}).extend({
  createdAt: Moment,
  status: z.enum(['active', 'expired', 'usedUp', 'ended']),
  views: z.number().int(),
  redemptions: z.number().int(),
  /** The creator's share of what was paid by it, renewals included, less refunds. */
  earnings: z.string(),
})

const NewOffer = z.object({
  creatorId: Id.optional(),
  offerType: z.enum(OFFER_TYPES),
  subscription: Id.optional(),
  subscriptionDays: z.number().int().min(1).max(OFFER_LIMITS.days).default(7),
  bundle: Id.optional(),
  media: z.array(Id).max(OFFER_LIMITS.media).default([]),
  price: Price.optional(),
  availableToAll: z.boolean().optional(),
  availableTo: z.array(Id).max(OFFER_LIMITS.recipients).default([]),
  /** 0: any number of people. */
  redemptionsAllowed: z.number().int().min(0).max(OFFER_LIMITS.redemptions).default(0),
  /** Absent or null: never. */
  expiresAt: Moment.nullish(),
})

const ofOne = z.object({ creatorId: Id.optional(), offerId: Id })

export const offerRoutes = {
  offers: route({
    method: 'GET',
    path: '/media/offers',
    summary: 'The caller’s own offers with their figures, newest first.',
    access: 'creator',
    self: 'creatorId',
    query: Page.extend({ creatorId: Id.optional() }),
    output: listOf(OwnOffer),
  }),
  createOffer: route({
    method: 'POST',
    path: '/media/offer',
    summary: 'Makes an offer of one of six types; fields that don’t belong to its type are left out.',
    access: 'creator',
    publishing: 'required',
    self: 'creatorId',
    idempotent: true,
    rateLimit: { points: 60, seconds: 600 },
    body: NewOffer,
    output: OwnOffer,
  }),
  offer: route({
    method: 'GET',
    path: '/media/offer/:offerId',
    summary: 'An offer, and what its page shows to this viewer.',
    access: 'public',
    params: z.object({ offerId: Id }),
    output: OfferPage,
  }),
  viewOffer: route({
    method: 'POST',
    path: '/media/offer/view',
    summary: 'Counts a view of an offer’s page; its creator’s own are not counted.',
    access: 'public',
    rateLimit: { points: 60, seconds: 600 },
    body: z.object({ offerId: Id }),
    output: Success,
  }),
  redeemOffer: route({
    method: 'POST',
    path: '/media/offer/redeem',
    summary: 'Redeems a free offer once. A discount is redeemed by its purchase.',
    access: 'user',
    self: 'userId',
    idempotent: true,
    rateLimit: { points: 60, seconds: 600 },
    body: z.object({ userId: Id.optional(), offerId: Id }),
    output: OfferPage,
  }),
  endOffer: route({
    method: 'POST',
    path: '/media/offer/end',
    summary: 'Ends an offer of the caller’s: nobody redeems it anymore, and who did keeps what they got.',
    access: 'creator',
    self: 'creatorId',
    body: ofOne,
    output: OwnOffer,
  }),
  deleteOffer: route({
    method: 'POST',
    path: '/media/offer/delete',
    summary: 'Ends an offer of the caller’s and removes it from their list.',
    access: 'creator',
    self: 'creatorId',
    body: ofOne,
    output: Success,
  }),
}
