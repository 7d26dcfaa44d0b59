import {
  buildBankDetails,
  buildBundle,
  buildCreator,
  buildMedia,
  buildPlan,
  type Person,
} from '../builders.ts'
import type { Harness } from '../harness.ts'

/** A creator with a plan of a month or three, singles, and a bundle of them that costs less for who has some. */
export type Seller = { person: Person; plan: string; items: string[]; bundle: string }

/** In cents; odd ones, so that shares and parts must be rounded. */
export const PRICES = { price: 1000, itemPrices: [333, 450, 999], bundlePrice: 1001 }

export async function buildSeller(harness: Harness): Promise<Seller> {
  const person = await buildCreator(harness)
  await buildBankDetails(harness, person.id)
  const items: string[] = []
  for (const priceCents of PRICES.itemPrices)
    items.push(await buildMedia(harness, person, { showInStore: true, priceCents }))
  const plan = await buildPlan(harness, person, { priceCents: PRICES.price, mediaIds: items })
  await harness.context.db
    .insertInto('subscription_plan_terms')
    .values({ plan_id: plan, months: 3, discount_percent: 10 })
    .execute()
  const held = { priceCents: PRICES.bundlePrice, lessOwned: true, mediaIds: items }
  return { person, plan, items, bundle: await buildBundle(harness, person, held) }
}
