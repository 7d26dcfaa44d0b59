import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violates } from '../../../../errors.ts'
import { buildCreator, buildFan, buildOffer, type Person } from '../../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'

const PEOPLE = 5
const ALLOWED = 3

let harness: Harness
let creator: Person
let people: Person[]
beforeAll(async () => {
  harness = await startHarness()
  creator = await buildCreator(harness)
  people = await Promise.all(Array.from({ length: PEOPLE }, () => buildFan(harness)))
})
afterAll(() => harness?.stop())

type Step = { step: 'redeem' | 'reserve' | 'void' | 'end'; who: number }
const anyStep = fc.record<Step>({
  step: fc.constantFrom('redeem', 'redeem', 'reserve', 'reserve', 'void', 'void', 'end'),
  who: fc.integer({ min: 0, max: PEOPLE - 1 }),
})

/** A model of the database's counting, in memory. */
class Model {
  ended = false
  redeemed = new Set<number>()
  reserved = new Set<number>()

  taken = () => this.redeemed.size + this.reserved.size

  apply({ step, who }: Step): boolean {
    if (step === 'end') this.ended = true
    if (step === 'void') this.reserved.delete(who)
    if (step === 'end' || step === 'void') return true
    if (this.ended || this.redeemed.has(who) || this.reserved.has(who) || this.taken() >= ALLOWED)
      return false
    const into = step === 'redeem' ? this.redeemed : this.reserved
    into.add(who)
    return true
  }
}

const REFUSALS = ['offers_redemptions_left', 'offers_open', 'offer_redemptions_once']

/** Does the step in the database; false when that refused it. */
async function take(offerId: string, { step, who }: Step): Promise<boolean> {
  const { db } = harness.context
  const fanId = people[who]?.id ?? ''
  const now = harness.clock.now()
  const redemption = { offer_id: offerId, fan_id: fanId, reserved_at: now }
  try {
    if (step === 'end')
      await db.updateTable('offers').set({ ended_at: now }).where('id', '=', offerId).execute()
    if (step === 'redeem')
      await db
        .insertInto('offer_redemptions')
        .values({ ...redemption, redeemed_at: now })
        .execute()
    if (step === 'void')
      await db
        .updateTable('orders')
        .set({ status: 'void', closed_at: now })
        .where('offer_id', '=', offerId)
        .where('buyer_id', '=', fanId)
        .where('status', '=', 'open')
        .execute()
    if (step === 'reserve')
      await db.transaction().execute(async (tx) => {
        const { id } = await tx
          .insertInto('orders')
          .values({
            buyer_id: fanId,
            creator_id: creator.id,
            kind: 'subscription',
            item_id: offerId,
            title: 'A trial',
            amount_cents: 250,
            fee_basis_points: 2000,
            bought_once: false,
            offer_id: offerId,
            created_at: now,
            tried_at: now,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await tx
          .insertInto('offer_redemptions')
          .values({ ...redemption, order_id: id })
          .execute()
      })
    return true
  } catch (error) {
    if (REFUSALS.some((name) => violates(error, name)) || violates(error, 'orders_one_open')) return false
    throw error
  }
}

test('whatever is redeemed, reserved, given up and ended in whichever order, the count is right', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 30 }), async (steps) => {
      const offerId = await buildOffer(harness, creator, { type: 'discountTrial', allowed: ALLOWED })
      const model = new Model()
      for (const step of steps) expect(await take(offerId, step)).toBe(model.apply(step))
      const { redemptions_taken: taken } = await harness.context.db
        .selectFrom('offers')
        .select('redemptions_taken')
        .where('id', '=', offerId)
        .executeTakeFirstOrThrow()
      const kept = await harness.context.db
        .selectFrom('offer_redemptions')
        .select('fan_id')
        .where('offer_id', '=', offerId)
        .where('released_at', 'is', null)
        .execute()
      expect([taken, kept.length]).toEqual([model.taken(), model.taken()])
    }),
    { numRuns: 40 },
  )
})
