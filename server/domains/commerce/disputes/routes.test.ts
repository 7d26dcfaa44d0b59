import { describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildUser } from '../../../testing/builders.ts'
import { cardToken } from '../../../testing/gateway.ts'
import { DISPUTED, disputes, SOLD } from '../../../testing/money/disputes.ts'
import { OFFERED_KINDS } from '../../../testing/purchases.ts'

const DAY_MS = 24 * 3600 * 1000

const scene = disputes()
const { buy, dispute, decide, refund, settle, traces } = scene

/** Tips the creator; answers the order. */
async function tip(amount: string): Promise<string> {
  const { harness, creator, fan } = scene
  const body = { kind: 'tip', itemId: creator.id, amount, ...(await cardToken(harness)) }
  const answer = await harness.api.as(fan).send('POST', '/users/purchase', { body })
  return (answer.body as { _id: string })._id
}

describe.each(OFFERED_KINDS)('a disputed %s', (kind) => {
  test('takes access and the creator’s part at once, and gives both back when it is won', async () => {
    const other = await buy('single')
    const { orderId } = await buy(kind)
    const both = { pending: '$16' }
    expect(await traces(orderId)).toEqual({ ...SOLD, ...both })
    const { status, body } = await dispute(orderId)
    expect(status).toBe(200)
    expect(await traces(orderId)).toEqual({ ...DISPUTED, pending: '$8' })
    expect(await decide(body._id, 'won')).toMatchObject({ status: 200 })
    expect(await traces(orderId)).toEqual({ ...SOLD, ...both })
    expect(await traces(other.orderId)).toMatchObject({ payment: 'captured', access: 1 })
  })

  test('takes both for good when it is lost, and can be bought again', async () => {
    const { orderId, itemId } = await buy(kind)
    const { body } = await dispute(orderId)
    expect(await decide(body._id, 'lost')).toMatchObject({ status: 200 })
    const lost = { ...DISPUTED, lost: true, reserved: '$0' }
    expect(await traces(orderId)).toEqual(lost)
    expect(await decide(body._id, 'won')).toMatchObject({ status: 409, body: { code: 'dispute_decided' } })
    expect(await traces(orderId)).toEqual(lost)
    // An offer stays redeemed.
    expect(await buy(kind, itemId)).toMatchObject({ status: kind === 'singles' ? 409 : 200 })
  })
})

test.each(['single', 'bundle'] as const)(
  'a %s that the bank hasn’t decided on isn’t sold again, nor called owned',
  async (kind) => {
    const { orderId, itemId } = await buy(kind)
    const { body } = await dispute(orderId)
    expect(await buy(kind, itemId)).toMatchObject({ status: 409, code: 'purchase_disputed' })
    expect(await decide(body._id, 'won')).toMatchObject({ status: 200 })
    expect(await buy(kind, itemId)).toMatchObject({ status: 409, code: 'already_owned' })
  },
)

describe.each(OFFERED_KINDS)('a part of a %s that is lost', (kind) => {
  test('takes that part alone: the buyer has what the rest paid for, until that is given back as well', async () => {
    const { orderId, itemId } = await buy(kind)
    await settle()
    const { body } = await dispute(orderId, { amount: '$2' })
    expect(await traces(orderId)).toEqual({ ...DISPUTED, pending: '$6.40', reserved: '$1.60' })
    expect(await decide(body._id, 'lost')).toMatchObject({ status: 200 })
    const rest = { ...SOLD, pending: '$6.40' }
    expect(await traces(orderId)).toEqual(rest)
    const kept = await scene.harness.api
      .as(scene.operator)
      .call(routes.payment, { params: { transactionId: orderId } })
    expect(kept.lost).toBe('$2')
    expect(kept).toMatchObject({ status: 'captured', refundable: '$7.99' })
    expect(await refund(orderId, '$8')).toMatchObject({
      ...{ status: 409, body: { code: 'refund_exceeds_payment' } },
    })
    expect(await traces(orderId)).toEqual(rest)
    expect(await refund(orderId, '$7.99')).toMatchObject({ status: 200 })
    const over = { ...SOLD, payment: 'refunded', access: 0, lost: true, pending: '$0' }
    expect(await traces(orderId)).toEqual(over)
    // An offer stays redeemed.
    expect(await buy(kind, itemId)).toMatchObject({ status: kind === 'singles' ? 409 : 200 })
  })

  test('leaves the rest to be disputed and lost as well', async () => {
    const { orderId } = await buy(kind)
    await decide((await dispute(orderId, { amount: '$2' })).body._id, 'lost')
    expect(await dispute(orderId, { amount: '$8' })).toMatchObject({
      ...{ status: 409, body: { code: 'dispute_exceeds_payment' } },
    })
    const { body } = await dispute(orderId, { amount: '$7.99' })
    expect(await traces(orderId)).toEqual({ ...DISPUTED, reserved: '$6.40' })
    await decide(body._id, 'lost')
    expect(await traces(orderId)).toEqual({ ...DISPUTED, lost: true, reserved: '$0' })
  })
})

