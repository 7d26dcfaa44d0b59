import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import type { Kind } from '../../../../../contract/orders.ts'
import type { Checkpoint } from '../../../../context.ts'
import {
  buildBundle,
  buildCreator,
  buildFan,
  buildMedia,
  buildOffer,
  type Person,
} from '../../../../testing/builders.ts'
import { cardToken, reviewHeld, TEST_CARDS } from '../../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'
import { emailsTo } from '../../../../testing/security.ts'

const MINUTE_MS = 60_000

let harness: Harness
let creator: Person
let fan: Person
/** Two singles of $9. */
let singles: [string, string]
let breakAt: Checkpoint | null = null
/** What happens before the next capture is committed. */
let beforeCommit: (() => Promise<unknown>) | null = null

beforeAll(async () => {
  harness = await startHarness({
    checkpoint: async (name) => {
      if (name === breakAt) throw new Error('broken down on purpose')
      if (name !== 'purchase.before-capture-commit') return
      const meanwhile = beforeCommit
      beforeCommit = null
      await meanwhile?.()
    },
  })
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
  const single = () => buildMedia(harness, creator, { showInStore: true, priceCents: 900 })
  singles = [await single(), await single()]
})
afterEach(() => {
  breakAt = null
  beforeCommit = null
})

async function buy(kind: Kind, itemId: string, card: Parameters<typeof cardToken>[1] = TEST_CARDS.approved) {
  const body = { kind, itemId, ...(await cardToken(harness, card)) }
  return (await harness.api.as(fan).send('POST', '/users/purchase', { body })).status
}

const bundleOf = (mediaIds: string[]) =>
  buildBundle(harness, creator, { priceCents: 1500, lessOwned: true, mediaIds })
const redeem = (offerId: string) => harness.api.as(fan).call(routes.redeemOffer, { body: { offerId } })
const recover = () => harness.server.jobs['purchases.recover']({}, { attempt: 1, lastAttempt: false })
const payments = () =>
  harness.context.db
    .selectFrom('payments')
    .select(['status', 'reason', 'amount_cents', 'gateway_transaction_id'])
    .where('buyer_id', '=', fan.id)
    .orderBy('created_at')
    .execute()
async function waitingForTurns(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_locks
    where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`.execute(
    harness.context.db,
  )
  return rows[0]?.count ?? 0
}

/** By a void, or by a refund where the day’s settlement came before. */
const GIVEN_BACK = { status: expect.stringMatching(/^(voided|refunded)$/), reason: 'already_owned' }

/** A charge that the gateway shows only after it was recorded as not made. */
async function concludeNotCharged(kind: Kind, itemId: string): Promise<void> {
  const gateway = harness.context.payments
  harness.context.payments = { ...gateway, lookup: async () => ({ kind: 'absent' }) }
  breakAt = 'purchase.gateway-answered'
  await buy(kind, itemId)
  breakAt = null
  harness.clock.advance(16 * MINUTE_MS)
  for (let run = 0; run < 3; run++) await recover()
  harness.context.payments = gateway
  expect(await payments()).toMatchObject([{ status: 'refused', reason: 'not_charged' }])
}

async function showUp(): Promise<void> {
  harness.clock.advance(60 * MINUTE_MS)
  await recover()
}

test('a late charge of a single is given back where its buyer has the item by a bundle by then', async () => {
  await concludeNotCharged('single', singles[0])
  expect(await buy('bundle', await bundleOf(singles))).toBe(200)
  await showUp()
  expect(await payments()).toMatchObject([GIVEN_BACK, { status: 'captured', amount_cents: 1500 }])
  const { items } = await harness.api.as(fan).call(routes.receipts, { query: {} })
  expect(items).toMatchObject([{ amount: '$15' }])
  const told = (await emailsTo(harness, fan.email)).filter(({ text }) => text.includes('You already had'))
  expect(told.map(({ subject }) => subject)).toEqual(['Your refund of $9 · Fanfare'])
})

test('one of a bundle is given back where its buyer has all of it by singles by then', async () => {
  await concludeNotCharged('bundle', await bundleOf(singles))
  for (const id of singles) expect(await buy('single', id)).toBe(200)
  await showUp()
  expect(await payments()).toMatchObject([GIVEN_BACK, { status: 'captured' }, { status: 'captured' }])
})

test('one of a bundle of which something is missing still pays for it', async () => {
  await concludeNotCharged('bundle', await bundleOf(singles))
  expect(await buy('single', singles[0])).toBe(200)
  await showUp()
  expect(await payments()).toMatchObject([{ status: 'captured' }, { status: 'captured' }])
})

test('of late charges of a single and of a bundle of it that are captured at once, one is kept', async () => {
  await concludeNotCharged('single', singles[0])
  expect(await buy('bundle', await bundleOf([singles[0]]), TEST_CARDS.held)).toBe(202)
  const held = (await payments())[1]?.gateway_transaction_id
  await reviewHeld(harness, held ?? '', 'approve')
  harness.clock.advance(60 * MINUTE_MS)
  let hasWaited = false
  beforeCommit = async () => {
    await expect.poll(waitingForTurns).toBeGreaterThan(0)
    hasWaited = true
  }
  await Promise.all([recover(), recover()])
  expect(hasWaited).toBe(true)
  const ends = (await payments()).sort((one, other) => one.status.localeCompare(other.status))
  expect(ends).toMatchObject([{ status: 'captured' }, GIVEN_BACK])
})

test('an item that is redeemed while its payment is being captured is paid for, and not given as well', async () => {
  const offerId = await buildOffer(harness, creator, { type: 'freeSingles', mediaIds: [singles[0]] })
  let redeemed: Promise<unknown> | undefined
  beforeCommit = () => {
    redeemed = redeem(offerId).catch(({ status, code }) => ({ status, code }))
    return expect.poll(waitingForTurns).toBeGreaterThan(0)
  }
  expect(await buy('single', singles[0])).toBe(200)
  expect(await redeemed).toEqual({ status: 409, code: 'already_owned' })
  expect(await payments()).toMatchObject([{ status: 'captured' }])
})

test('one is given back where its buyer redeemed the item for free by then', async () => {
  const offerId = await buildOffer(harness, creator, { type: 'freeSingles', mediaIds: [singles[0]] })
  await concludeNotCharged('single', singles[0])
  await redeem(offerId)
  await showUp()
  expect(await payments()).toMatchObject([GIVEN_BACK])
})

test('a payment under review is given back once approved where its buyer redeemed the item meanwhile', async () => {
  const offerId = await buildOffer(harness, creator, { type: 'freeSingles', mediaIds: [singles[0]] })
  expect(await buy('single', singles[0], TEST_CARDS.held)).toBe(202)
  await redeem(offerId)
  const [held] = await payments()
  await reviewHeld(harness, held?.gateway_transaction_id ?? '', 'approve')
  await showUp()
  expect(await payments()).toMatchObject([GIVEN_BACK])
})
