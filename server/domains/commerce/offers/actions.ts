import { errors } from '../../../../contract/errors.ts'
import { isDiscount, type OfferType, offeredKind } from '../../../../contract/offers.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import type { Audience } from '../../../viewer.ts'
import { visible } from '../../profiles/data.ts'
import { goneItemsError, holdOnSale, offered } from '../data.ts'
import { editRefusal } from '../rules.ts'
import { regularCents } from './rules.ts'

/** A creator's input; fields that don't belong to the type are ignored. */
export type NewOffer = {
  type: OfferType
  planId: string | null
  days: number
  bundleId: string | null
  mediaIds: string[]
  priceCents: number | null
  /** Said to be for everyone, or not; told by the recipients when it isn't said. */
  availableToAll: boolean | undefined
  recipients: string[]
  redemptionsAllowed: number
  expiresAt: Date | null
}

/**
 * Makes an offer of the creator's own things; returns its id. Throws `item_not_found`, `not_owner`, `offer_not_cheaper`,
 * or `invalid_input` naming the field.
 */
export async function createOffer(
  db: Tx,
  creator: Audience & { id: string },
  offer: NewOffer,
  now: Date,
): Promise<string> {
  requireFields(offer)
  const kind = offeredKind(offer.type)
  const isTrial = kind === 'subscription'
  const planId = isTrial ? offer.planId : null
  const bundleId = kind === 'bundle' ? offer.bundleId : null
  const mediaIds = kind === 'singles' ? await requireSingles(db, creator.id, offer.mediaIds) : []
  const regular =
    kind === 'singles'
      ? await sumPrices(db, creator.id, mediaIds)
      : await requireOwn(db, creator.id, isTrial ? 'subscription_plans' : 'bundles', planId ?? bundleId ?? '')
  if (bundleId !== null) await requireFilled(db, bundleId)
  const days = isTrial ? offer.days : null
  const priceCents = isDiscount(offer.type) ? offer.priceCents : null
  if (priceCents !== null && priceCents >= regularCents(regular, days))
    throw new AppError('offer_not_cheaper')
  if (offer.expiresAt && offer.expiresAt <= now) throw invalid('expiresAt', 'Choose a date in the future.')
  const recipients = await requirePeople(db, creator, offer.recipients)
  const { id } = await db
    .insertInto('offers')
    .values({
      creator_id: creator.id,
      type: offer.type,
      plan_id: planId,
      subscription_days: days,
      bundle_id: bundleId,
      price_cents: priceCents,
      available_to_all: recipients.length === 0,
      redemptions_allowed: offer.redemptionsAllowed,
      expires_at: offer.expiresAt,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const media = mediaIds.map((media_id, position) => ({ offer_id: id, media_id, position }))
  if (media.length > 0) await db.insertInto('offer_media').values(media).execute()
  const people = recipients.map((user_id) => ({ offer_id: id, user_id }))
  if (people.length > 0) await db.insertInto('offer_recipients').values(people).execute()
  return id
}

/** Checks the fields that an offer of this type needs. Throws `invalid_input` naming the field. */
function requireFields(offer: NewOffer): void {
  const kind = offeredKind(offer.type)
  if (kind === 'subscription' && offer.planId === null)
    throw invalid('subscription', 'Choose a subscription.')
  if (kind === 'bundle' && offer.bundleId === null) throw invalid('bundle', 'Choose a bundle.')
  if (kind === 'singles' && offer.mediaIds.length === 0) throw invalid('media', 'Choose at least one single.')
  if (isDiscount(offer.type) && offer.priceCents === null)
    throw invalid('price', errors.must_include_price.text)
  const isForAll = offer.recipients.length === 0
  if ((offer.availableToAll ?? isForAll) !== isForAll)
    throw invalid('availableTo', 'Choose everyone, or the people this offer is for.')
}

const invalid = (field: string, message: string) =>
  new AppError('invalid_input', { details: { [field]: message } })

/** The regular price of this creator's product. */
async function requireOwn(
  db: Tx,
  creatorId: string,
  table: 'subscription_plans' | 'bundles',
  id: string,
): Promise<number> {
  const item = await holdOnSale(db, table, id)
  const refused = editRefusal(item, creatorId)
  if (refused || !item) throw new AppError(refused ?? 'item_not_found')
  return item.price_cents
}

async function requireFilled(db: Tx, bundleId: string): Promise<void> {
  const held = await db
    .selectFrom('offer_contents')
    .select('offer_id')
    .where('offer_id', '=', bundleId)
    .where((eb) => eb(eb('photos', '+', eb.ref('videos')), '>', 0))
    .executeTakeFirst()
  if (!held) throw invalid('bundle', 'This bundle is empty. Add media to it first.')
}

/** Singles are in the store: what isn't for sale isn't known to anyone. */
async function requireSingles(db: Tx, creatorId: string, mediaIds: string[]): Promise<string[]> {
  const distinct = [...new Set(mediaIds)]
  const sold = await offered(db, creatorId)
    .where('id', 'in', distinct)
    .where('show_in_store', '=', true)
    .orderBy('id')
    .forShare()
    .execute()
  if (sold.length === distinct.length) return distinct
  throw goneItemsError('media', mediaIds, sold, 'Some of these singles aren’t for sale anymore.')
}

async function sumPrices(db: Tx, creatorId: string, mediaIds: string[]): Promise<number> {
  const prices = await offered(db, creatorId).where('id', 'in', mediaIds).select('price_cents').execute()
  return prices.reduce((sum, { price_cents: cents }) => sum + cents, 0)
}

/** Each of them once; the creator isn't one of them. */
async function requirePeople(
  db: Tx,
  creator: Audience & { id: string },
  people: string[],
): Promise<string[]> {
  const distinct = [...new Set(people)]
  if (distinct.length === 0) return distinct
  const found = await db
    .selectFrom('users')
    .select('users.id')
    .where('users.id', 'in', distinct)
    .where('users.id', '<>', creator.id)
    .where(visible(creator, 'users'))
    .execute()
  if (found.length !== distinct.length)
    throw invalid('availableTo', 'Some of these people aren’t here anymore. Choose again.')
  return distinct
}

type Ending = { offerId: string; creatorId: string; now: Date }

/** Ends an offer: nobody redeems it from now on. Again it changes nothing. Throws `offer_not_found`. */
export async function endOffer(db: Tx, { offerId, creatorId, now }: Ending): Promise<void> {
  const ended = await db
    .updateTable('offers')
    .set((eb) => ({ ended_at: eb.fn.coalesce('ended_at', eb.val(now)) }))
    .where('id', '=', offerId)
    .where('creator_id', '=', creatorId)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!ended) throw new AppError('offer_not_found')
}

/** Ends an offer and takes it from its creator's list; who redeemed it keeps what they got. Throws `offer_not_found`. */
export async function deleteOffer(db: Tx, ending: Ending): Promise<void> {
  await endOffer(db, ending)
  await db.updateTable('offers').set({ deleted_at: ending.now }).where('id', '=', ending.offerId).execute()
}

/** Counts a view of an offer. */
export async function countView(db: Tx, offerId: string): Promise<void> {
  await db
    .updateTable('offers')
    .set((eb) => ({ views: eb('views', '+', 1) }))
    .where('id', '=', offerId)
    .execute()
}
