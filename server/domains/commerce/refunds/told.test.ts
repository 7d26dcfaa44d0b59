import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import {
  buildBundle,
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  buildSession,
  buildUser,
  type Person,
} from '../../../testing/builders.ts'
import { cardToken } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { refundPayment } from '../../../testing/refunds.ts'
import { emailsTo } from '../../../testing/security.ts'

const DAY_MS = 24 * 3600 * 1000
const RUN = { attempt: 1, lastAttempt: false }

let harness: Harness
let creator: Person
let fan: Person
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
})

const session = async ({ id }: { id: string }) =>
  harness.api.as({
    token: await buildSession(harness, id, { reauthenticatedAt: harness.clock.now() }),
  })

async function buys(what: {
  kind: 'single' | 'bundle' | 'tip' | 'subscription'
  itemId: string
  amount?: string
}) {
  const _id = await buysUnsettled(what)
  await fetch(`${harness.sandboxOrigin}/sandbox/authorizenet/admin/settle`, { method: 'POST' })
  return _id
}

async function buysUnsettled(what: Parameters<typeof buys>[0]): Promise<string> {
  const body = { ...what, ...(await cardToken(harness)) }
  const { _id } = (await (await session(fan)).call(routes.purchase, { body })) as { _id: string }
  return _id
}

const buysSingle = async (mediaId?: string) =>
  buys({
    kind: 'single',
    itemId: mediaId ?? (await buildMedia(harness, creator, { showInStore: true, priceCents: 1000 })),
  })

async function refund(transactionId: string, amount: string): Promise<void> {
  // Each is told at a moment of its own.
  harness.clock.advance(1000)
  const operator = await session(await buildUser(harness, { role: 'finance' }))
  await refundPayment(operator, { transactionId, amount })
}

/** The notifications of a person about refunds, oldest first. */
async function told({ id }: Person) {
  const rows = await harness.context.db
    .selectFrom('notifications')
    .select(['kind', 'data'])
    .where('user_id', '=', id)
    .where('kind', 'in', ['payment.refunded', 'sale.refunded'])
    .orderBy('created_at')
    .execute()
  return rows.map(({ data }) => data)
}

const lastMail = async ({ email }: Person) => (await emailsTo(harness, email))[0]?.text

test('a part leaves its buyer access, the last one ends it, and the creator is told of both with their part', async () => {
  const orderId = await buysSingle()
  await refund(orderId, '$4')
  expect(await told(fan)).toMatchObject([{ amount: '$4', access: 'kept' }])
  expect(await told(creator)).toMatchObject([{ amount: '$4', share: '$3.20', access: 'kept' }])
  expect(await lastMail(fan)).toContain('You keep access to it.')
  await refund(orderId, '$6')
  expect(await told(fan)).toMatchObject([{ access: 'kept' }, { amount: '$6', access: 'ended' }])
  expect(await told(creator)).toMatchObject([{ share: '$3.20' }, { amount: '$6', share: '$4.80' }])
  expect(await lastMail(fan)).toContain('You no longer have access to it.')
  expect(await lastMail(fan)).toContain('/dashboard/billing')
  const mail = await lastMail(creator)
  expect(mail).toContain('We refunded $6 paid for “A test item”, and took back $4.80 of your share.')
  expect(mail).toContain('The buyer no longer has access to it.')
  const { items } = await (await session(creator)).call(routes.notifications, { query: {} })
  expect(items.map(({ event }) => event.kind)).toEqual(['sale.refunded', 'sale.refunded', 'sale.made'])
})

test('a charge that hadn’t settled disappears, and one that had is given back on the card’s statement', async () => {
  const itemId = await buildMedia(harness, creator, { showInStore: true, priceCents: 1000 })
  await refund(await buysUnsettled({ kind: 'single', itemId }), '$10')
  expect(await lastMail(fan)).toContain('The pending charge disappears from your card')
  expect(await lastMail(fan)).not.toContain('Your card statement shows it')
  await refund(await buysSingle(), '$10')
  expect(await lastMail(fan)).toContain('Your card statement shows it within 10 days.')
})

test('nothing is said of access to what the buyer has otherwise as well', async () => {
  const mediaId = await buildMedia(harness, creator, { showInStore: true, priceCents: 1000 })
  const orderId = await buysSingle(mediaId)
  const mediaIds = [mediaId, await buildMedia(harness, creator)]
  await buys({ kind: 'bundle', itemId: await buildBundle(harness, creator, { mediaIds }) })
  await refund(orderId, '$10')
  expect(await told(fan)).toMatchObject([{ amount: '$10', access: 'none' }])
  expect(await lastMail(fan)).not.toContain('access')
})

test('nothing is said of access to a tip', async () => {
  const orderId = await buys({ kind: 'tip', itemId: creator.id, amount: '$10' })
  await refund(orderId, '$4')
  await refund(orderId, '$6')
  expect(await told(fan)).toMatchObject([{ access: 'none' }, { access: 'none' }])
  expect(await told(creator)).toMatchObject([{ share: '$3.20' }, { share: '$4.80' }])
  expect(await lastMail(fan)).not.toContain('access')
  expect(await lastMail(creator)).not.toContain('access')
  for (const person of [fan, creator]) {
    const { items } = await (await session(person)).call(routes.notifications, { query: {} })
    expect(items[0]?.event).toMatchObject({ data: { amount: '$6', access: 'none' } })
  }
})

test('a subscription of which a later month is paid goes on after a refund of the first', async () => {
  const mediaIds = [await buildMedia(harness, creator)]
  const planId = await buildPlan(harness, creator, { mediaIds, priceCents: 1000 })
  const first = await buys({ kind: 'subscription', itemId: planId })
  harness.clock.advance(32 * DAY_MS)
  await harness.server.jobs['renewals.charge']({}, RUN)
  await refund(first, '$10')
  expect(await told(fan)).toMatchObject([{ amount: '$10', access: 'kept' }])
  const { id: second } = await harness.context.db
    .selectFrom('orders')
    .select('id')
    .where('buyer_id', '=', fan.id)
    .where('id', '!=', first)
    .executeTakeFirstOrThrow()
  await refund(second, '$10')
  expect(await told(fan)).toMatchObject([{ access: 'kept' }, { amount: '$10', access: 'ended' }])
})
