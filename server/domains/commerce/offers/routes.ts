import { isDiscount } from '../../../../contract/offers.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../db/client.ts'
import { toPage } from '../../../db/cursor.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import type { Audience } from '../../../viewer.ts'
import { countUnlocked } from '../../media/entitlements/data.ts'
import { requirePrice } from '../actions.ts'
import { coversOf, type Looking } from '../data.ts'
import { countView, createOffer, deleteOffer, endOffer } from './actions.ts'
import { findOffer, findOfferViewer, ITEMS_SHOWN, listOffered, listOwnOffers } from './data.ts'
import { presentOffer, presentOwnOffer } from './present.ts'
import { redeemOffer } from './redeeming/actions.ts'
import { showsContents, viewOf } from './rules.ts'

export const offerHandlers = {
  async offers({ db, audience, query, now }) {
    const rows = await listOwnOffers(db, audience, query)
    return toPage(rows, query, (row) => presentOwnOffer(row, now))
  },
  async createOffer({ context, db, audience, body, now }) {
    const price = isDiscount(body.offerType) ? body.price : undefined
    const offer = {
      type: body.offerType,
      planId: body.subscription ?? null,
      days: body.subscriptionDays,
      bundleId: body.bundle ?? null,
      mediaIds: body.media,
      priceCents: price === undefined ? null : requirePrice(context.config, price),
      availableToAll: body.availableToAll,
      recipients: body.availableTo,
      redemptionsAllowed: body.redemptionsAllowed,
      expiresAt: body.expiresAt ? new Date(body.expiresAt) : null,
    }
    return oneOwnOffer(db, await createOffer(db, audience, offer, now), audience, now)
  },
  async offer({ db, viewer, params, ...looks }) {
    return oneOffer(db, params.offerId, { ...looks, confirmed: viewer?.emailVerified ?? false })
  },
  async viewOffer({ db, audience, body }) {
    const offer = await findOffer(db, body.offerId, audience)
    if (!offer) throw new AppError('offer_not_found')
    if (offer.creator_id !== audience.id) await countView(db, body.offerId)
    return { success: true }
  },
  async redeemOffer({ db, body, ...looks }) {
    const { offerId } = body
    const { context, audience, now } = looks
    await redeemOffer(db, { offerId, fan: audience, publishingOpen: context.publishingOpen, now })
    return oneOffer(db, offerId, { ...looks, confirmed: true })
  },
  async endOffer({ db, viewer, audience, body: { offerId }, now }) {
    await endOffer(db, { offerId, creatorId: viewer.id, now })
    return oneOwnOffer(db, offerId, audience, now)
  },
  async deleteOffer({ db, viewer, body, now }) {
    await deleteOffer(db, { offerId: body.offerId, creatorId: viewer.id, now })
    return { success: true }
  },
} satisfies Partial<Handlers>

type Looks = Looking & { context: Context; confirmed: boolean }

async function oneOffer(db: Db, offerId: string, looks: Looks) {
  const { context, audience, confirmed, now } = looks
  const offer = await findOffer(db, offerId, audience)
  if (!offer) throw new AppError('offer_not_found')
  const items = await listOffered(db, offer)
  const viewer = await findOfferViewer(db, offer, items, audience.id)
  const view = viewOf(offer, viewer, now)
  const unlocked =
    audience.id !== null && (view === 'redeemed' || (view === 'open' && offer.lessOwned))
      ? await countUnlocked(
          db,
          audience.id,
          items.map(({ id }) => id),
        )
      : 0
  const named = confirmed && showsContents(view) ? items.slice(0, ITEMS_SHOWN) : []
  const covers = await coversOf(
    looks,
    db,
    named.map(({ id }) => ({ cover_media_id: id })),
  )
  const leastCents = context.config.MIN_PRICE_CENTS
  const kept = view === 'open' ? unlocked : 0
  const shown = { view, viewerId: audience.id, items, named, covers, kept, leastCents }
  // What was redeemed may have been refunded since, and a bundle may hold more than it did.
  const inside = viewer.owns || (view === 'redeemed' && unlocked > 0)
  return { offer: presentOffer(offer, shown), view, inside }
}

async function oneOwnOffer(db: Db, offerId: string, audience: Audience & { id: string }, now: Date) {
  const [offer] = await listOwnOffers(db, audience, { limit: 1, offerId })
  if (!offer) throw new AppError('offer_not_found')
  return presentOwnOffer(offer, now)
}
