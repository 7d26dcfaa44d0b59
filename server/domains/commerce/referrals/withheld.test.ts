import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Checkpoint } from '../../../context.ts'
import { runAdmin } from '../../../start/admin.ts'
import {
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  buildSession,
  buildUser,
  type Person,
} from '../../../testing/builders.ts'
import { cardToken, reviewHeld, TEST_CARDS } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { waitingForLocks } from '../../../testing/locks.ts'
import { refundPayment } from '../../../testing/refunds.ts'
import { suspendPerson } from '../../identity/suspensions/actions.ts'

const MINUTE_MS = 60_000
const MONTH_MS = 31 * 24 * 60 * MINUTE_MS

let harness: Harness
let creator: Person
let fan: Person
let referrer: Person
/** What happens at a checkpoint, once. */
let at: { name: Checkpoint; does: () => Promise<unknown> } | null = null

beforeAll(async () => {
  harness = await startHarness({
    checkpoint: async (name) => {
      if (at?.name !== name) return
      const { does } = at
      at = null
      await does()
    },
  })
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
  referrer = await buildFan(harness)
  await refer(fan, { referred_by: referrer.id })
})
afterEach(async () => {
  at = null
  expect(await books()).toContain('Every cent is accounted for.')
})

const books = async () => {
  const { db, vault } = harness.context
  return (await runAdmin(['books'], db, vault, harness.clock.now())).output
}

/** How many withheld commissions the books count, and their sum in cents. */
const booked = async () => {
  const [, count, amount] = /referrers: (\d+), \$([\d.,]+) in total/.exec(await books()) ?? []
  return { count: Number(count), cents: Math.round(Number(amount?.replaceAll(',', '')) * 100) }
}

const refer = ({ id }: Person, by: { referred_by?: string | null; referred_by_shared?: string }) =>
  harness.context.db.updateTable('users').set(by).where('id', '=', id).execute()
/** Logged in again, as time may have passed since. */
const as = async ({ id }: Person) =>
  harness.api.as({ token: await buildSession(harness, id, { reauthenticatedAt: harness.clock.now() }) })
const run = { attempt: 1, lastAttempt: false }
const recover = () => harness.server.jobs['purchases.recover']({}, run)

async function suspend(person = referrer): Promise<void> {
  const operator = await as(await buildUser(harness, { role: 'reviewer' }))
  const body = { userId: person.id, reason: 'Fake accounts' }
  expect((await operator.send('POST', '/admin/people/suspend', { body })).status).toBe(200)
}

/** Orders something for $100, which the gateway holds for review; returns how it is approved. */
async function order(): Promise<() => Promise<void>> {
  const itemId = await buildMedia(harness, creator, { showInStore: true, priceCents: 10_000 })
  const body = { kind: 'single', itemId, ...(await cardToken(harness, TEST_CARDS.held)) }
  expect((await (await as(fan)).send('POST', '/users/purchase', { body })).status).toBe(202)
  const { gateway_transaction_id: transactionId } = await harness.context.db
    .selectFrom('payments')
    .select('gateway_transaction_id')
    .where('buyer_id', '=', fan.id)
    .where('status', '=', 'held')
    .executeTakeFirstOrThrow()
  return async () => {
    await reviewHeld(harness, transactionId ?? '', 'approve')
    harness.clock.advance(MINUTE_MS)
    await recover()
  }
}

/** The fan's order, once the gateway has settled it. */
async function settled(): Promise<string> {
  await fetch(`${harness.sandboxOrigin}/sandbox/authorizenet/admin/settle`, { method: 'POST' })
  const { id } = await harness.context.db
    .selectFrom('orders')
    .select('id')
    .where('buyer_id', '=', fan.id)
    .executeTakeFirstOrThrow()
  return id
}

/** What the orders of a fan posted, by account and person. */
async function posted(buyer = fan): Promise<Record<string, number>> {
  const rows = await harness.context.db
    .selectFrom('postings')
    .innerJoin('journals', 'journals.id', 'journal_id')
    .innerJoin('orders', 'orders.id', 'journals.order_id')
    .innerJoin('ledger_accounts', 'ledger_accounts.id', 'account_id')
    .leftJoin('users', 'users.id', 'user_id')
    .select(['ledger_accounts.kind', 'user_id'])
    .select(({ fn }) => fn.sum<number>('postings.amount_cents').as('cents'))
    .where('buyer_id', '=', buyer.id)
    .groupBy(['ledger_accounts.kind', 'user_id'])
    .execute()
  const whose = (id: string | null) => (id === null || id === creator.id ? '' : ` ${id}`)
  return Object.fromEntries(rows.map(({ kind, user_id, cents }) => [kind + whose(user_id), Number(cents)]))
}

