import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runAdmin } from '../../start/admin.ts'
import { gatewayTransactions } from '../gateway.ts'
import { differences, violations } from '../year/accounts.ts'
import { ACTS, type Step, Steps } from './steps.ts'
import { openWorld } from './world.ts'

/** All steps, and how many of them one business takes; `MONEY_STEPS=100000` takes an hour or more. */
const STEPS = Number(process.env.MONEY_STEPS ?? 200)
const LENGTH = Math.min(STEPS, 1000)

/** Uniformly distributed: else the first step and small shares come most of the time. */
const upTo = (max: number) => fc.noBias(fc.integer({ min: 0, max }))
// Not a random double, as most of those are close to zero.
const share = upTo(9999).map((part) => part / 10_000)
const steps = fc.array(
  fc.record<Step>({
    act: upTo(ACTS - 1),
    pick: share,
    part: share,
  }),
  { minLength: LENGTH, maxLength: LENGTH },
)

/** What every business begins with, so that chance leaves none of it out: first bought, asked for a raise, agreed, renewed, refunded. */
const OPENING: Step[] = [
  { act: 0, pick: 0.25, part: 0.1 },
  { act: 3, pick: 0.2, part: 0.99 },
  { act: 5, pick: 0.2, part: 0.1 },
  { act: 7, pick: 0.2, part: 0.99 },
  { act: 7, pick: 0.2, part: 0.99 },
  { act: 7, pick: 0.2, part: 0.99 },
  { act: 12, pick: 0.25, part: 0.5 },
  { act: 14, pick: 0, part: 0.9 },
  // Of an order before that, a part that the gateway refuses.
  { act: 29, pick: 0.25, part: 0.3 },
  // Offers, one of which is taken, a message that is bought, and charges in an outage of which one was made.
  { act: 21, pick: 0.9, part: 0.9 },
  { act: 22, pick: 0.9, part: 0.5 },
  { act: 24, pick: 0.9, part: 0.5 },
  { act: 25, pick: 0.25, part: 0.5 },
  { act: 26, pick: 0, part: 0.5 },
  { act: 28, pick: 0.501, part: 0.1 },
  { act: 28, pick: 0.508, part: 0.4 },
  // A renewal that can't be charged, free months in its place, and a lower price after them.
  { act: 0, pick: 0.62, part: 0.1 },
  { act: 32, pick: 0, part: 0 },
  { act: 30, pick: 0, part: 0 },
  { act: 3, pick: 0.62, part: 0 },
  // A price that falls during a first payment, and again while the subscription is canceled, which is resumed.
  { act: 33, pick: 0.7, part: 0.1 },
  { act: 17, pick: 0, part: 0 },
  { act: 3, pick: 0, part: 0 },
  { act: 18, pick: 0, part: 0 },
  { act: 7, pick: 0, part: 0 },
]

const CERTAIN = [
  ...['bought subscription', 'bought bundle', 'renewals', 'refund', 'agree'],
  ...['bought bundle by an offer', 'redeem a trial', 'bought message'],
  ...['refund made elsewhere', 'charged in an outage', 'not charged in an outage'],
  ...['extend what couldn’t be charged', 'begin at a price that fell meanwhile', 'resume at a lower price'],
]

test(`${STEPS} random steps of fans, creators, operators and time: the business is as its model says`, async () => {
  const done: Record<string, number> = {}
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const world = new Steps(await openWorld())
      try {
        for (const step of [...OPENING, ...sequence]) await world.step(step)
        await world.close()
        const { context, clock } = world.harness
        const { ok, output } = await runAdmin(['books'], context.db, context.vault, clock.now())
        expect(ok, output).toBe(true)
        expect(await violations(world.harness)).toEqual({})
        expect(await differences(world.harness, [])).toEqual({
          onlyAtGateway: [],
          onlyHere: [],
          otherAmount: [],
        })
        const charges = (await gatewayTransactions(world.harness)).filter(
          ({ type }) => type === 'authCaptureTransaction',
        )
        expect(new Set(charges.map(({ invoiceNumber }) => invoiceNumber)).size).toBe(charges.length)
      } finally {
        await world.harness.stop()
      }
      for (const [what, times] of Object.entries(world.done)) done[what] = (done[what] ?? 0) + times
    }),
    // The steps before the one that failed say more than fewer of them, each of which takes as long.
    { numRuns: Math.ceil(STEPS / LENGTH), endOnFailure: true },
  )
  process.stdout.write(`${JSON.stringify(done, null, 1)}\n`)
  for (const what of CERTAIN) expect(done[what], what).toBeGreaterThan(0)
}, 14_400_000)
