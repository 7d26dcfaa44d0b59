import { expect } from 'vitest'
import { routes } from '../../../contract/index.ts'
import { formatMoney } from '../../../contract/money.ts'
import { buildMedia, type Person } from '../builders.ts'
import { buildMessage } from '../purchases.ts'
import { TRIAL_DAYS } from './model.ts'
import type { Offer, Shop } from './offers.ts'
import type { Seller } from './sellers.ts'
import type { World } from './world.ts'

/** Of what one person wrote to another unanswered, less than is allowed. */
const MESSAGES = 15

/** A creator makes new offers, for one or two people each: the bundle for about half, and days of the plan for free. */
export async function makeOffers(world: World, creator: number, part: number): Promise<void> {
  const { person, plan, bundle } = world.sellers[creator] as Seller
  const api = await world.as(person)
  const cents = 250 + Math.floor(part * 500)
  const allowed = part < 0.5 ? 1 : 2
  const make = async (of: object): Promise<Offer> => {
    const body = routes.createOffer.body.parse({ ...of, redemptionsAllowed: allowed })
    const { _id: id } = await api.call(routes.createOffer, { body }, { idempotencyKey: crypto.randomUUID() })
    return { id, cents, allowed, redeemed: new Set(), reserved: new Map() }
  }
  const shop = world.model.shops[creator] as Shop
  shop.discount = await make({ offerType: 'discountBundle', bundle, price: formatMoney(cents) })
  shop.trial = await make({ offerType: 'freeTrial', subscription: plan, subscriptionDays: TRIAL_DAYS })
  world.count('make offers')
}

/** A fan takes the free days that a creator offers. */
export async function redeemTrial(world: World, fan: number, creator: number): Promise<void> {
  const offerId = world.model.shops[creator]?.trial?.id
  if (!offerId) return
  const api = await world.as(world.fans[fan] as Person)
  const redeemed = world.model.redeem(fan, creator, world.now)
  const refused = 'refused' in redeemed ? redeemed.refused : null
  const once = { idempotencyKey: crypto.randomUUID() }
  await world.says('redeem a trial', refused, api.call(routes.redeemOffer, { body: { offerId } }, once))
  if (!('refused' in redeemed)) await world.identify(redeemed)
}

/** A creator sends a fan something of their own for a price. */
export async function send(world: World, fan: number, creator: number, part: number): Promise<void> {
  const { harness, model, sellers, fans } = world
  const sent = model.messages.filter((message) => message.fan === fan && message.creator === creator)
  if (sent.length >= MESSAGES) return
  const { person } = sellers[creator] as Seller
  const cents = 200 + Math.floor(part * 2000)
  const attached = { mediaIds: [await buildMedia(harness, person)], price: formatMoney(cents) }
  const id = await buildMessage(harness, person, fans[fan] as Person, attached)
  expect(id).not.toBe('')
  model.messages.push({ id, fan, creator, cents })
  world.count('send a message')
}