const withheldOf = (person = referrer) =>
  harness.context.db
    .selectFrom('commissions_withheld')
    .select(['reason', 'withheld_at'])
    .where('referrer_id', '=', person.id)
    .execute()

const WITHOUT = { gateway: 10_000, platform_fees: -2000, creator_pending: -8000 }

test('who is suspended between order and approval earns nothing, and the platform’s fee is whole', async () => {
  const approve = await order()
  await suspend()
  await approve()
  expect(await posted()).toEqual(WITHOUT)
  const { id, paid_at } = await harness.context.db
    .selectFrom('orders')
    .select(['id', 'paid_at'])
    .where('buyer_id', '=', fan.id)
    .executeTakeFirstOrThrow()
  expect(await withheldOf()).toEqual([{ reason: 'suspended', withheld_at: paid_at }])
  const finance = await as(await buildUser(harness, { role: 'finance' }))
  expect(await finance.call(routes.payment, { params: { transactionId: id } })).toMatchObject({
    ...{ platformFee: '$20', creatorShare: '$80' },
    withheld: [
      {
        referrer: { username: referrer.username },
        amount: '$7',
        reason: 'suspended',
        at: paid_at?.toISOString(),
      },
    ],
  })
  expect(await books()).toContain('Commissions withheld from suspended or deleted referrers: 1, $7 in total')
  // A suspension that ends brings nothing back.
  const operator = await as(await buildUser(harness, { role: 'reviewer' }))
  const body = { userId: referrer.id, reason: 'A mistake' }
  expect((await operator.send('POST', '/admin/people/reinstate', { body })).status).toBe(200)
  await recover()
  expect((await (await as(referrer)).call(routes.commissions, { query: {} })).items).toEqual([])
})

test('a commission that is paid stands on the payment’s page, less what refunds took of it', async () => {
  const approve = await order()
  await approve()
  const transactionId = await settled()
  const finance = await as(await buildUser(harness, { role: 'finance' }))
  const read = () => finance.call(routes.payment, { params: { transactionId } })
  const paid = { username: referrer.username }
  expect(await read()).toMatchObject({
    ...{ platformFee: '$20', withheld: [], commissions: [{ referrer: paid, amount: '$7' }] },
  })
  await refundPayment(finance, { transactionId, amount: '$33.33' })
  expect(await read()).toMatchObject({ commissions: [{ referrer: paid, amount: '$4.67' }] })
  await refundPayment(finance, { transactionId, amount: '$66.67' })
  expect(await read()).toMatchObject({ platformFee: '$0', commissions: [] })
})

test('a refund takes its part of what is withheld, to the cent, and of all of it all', async () => {
  const before = await booked()
  const approve = await order()
  await suspend()
  await approve()
  expect(await booked()).toEqual({ count: before.count + 1, cents: before.cents + 700 })
  const transactionId = await settled()
  const finance = await as(await buildUser(harness, { role: 'finance' }))
  const refund = async (amount: string) => {
    await refundPayment(finance, { transactionId, amount })
    const { withheld, platformFee } = await finance.call(routes.payment, { params: { transactionId } })
    return { withheld: withheld.map((one) => one.amount), platformFee }
  }
  // A third of $7, rounded down as a referrer’s own share would be.
  expect(await refund('$33.33')).toEqual({ withheld: ['$4.67'], platformFee: '$13.33' })
  expect(await booked()).toEqual({ count: before.count + 1, cents: before.cents + 467 })
  expect(await refund('$66.67')).toEqual({ withheld: ['$0'], platformFee: '$0' })
  expect(await booked()).toEqual(before)
})

test('who is leaving by the time of the approval earns nothing, as if it were ordered now', async () => {
  const approve = await order()
  await harness.context.db
    .updateTable('users')
    .set({ deletion_requested_at: harness.clock.now() })
    .where('id', '=', referrer.id)
    .execute()
  await approve()
  expect(await posted()).toEqual(WITHOUT)
  expect(await withheldOf()).toMatchObject([{ reason: 'leaving' }])
})

test('of those who share a code the others keep what was agreed with them, and a refund is shared by them', async () => {
  const partner = await buildFan(harness)
  const { _id: code_id } = await (await as(referrer)).call(routes.createSharedCode, {
    body: { title: 'Team', participantIds: [] },
  })
  await harness.context.db
    .insertInto('shared_code_participants')
    .values({ code_id, user_id: partner.id, place: 1, accepted_at: harness.clock.now() })
    .execute()
  await refer(fan, { referred_by: null, referred_by_shared: code_id })
  const approve = await order()
  await suspend()
  await approve()
  expect(await posted()).toEqual({
    ...WITHOUT,
    ...{ platform_fees: -1650, [`referrer_pending ${partner.id}`]: -350 },
  })
  expect(await withheldOf(partner)).toEqual([])
  const transactionId = await settled()
  const finance = await as(await buildUser(harness, { role: 'finance' }))
  await refundPayment(finance, { transactionId, amount: '$100' })
  expect(Object.values(await posted()).every((cents) => cents === 0)).toBe(true)
})