test('the database itself refuses a refund of what a bank has kept', async () => {
  const { orderId } = await buy()
  await decide((await dispute(orderId, { amount: '$2' })).body._id, 'lost')
  const { db } = scene.harness.context
  const { id: payment_id } = await db
    .selectFrom('payments')
    .select('id')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  const asked = { reason: 'Too much', requested_by: null, reference: crypto.randomUUID().slice(0, 20) }
  const refunded = { payment_id, order_id: orderId, amount_cents: 800, created_at: scene.harness.clock.now() }
  const insert = db.insertInto('refunds').values({ ...refunded, ...asked })
  await expect(insert.execute()).rejects.toThrow('exceed it')
})

test('what was bought is kept for as long as its dispute lasts, though its creator deleted it', async () => {
  const { orderId, itemId } = await buy('single')
  const { body } = await dispute(orderId)
  await scene.harness.api
    .as(scene.creator)
    .send('POST', '/media/deletemedia', { body: { mediaId: itemId, creatorId: scene.creator.id } })
  scene.harness.clock.advance(60 * DAY_MS)
  await scene.harness.runJobs()
  await decide(body._id, 'won')
  const version = await scene.harness.context.db
    .selectFrom('media_versions')
    .select('purged_at')
    .where('media_id', '=', itemId)
    .executeTakeFirstOrThrow()
  expect(version.purged_at).toBeNull()
  const { media } = await scene.harness.api
    .as(scene.fan)
    .call(routes.viewMedia, { params: { mediaId: itemId } })
  expect(media).toMatchObject({ _id: itemId })
})

test('no refund is made of what is disputed, no dispute of what was voided, and none of more than was charged', async () => {
  const { orderId } = await buy()
  expect(await dispute(orderId, { amount: '$10' })).toMatchObject({
    ...{ status: 409, body: { code: 'dispute_exceeds_payment' } },
  })
  expect(await dispute(orderId, { amount: '$4' })).toMatchObject({ status: 200 })
  expect(await refund(orderId, '$9.99')).toMatchObject({ status: 409, body: { code: 'not_refundable' } })
  expect(await traces(orderId)).toMatchObject({ payment: 'disputed', reserved: '$3.20' })
  const other = await buy()
  expect(await refund(other.orderId, '$9.99')).toMatchObject({ status: 200 })
  expect(await dispute(other.orderId)).toMatchObject({ status: 409, body: { code: 'not_disputable' } })
  expect(await traces(other.orderId)).toMatchObject({ payment: 'voided', discrepancies: 0 })
})

test('of 20 records of one dispute at once there is one, and the bank takes its fee once', async () => {
  const { orderId } = await buy()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => dispute(orderId, { caseNumber: `case ${at % 2}` })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
  expect(await traces(orderId)).toEqual(DISPUTED)
  const opened = answers.find(({ status }) => status === 200)?.body._id ?? ''
  const decisions = await Promise.all(
    Array.from({ length: 10 }, (_, at) => decide(opened, at % 2 ? 'won' : 'lost')),
  )
  expect(decisions.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await traces(orderId)).toMatchObject({ reserved: '$0', discrepancies: 0 })
})

test('a dispute and a refund of the same payment at once: one of them', async () => {
  const { orderId } = await buy()
  const statuses = (await Promise.all([refund(orderId, '$9.99'), dispute(orderId)])).map(
    ({ status }) => status,
  )
  expect(statuses.toSorted()).toEqual([200, 409])
  expect(await traces(orderId)).toMatchObject({ access: 0, discrepancies: 0 })
})

test('a live installation records no dispute of what the sandbox made', async () => {
  const { orderId } = await buy()
  const { db } = scene.harness.context
  await db.updateTable('installation').set({ livemode: true }).execute()
  try {
    expect(await dispute(orderId)).toMatchObject({ status: 404 })
  } finally {
    await db.updateTable('installation').set({ livemode: false }).execute()
  }
  expect(await traces(orderId)).toEqual(SOLD)
})

test('the same case is recorded once, and its number is asked for', async () => {
  const { orderId } = await buy()
  const first = await dispute(orderId, { caseNumber: 'CB-1' })
  await decide(first.body._id, 'won')
  expect(await dispute(orderId, { caseNumber: 'CB-1' })).toMatchObject({
    ...{ status: 409, body: { code: 'dispute_recorded' } },
  })
  expect(await dispute(orderId, { caseNumber: ' ' })).toMatchObject({ status: 400 })
  expect(await traces(orderId)).toEqual(SOLD)
})

test('evidence isn’t due on a day that is over everywhere', async () => {
  const { orderId } = await buy()
  const inDays = (days: number) =>
    new Date(scene.harness.clock.now().getTime() + days * 24 * 3600 * 1000).toISOString().slice(0, 10)
  expect(await dispute(orderId, { respondBy: inDays(-2) })).toMatchObject({
    ...{ status: 400, body: { code: 'dispute_respond_by', error: 'Enter today or a later day.' } },
  })
  expect(await dispute(orderId, { respondBy: inDays(0) })).toMatchObject({ status: 200 })
})

