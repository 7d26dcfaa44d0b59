import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildCreator, buildFan, buildSession, buildUser, type Person } from '../../testing/builders.ts'
import { cardToken, planFault } from '../../testing/gateway.ts'
import { type Harness, startHarness } from '../../testing/harness.ts'
import { recordOutside, sendOutside } from '../../testing/outside.ts'
import { buildItem } from '../../testing/purchases.ts'

let harness: Harness
let other: Person

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  // Operators of other tests lose their role.
  await sql`update users set role = null where role is not null`.execute(harness.context.db)
  other = await promoted(await buildUser(harness))
})

const recent = async ({ id, ...person }: Person): Promise<Person> => ({
  ...{ id, ...person },
  token: await buildSession(harness, id, { reauthenticatedAt: harness.clock.now() }),
})

/** The operators who may refund and decide disputes from now on. */
async function promoted(person: Person): Promise<Person> {
  await harness.context.db.updateTable('users').set({ role: 'finance' }).where('id', '=', person.id).execute()
  return recent(person)
}

/** A single for $9.99 that was paid; its order. */
async function sold(buyer: Person, creator: Person): Promise<string> {
  const body = { kind: 'single', itemId: await buildItem(harness, creator, 'single') }
  const answer = await harness.api
    .as(buyer)
    .send('POST', '/users/purchase', { body: { ...body, ...(await cardToken(harness)) } })
  expect(answer.status).toBe(200)
  return (answer.body as { _id: string })._id
}

const post = (by: Person, path: string, body: object) =>
  harness.api
    .as(by)
    .send('POST', path, { body, headers: { 'idempotency-key': crypto.randomUUID() } })
    .then(({ status, body }) => ({ answered: status, ...(body as { _id: string; code?: string }) }))
const refund = (by: Person, transactionId: string) =>
  post(by, '/admin/refund', { transactionId, amount: '$9.99', left: '$9.99', reason: 'A mistake' })
const OWN_REFUND = { status: 409, code: 'own_refund' }
const dispute = (by: Person, transactionId: string) =>
  post(by, '/admin/disputes', {
    ...{ transactionId, amount: '$9.99', fee: '$15', cause: 'other' },
    ...{ caseNumber: crypto.randomUUID(), reason: 'The bank’s letter' },
  })
const decide = (by: Person, disputeId: string, outcome: 'won' | 'lost') =>
  post(by, '/admin/disputes/decide', { disputeId, outcome, reason: 'The bank’s decision' })

describe('what an operator bought', () => {
  let own: Person
  let orderId: string
  beforeEach(async () => {
    own = await buildFan(harness)
    orderId = await sold(own, await buildCreator(harness))
    own = await promoted(own)
  })

  test('another one refunds', async () => {
    expect(await refund(own, orderId)).toMatchObject({ answered: 409, code: 'own_refund' })
    expect(await refund(other, orderId)).toMatchObject({ answered: 200 })
  })

  test('another one records as refunded elsewhere', async () => {
    const forgive = await planFault(harness, {
      ...{ call: 'createTransactionRequest', effect: 'tokenUsed', times: 100 },
    })
    expect(await refund(other, orderId)).toMatchObject({ code: 'refund_refused' })
    await forgive()
    const [buyer, another] = [harness.api.as(own), harness.api.as(other)]
    await expect(sendOutside(buyer, orderId)).rejects.toMatchObject(OWN_REFUND)
    await sendOutside(another, orderId)
    await expect(recordOutside(buyer, orderId)).rejects.toMatchObject(OWN_REFUND)
    expect(await recordOutside(another, orderId)).toMatchObject({ status: 'refunded' })
  })

  test('another one records a dispute of, and decides it', async () => {
    expect(await dispute(own, orderId)).toMatchObject({ answered: 409, code: 'own_dispute' })
    const { answered, _id } = await dispute(other, orderId)
    expect(answered).toBe(200)
    expect(await decide(own, _id, 'lost')).toMatchObject({ answered: 409, code: 'own_dispute' })
    expect(await decide(other, _id, 'lost')).toMatchObject({ answered: 200 })
  })

  test.each([
    ['is leaving', { deletion_requested_at: new Date() }],
    ['is no operator anymore', { role: null }],
  ])('they refund and decide by themselves where the other one %s', async (_name, change) => {
    const disputed = await sold(own, await buildCreator(harness))
    await harness.context.db.updateTable('users').set(change).where('id', '=', other.id).execute()
    expect(await refund(own, orderId)).toMatchObject({ answered: 200 })
    const { _id } = await dispute(own, disputed)
    expect(await decide(own, _id, 'won')).toMatchObject({ answered: 200 })
  })
})

describe('what an operator sold', () => {
  let own: Person
  let orderId: string
  beforeEach(async () => {
    own = await buildCreator(harness)
    orderId = await sold(await buildFan(harness), own)
    own = await promoted(own)
  })

  test('another one records a dispute of, and decides it', async () => {
    expect(await dispute(own, orderId)).toMatchObject({ answered: 409, code: 'own_dispute' })
    const { _id } = await dispute(other, orderId)
    expect(await decide(own, _id, 'won')).toMatchObject({ answered: 409, code: 'own_dispute' })
    expect(await decide(other, _id, 'won')).toMatchObject({ answered: 200 })
  })

  test('they may give back, which costs only them', async () => {
    expect(await refund(own, orderId)).toMatchObject({ answered: 200 })
  })
})

test('where buyer and creator are the only operators, either records and decides', async () => {
  const [buyer, creator] = [await buildFan(harness), await buildCreator(harness)]
  const orderId = await sold(buyer, creator)
  const seller = await promoted(creator)
  await promoted(buyer)
  await harness.context.db.updateTable('users').set({ role: null }).where('id', '=', other.id).execute()
  const { answered, _id } = await dispute(seller, orderId)
  expect(answered).toBe(200)
  expect(await decide(seller, _id, 'won')).toMatchObject({ answered: 200 })
})
