import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JobName } from '../../jobs/catalogue.ts'
import { runAdmin } from '../../start/admin.ts'
import { gatewayThatIsDown } from '../gateway.ts'
import { differences, happened, violations } from './accounts.ts'
import {
  buy,
  buyCertainly,
  cancel,
  changePrices,
  decideDisputes,
  dispute,
  extend,
  payOut,
  refund,
  review,
} from './actions.ts'
import { bankStatement, bill, chargeByHand, emptySuspense, ledgerAccounts, resolveStrays } from './bank.ts'
import { type Business, chance, oneOf, openBusiness, work } from './business.ts'
import { giveBackOutside } from './sending-outside.ts'
import { whileSuspended } from './suspending.ts'

/**
 * A business in fast motion: people buy, renew, cancel, are refunded and dispute; referrers are suspended; creators change prices, give free months and are paid out;
 * the gateway misbehaves and is down twice; the processor sends its bills, and the bank's account is held against its statement. `YEAR_DAYS=365 YEAR_CREATORS=200 YEAR_FANS=5000` is a whole year of a real one.
 */
const DAYS = Number(process.env.YEAR_DAYS ?? 45)
const CREATORS = Number(process.env.YEAR_CREATORS ?? 5)
const FANS = Number(process.env.YEAR_FANS ?? 40)
/** How many purchases a day may bring at most. */
const PURCHASES = Number(process.env.YEAR_PURCHASES ?? Math.ceil(FANS / 12))
const SEED = Number(process.env.YEAR_SEED ?? 9)

const HOUR_MS = 3600 * 1000
/** The jobs of one hour, in an order that a busy hour may have. */
const HOURLY: JobName[] = [
  'renewals.charge',
  'purchases.recover',
  'refunds.recover',
  'cards.recover',
  'cards.forget',
  'subscriptions.expire',
  'custom-requests.refund',
  'ledger.release',
]
const DAILY: JobName[] = ['renewals.remind', 'payments.compare']
/** Shares of the year at which the gateway goes down for two days, and at which prices change. */
const OUTAGES = [0.3, 0.7]
const PRICE_CHANGES = [0.1, 0.6]
/** When somebody charges a card at the gateway by hand, before its outages; it is found out two days later, and sent back after two more. */
const BY_HAND = [0.15, 0.5]
/** What each year has. */
const CERTAIN = [
  'renewals',
  ...['freeTrial', 'discountTrial', 'freeBundle', 'discountBundle', 'freeSingles', 'discountSingles'].map(
    (type) => `${type} offers redeemed`,
  ),
  'bundles for less, as a part was owned',
  // The days of notice, and a period that begins after them; and enough charges in doubt, some of them with a referrer.
  ...(DAYS < 100 ? [] : ['renewals at a higher price that was agreed to', 'commissions withheld']),
  'subscriptions with free months',
  'refunds of all',
  'refunds of a part',
  'refunds made elsewhere',
  'disputes won',
  'disputes lost',
  'payouts paid',
  'commissions',
  'commissions of a shared code',
  'purchases by a stored card',
  'custom requests given back',
  ...['custom', 'message', 'donation'].map((kind) => `paid orders, ${kind}`),
  ...['bank to processor_fees', 'bank to gateway', 'gateway to bank', 'bank to suspense'].map(
    (way) => `adjustments from ${way}`,
  ),
]

let business: Business
beforeAll(async () => {
  business = await openBusiness({ creators: CREATORS, fans: FANS, seed: SEED })
})
afterAll(() => business?.harness.stop())

const isAt = (shares: number[], day: number, days = 1) =>
  shares.some((share) => day >= Math.floor(share * DAYS) && day < Math.floor(share * DAYS) + days)

test(`${DAYS} days of ${CREATORS} creators and ${FANS} fans: every cent is accounted for, here and at the gateway`, async () => {
  const { harness, fans, random } = business
  const { context, clock } = harness
  const gateway = context.payments
  const down = gatewayThatIsDown(harness)
  for (let day = 0; day < DAYS; day++) {
    const isDown = isAt(OUTAGES, day, 2)
    context.payments = isDown ? down : gateway
    const purchases = 1 + Math.floor(random() * PURCHASES)
    for (let bought = 0; bought < purchases; bought++) {
      const fan = oneOf(business, fans)
      if (fan) await buy(business, fan)
    }
    await buyCertainly(business, day)
    if (chance(business, 0.4)) await cancel(business)
    if (day % 12 === 7 || isAt(OUTAGES, day - 1, 2)) await extend(business, day)
    if (chance(business, 0.25)) await refund(business)
    if (!isDown && day % 11 === 6) await giveBackOutside(business)
    if (chance(business, 0.15)) await dispute(business)
    if (day % 9 === 8) await decideDisputes(business)
    if (!isDown && day % 3 === 2) await review(business)
    if (day % 30 === 29) await payOut(business)
    if (day % 30 === 28) await bill(business)
    if (isAt(BY_HAND, day)) await chargeByHand(business)
    if (isAt(BY_HAND, day - 2)) await resolveStrays(business)
    if (isAt(BY_HAND, day - 4)) await emptySuspense(business)
    if (isAt(PRICE_CHANGES, day)) await changePrices(business)
    clock.advance(HOUR_MS)
    const hour = () => work(business, HOURLY)
    await (day % 3 === 2 ? whileSuspended(business, hour) : hour())
    clock.advance(23 * HOUR_MS)
    await work(business, [...DAILY, ...HOURLY])
  }
  context.payments = gateway
  await review(business)
  // Nothing new begins; until the last settlement that could hold a charge is over, what is in doubt is looked up.
  const closing = [...DAILY, ...HOURLY].filter((job) => job !== 'renewals.charge')
  for (let hours = 0; hours < 6 * 24; hours += 6) {
    clock.advance(6 * HOUR_MS)
    await work(business, closing)
  }
  await bill(business)
  await emptySuspense(business)

  const { ok, output } = await runAdmin(['books'], context.db, context.vault, clock.now())
  expect(ok, output).toBe(true)
  expect(await differences(harness, business.strays)).toEqual({
    onlyAtGateway: [],
    onlyHere: [],
    otherAmount: [],
  })
  expect(await violations(harness)).toEqual({})
  // All is settled, billed and explained.
  const bank = await bankStatement(business)
  expect(await ledgerAccounts(harness)).toEqual({ bank, gateway: 0, suspense: 0 })
  const counts = await happened(harness)
  const refused = Object.fromEntries(business.refusals)
  process.stdout.write(`${output}\n${JSON.stringify({ counts, refused }, null, 1)}\n`)
  expect(CERTAIN.filter((what) => !counts[what])).toEqual([])
}, 7_200_000)