test('a dispute of nothing is refused at the amount', async () => {
  const { orderId } = await buy()
  expect(await dispute(orderId, { amount: '$0' })).toMatchObject({
    ...{ status: 400, body: { details: { amount: 'Enter an amount above $0.' } } },
  })
})

test('who may not, or did not prove who they are again, records and reads nothing', async () => {
  const { orderId } = await buy()
  const support = await buildUser(scene.harness, { role: 'support' })
  const stale = await buildUser(scene.harness, { role: 'finance' })
  for (const by of [scene.fan, scene.creator, support, stale])
    expect(await dispute(orderId, { by })).toMatchObject({ status: 403 })
  expect(await dispute(crypto.randomUUID())).toMatchObject({ status: 404 })
  const { body } = await dispute(orderId)
  for (const by of [scene.fan, scene.creator, support]) {
    expect(await decide(body._id, 'won', by)).toMatchObject({ status: 403 })
    const evidence = await scene.harness.api.as(by).send('GET', `/admin/disputes/${body._id}/evidence`, {})
    expect(evidence.status).toBe(403)
  }
  expect(await traces(orderId)).toEqual(DISPUTED)
})

test('operators see it in the list, the ratio and the evidence; the creator is told', async () => {
  const { orderId } = await buy()
  const before = await scene.harness.api.as(scene.operator).call(routes.disputeRatio, {})
  const { body } = await dispute(orderId, { caseNumber: 'CB-77' })
  const { items } = await scene.harness.api.as(scene.operator).call(routes.disputes, { query: {} })
  expect(items[0]).toMatchObject({
    ...{ _id: body._id, transactionId: orderId, status: 'open', caseNumber: 'CB-77' },
    ...{ amount: '$9.99', fee: '$15', buyer: { username: scene.fan.username }, respondBy: null },
  })
  const after = await scene.harness.api.as(scene.operator).call(routes.disputeRatio, {})
  expect(after).toMatchObject({ payments: before.payments, disputes: before.disputes + 1 })
  const { sections } = await scene.harness.api
    .as(scene.operator)
    .call(routes.disputeEvidence, { params: { disputeId: body._id } })
  const facts = sections.flatMap((section) => section.facts.map(({ label }) => `${section.title}: ${label}`))
  expect(facts).toEqual(
    expect.arrayContaining([
      'Dispute: Case number',
      'What was bought: Item 1',
      'Consent: Terms accepted',
      'Consent: From network',
      'Charge: Gateway’s transaction',
      'Access: Unlocked',
      'Buyer’s account: Email',
    ]),
  )
  expect(JSON.stringify(sections)).not.toMatch(/null|undefined|NaN/)
  const { db } = scene.harness.context
  const told = await db
    .selectFrom('notifications')
    .select('kind')
    .where('user_id', '=', scene.creator.id)
    .execute()
  expect(told.map(({ kind }) => kind).sort()).toEqual(['sale.disputed', 'sale.made'])
  const log = await db.selectFrom('audit_log').selectAll().where('target_id', '=', orderId).execute()
  expect(log).toMatchObject([{ actor_id: scene.operator.id, action: 'dispute.opened' }])
})

test('the evidence says of no tip that it unlocked something, and counts what was kept of earlier purchases', async () => {
  const [kept, partly, askedBack] = [await tip('$5'), await tip('$10'), await tip('$20')]
  await settle()
  expect(await refund(partly, '$4')).toMatchObject({ status: 200 })
  expect(await dispute(askedBack, { amount: '$20' })).toMatchObject({ status: 200 })
  const { body } = await dispute(await tip('$30'), { amount: '$30' })
  const { sections } = await scene.harness.api
    .as(scene.operator)
    .call(routes.disputeEvidence, { params: { disputeId: body._id } })
  const facts = sections.flatMap((section) => section.facts)
  expect(facts.filter(({ label }) => label === 'Unlocked')).toEqual([])
  const { created_at: first } = await scene.harness.context.db
    .selectFrom('orders')
    .select('created_at')
    .where('id', '=', kept)
    .executeTakeFirstOrThrow()
  const since = first.toISOString().slice(0, 16).replace('T', ' ')
  expect(facts.find(({ label }) => label.startsWith('Earlier purchases'))).toEqual({
    label: 'Earlier purchases, not refunded or disputed',
    value: `2 for $11, the first ${since} UTC`,
  })
})

test('the evidence counts no purchase of the other mode, as of the sandbox once it is live', async () => {
  const { db } = scene.harness.context
  await db.updateTable('installation').set({ livemode: true }).execute()
  await tip('$5').finally(() => db.updateTable('installation').set({ livemode: false }).execute())
  const { body } = await dispute(await tip('$30'), { amount: '$30' })
  const { sections } = await scene.harness.api
    .as(scene.operator)
    .call(routes.disputeEvidence, { params: { disputeId: body._id } })
  const facts = sections.flatMap((section) => section.facts)
  expect(facts.find(({ label }) => label.startsWith('Earlier purchases'))).toMatchObject({ value: 'None' })
})