test('renewals that are captured together pay whoever may still earn, and nobody else', async () => {
  const [other, partner] = [await buildFan(harness), await buildFan(harness)]
  await refer(other, { referred_by: partner.id })
  const itemId = await buildPlan(harness, creator, { priceCents: 10_000 })
  for (const buyer of [fan, other])
    await (await as(buyer)).call(routes.purchase, {
      body: { kind: 'subscription', itemId, ...(await cardToken(harness)) },
    })
  harness.clock.advance(MONTH_MS)
  const captures: string[] = []
  at = {
    name: 'renewal.claimed',
    does: async () => {
      await suspend()
      at = { name: 'purchase.before-capture-commit', does: async () => void captures.push('one for both') }
    },
  }
  await harness.server.jobs['renewals.charge']({}, run)
  expect(captures).toHaveLength(1)
  expect(await posted()).toMatchObject({ platform_fees: -3300, [`referrer_pending ${referrer.id}`]: -700 })
  expect(await posted(other)).toMatchObject({
    platform_fees: -2600,
    [`referrer_pending ${partner.id}`]: -1400,
  })
  expect(await withheldOf()).toMatchObject([{ reason: 'suspended' }])
})

test('a suspension in the same moment as a capture waits for it, and finds the commission', async () => {
  // Their account is open already: opening one would lock them by itself.
  await (await order())()
  const approve = await order()
  let suspended: Promise<void> | undefined
  at = {
    name: 'purchase.before-capture-commit',
    does: async () => {
      suspended = suspend()
      await expect.poll(() => waitingForLocks(harness.context.db, 'users')).toBe(1)
    },
  }
  await approve()
  await suspended
  expect(await posted()).toMatchObject({ [`referrer_pending ${referrer.id}`]: -1400 })
  const finance = await as(await buildUser(harness, { role: 'finance' }))
  const body = { username: referrer.username, reason: 'Fake accounts' }
  expect(await finance.call(routes.cancelCommissions, { body })).toMatchObject({ count: 2, amount: '$14' })
})

test('a capture in the same moment as a suspension waits for it, and pays nothing', async () => {
  const approve = await order()
  const operator = await buildUser(harness, { role: 'reviewer' })
  let approved: Promise<void> | undefined
  await harness.context.db.transaction().execute(async (tx) => {
    const actor = { id: operator.id, role: 'reviewer' as const }
    await suspendPerson(tx, { actor, userId: referrer.id, reason: 'Spam', now: harness.clock.now() })
    approved = approve()
    await expect.poll(() => waitingForLocks(harness.context.db, 'order_commissions')).toBe(1)
  })
  await approved
  expect(await posted()).toEqual(WITHOUT)
  expect(await withheldOf()).toMatchObject([{ reason: 'suspended' }])
})

test('a suspension that waits for a capture holds nothing that other captures wait for', async () => {
  // Suspending asks whether a superadmin is left, who may be the referrer of another sale.
  const superadmin = await buildUser(harness, { role: 'superadmin' })
  const approve = await order()
  let suspended: Promise<void> | undefined
  at = {
    name: 'purchase.before-capture-commit',
    does: async () => {
      suspended = suspend()
      await expect.poll(() => waitingForLocks(harness.context.db, 'users')).toBe(1)
      const { db } = harness.context
      await db
        .transaction()
        .execute((tx) =>
          tx
            .selectFrom('users')
            .select('id')
            .where('id', '=', superadmin.id)
            .forKeyShare()
            .noWait()
            .execute(),
        )
    },
  }
  await approve()
  await suspended
  expect(await posted()).toMatchObject({ [`referrer_pending ${referrer.id}`]: -700 })
})

test('the database takes no change to what was withheld, and nothing that wasn’t agreed', async () => {
  const approve = await order()
  await suspend()
  await approve()
  const { db } = harness.context
  const own = { referrer_id: referrer.id } as const
  await expect(
    db
      .updateTable('commissions_withheld')
      .set({ reason: 'leaving' })
      .where('referrer_id', '=', referrer.id)
      .execute(),
  ).rejects.toThrow(/append-only/)
  await expect(
    db.deleteFrom('commissions_withheld').where('referrer_id', '=', referrer.id).execute(),
  ).rejects.toThrow(/append-only/)
  const unknown = {
    order_id: crypto.randomUUID(),
    reason: 'leaving',
    withheld_at: harness.clock.now(),
  } as const
  await expect(
    db
      .insertInto('commissions_withheld')
      .values({ ...own, ...unknown })
      .execute(),
  ).rejects.toThrow(/foreign key/)
})
