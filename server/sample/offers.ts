import type { OfferType } from '../../contract/offers.ts'
import type { Tx } from '../db/client.ts'
import { redeemOffer } from '../domains/commerce/offers/redeeming/actions.ts'
import { AppError } from '../errors.ts'
import { audienceOf } from '../viewer.ts'
import { type SampleItem, sampleId } from './content.ts'
import { CREATORS, FANS } from './people.ts'

const DAY_MS = 24 * 3600 * 1000

/** The offers of each creator; the first, whose login is printed, has one of each type. */
const OFFERS: {
  type: OfferType
  days?: number
  priceCents?: number
  allowed?: number
  lastsDays?: number
}[] = [
  { type: 'freeTrial', days: 7, allowed: 100 },
  { type: 'discountTrial', days: 30, priceCents: 250, lastsDays: 21 },
  { type: 'freeBundle', allowed: 25 },
  { type: 'discountBundle', priceCents: 900, lastsDays: 10 },
  { type: 'freeSingles' },
  { type: 'discountSingles', priceCents: 300 },
]

/** Offers with views, and what fans redeemed of the free ones by the same function that real ones are. */
export async function insertCreatorOffers(db: Tx, items: SampleItem[], now: Date): Promise<void> {
  for (const [index, { username }] of CREATORS.entries()) {
    const creatorId = sampleId(username)
    const singles = items
      .filter((item) => item.creatorId === creatorId && item.offer === 'single')
      .slice(0, 3)
    for (const [place, offer] of OFFERS.slice(0, index === 0 ? OFFERS.length : 1).entries()) {
      const { type, days, priceCents, allowed = 0, lastsDays } = offer
      const offerId = sampleId(`${username} ${type}`)
      await db
        .insertInto('offers')
        .values({
          id: offerId,
          creator_id: creatorId,
          type,
          plan_id: type.endsWith('Trial') ? sampleId(`${username} plan`) : null,
          subscription_days: days ?? null,
          bundle_id: type.endsWith('Bundle') ? sampleId(`${username} bundle`) : null,
          price_cents: priceCents ?? null,
          available_to_all: true,
          redemptions_allowed: allowed,
          views: 40 + 37 * (OFFERS.length - place),
          expires_at: lastsDays === undefined ? null : new Date(now.getTime() + lastsDays * DAY_MS),
          created_at: new Date(now.getTime() - (place + 1) * 3 * DAY_MS),
        })
        .execute()
      const held = singles.map(({ id }, position) => ({ offer_id: offerId, media_id: id, position }))
      if (type.endsWith('Singles') && held.length > 0)
        await db.insertInto('offer_media').values(held).execute()
      if (index === 0 && priceCents === undefined) await redeem(db, offerId, now)
    }
  }
}

/** The first fan, whose login is printed, finds every offer still open. */
async function redeem(db: Tx, offerId: string, now: Date): Promise<void> {
  for (const { username } of FANS.slice(1)) {
    const person = { id: sampleId(username), role: null, isCreator: false }
    const fan = { ...audienceOf(person, { country: null, region: null }), id: person.id }
    await redeemOffer(db, { offerId, fan, publishingOpen: true, now }).catch((error: unknown) => {
      // A fan who already has what an offer gives doesn't redeem it.
      if (!(error instanceof AppError)) throw error
    })
  }
}
