import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildMedia, buildSession, buildUser, type Person } from '../../../testing/builders.ts'
import { connect, messageOf, until } from '../../../testing/chat.ts'
import { customRequests } from '../../../testing/custom-requests.ts'
import { planFault } from '../../../testing/gateway.ts'
import type { Harness } from '../../../testing/harness.ts'
import { recordOutside, sendOutside } from '../../../testing/outside.ts'
import { emailsTo, reauthenticatedApi } from '../../../testing/security.ts'
import { violations } from '../../../testing/year/accounts.ts'

const HOUR_MS = 3600 * 1000
const DAY_MS = 24 * 3600 * 1000

const {
  scene,
  as,
  ask,
  accept,
  deliver,
  pay,
  askAndPay,
  conversation,
  cardOf,
  stateOf,
  openOf,
  mailsTo,
  giveBack,
  refund,
} = customRequests()
let harness: Harness
let creator: Person
let fan: Person
let stranger: Person

beforeAll(() => {
  ;({ harness } = scene)
})
beforeEach(() => {
  ;({ creator, fan, stranger } = scene)
})

/** The order that paid for a request. */
async function orderOf(requestId: string): Promise<string> {
  const { id } = await harness.context.db
    .selectFrom('orders')
    .select('id')
    .where('item_id', '=', requestId)
    .executeTakeFirstOrThrow()
  return id
}

/** What the creator has, as their page shows it. */
async function balance() {
  const api = as({ ...creator, token: await buildSession(harness, creator.id) })
  const { pending, available, reserved } = await api.call(routes.balance, { query: {} })
  return { pending, available, reserved }
}

test('what is not delivered in time is refunded once, by itself, and can’t be delivered anymore', async () => {
  const requestId = await askAndPay()
  expect(await mailsTo(creator)).toHaveLength(2)
  harness.clock.advance(3 * DAY_MS - HOUR_MS)
  await giveBack()
  expect(await stateOf()).toBe('paid')
  harness.clock.advance(2 * HOUR_MS)
  for (let run = 0; run < 2; run++) await giveBack()
  expect(await stateOf()).toBe('refunded')
  const refunds = await harness.context.db
    .selectFrom('refunds')
    .innerJoin('orders', 'orders.id', 'refunds.order_id')
    .select(['refunds.amount_cents', 'refunds.requested_by'])
    .where('item_id', '=', requestId)
    .execute()
  expect(refunds).toEqual([{ amount_cents: 2000, requested_by: null }])
  expect(await deliver(requestId, [await buildMedia(harness, creator)])).toMatchObject({
    status: 409,
    body: { code: 'custom_request_closed' },
  })
  expect(await pay(requestId)).toMatchObject({ status: 404, body: { code: 'item_not_found' } })
  expect(await openOf()).toBe(0)
  expect(await mailsTo(fan)).toEqual(expect.arrayContaining(['Your refund of $20']))
  const [refunded] = (await emailsTo(harness, fan.email)).filter(({ subject }) =>
    subject.startsWith('Your refund'),
  )
  const why = `“Custom request to @${creator.username}” wasn’t delivered by its deadline, so we refunded $20.`
  expect(refunded?.text).toContain(why)
  const { items } = await as({ ...fan, token: await buildSession(harness, fan.id) }).call(
    routes.customRequests,
    { query: {} },
  )
  expect(items).toMatchObject([{ state: 'refunded', late: true }])
  expect(await mailsTo(creator)).toEqual(
    expect.arrayContaining([`Your custom request from ${fan.username} is overdue`]),
  )
})

test('one that can’t be marked as late keeps no other from being refunded', async () => {
  const { db } = harness.context
  const [first, second] = [await askAndPay(), await askAndPay()]
  await sql`create function refuses() returns trigger language plpgsql as 'begin raise exception $$not now$$; end'`.execute(
    db,
  )
  await sql`create trigger refuses before update on custom_requests for each row
    when (new.id = ${sql.lit(first)}) execute function refuses()`.execute(db)
  harness.clock.advance(3 * DAY_MS + HOUR_MS)
  await giveBack()
  const states = async () => {
    const api = as({ ...fan, token: await buildSession(harness, fan.id) })
    const { items } = await api.call(routes.customRequests, { query: {} })
    return [first, second].map((id) => items.find(({ _id }) => _id === id)?.state)
  }
  expect(await states()).toEqual(['paid', 'refunded'])
  await sql`drop function refuses cascade`.execute(db)
  await giveBack()
  expect(await states()).toEqual(['refunded', 'refunded'])
})

test('of one that is late only what is left is given back, and told', async () => {
  const requestId = await askAndPay()
  const orderId = await orderOf(requestId)
  // Partial refunds are possible once it has settled.
  await fetch(`${harness.sandboxOrigin}/sandbox/authorizenet/admin/settle`, { method: 'POST' })
  await refund(orderId, '$5')
  harness.clock.advance(3 * DAY_MS)
  await giveBack()
  expect(await stateOf()).toBe('refunded')
  const notices = await as({ ...creator, token: await buildSession(harness, creator.id) }).call(
    routes.notifications,
    { query: {} },
  )
  const told = notices.items.flatMap(({ event }) =>
    event.kind === 'custom.sold' ? [[event.data.state, event.data.amount]] : [],
  )
  expect(told).toEqual([
    ['overdue', '$15'],
    ['paid', '$20'],
  ])
})

test('what it earns can be paid out 7 days after the delivery was due, as the fan may get it back until then', async () => {
  const requestId = await ask()
  await accept(requestId, { price: '$20', deliveryDays: 28 })
  expect((await pay(requestId, { price: '$20' })).status).toBe(200)
  harness.clock.advance(27 * DAY_MS)
  expect(await balance()).toMatchObject({ pending: '$16', available: '$0' })
  const back = { ...creator, token: await buildSession(harness, creator.id) }
  const delivered = await deliver(requestId, [await buildMedia(harness, creator)], back)
  expect(delivered.status).toBe(200)
  harness.clock.advance(8 * DAY_MS - HOUR_MS)
  expect(await balance()).toMatchObject({ pending: '$16', available: '$0' })
  harness.clock.advance(2 * HOUR_MS)
  expect(await balance()).toMatchObject({ pending: '$0', available: '$16' })
})

test('a refund by an operator takes back what was delivered, and both see it', async () => {
  const requestId = await askAndPay()
  await deliver(requestId, [await buildMedia(harness, creator)])
  expect(await openOf()).toBe(1)
  const { conversation: before } = await conversation()
  const orderId = await orderOf(requestId)
  await refund(orderId, '$20')
  expect(await openOf()).toBe(0)
  const changed = await conversation(fan, creator, before.revision)
  expect(changed.messages.map(({ customRequest }) => customRequest?.state)).toEqual(['refunded', 'refunded'])
})

test('what it cost isn’t sent back another way while it is delivered', async () => {
  const requestId = await askAndPay()
  const orderId = await orderOf(requestId)
  const fault = { call: 'createTransactionRequest', effect: 'tokenUsed', times: 100 }
  const forgive = await planFault(harness, fault)
  await expect(refund(orderId, '$20')).rejects.toMatchObject({ code: 'refund_refused' })
  await forgive()
  const operator = await reauthenticatedApi(harness, await buildUser(harness, { role: 'finance' }))
  await sendOutside(operator, orderId)
  const mediaIds = [await buildMedia(harness, creator)]
  expect(await deliver(requestId, mediaIds)).toMatchObject({
    status: 409,
    body: { code: 'custom_request_refunding' },
  })
  await sendOutside(operator, orderId, false)
  expect(await deliver(requestId, mediaIds)).toMatchObject({ status: 200 })
})

const deliverBy = async () => Date.parse((await cardOf())?.deliverBy ?? '')
/** Whole days, as the clock of a test goes on by itself. */
const daysBetween = (from: number, until: number) => Math.floor((until - from) / DAY_MS)

test('the days to deliver stand still while it is sent back another way', async () => {
  const requestId = await askAndPay()
  const orderId = await orderOf(requestId)
  // Parts are refused before the settlement.
  await expect(refund(orderId, '$5')).rejects.toMatchObject({ code: 'refund_refused' })
  const toDeliver = async () => {
    const api = as({ ...creator, token: await buildSession(harness, creator.id) })
    const { items } = await api.call(routes.waiting, {})
    return items.filter(({ kind }) => kind === 'request_to_deliver').length
  }
  const person = await buildUser(harness, { role: 'finance' })
  const operator = () => reauthenticatedApi(harness, person)
  const before = await deliverBy()
  await sendOutside(await operator(), orderId)
  expect([(await cardOf())?.deliverBy, await toDeliver()]).toEqual([null, 0])
  harness.clock.advance(4 * DAY_MS)
  await giveBack()
  expect(await stateOf()).toBe('paid')
  await sendOutside(await operator(), orderId, false)
  await giveBack()
  expect([await stateOf(), daysBetween(before, await deliverBy()), await toDeliver()]).toEqual(['paid', 4, 1])
  // Once it was recorded there is a rest to deliver.
  await sendOutside(await operator(), orderId)
  harness.clock.advance(3 * DAY_MS)
  await recordOutside(await operator(), orderId)
  await giveBack()
  expect([await stateOf(), daysBetween(before, await deliverBy())]).toEqual(['paid', 7])
  const back = { ...creator, token: await buildSession(harness, creator.id) }
  expect(await deliver(requestId, [await buildMedia(harness, creator)], back)).toMatchObject({ status: 200 })
})

const release = () => harness.server.jobs['ledger.release']({}, { attempt: 1, lastAttempt: false })
const HELD = { pending: '$0', available: '$0', reserved: '$16' }

test.each([
  ['taken back', '$16'],
  ['recorded', '$12'],
] as const)(
  'what it earns is on hold while it is sent back another way, and once that is %s waits for the new date',
  async (end, left) => {
    const orderId = await orderOf(await askAndPay())
    await expect(refund(orderId, '$5')).rejects.toMatchObject({ code: 'refund_refused' })
    const person = await buildUser(harness, { role: 'finance' })
    const operator = () => reauthenticatedApi(harness, person)
    await sendOutside(await operator(), orderId)
    expect(await balance()).toEqual(HELD)
    // Its share was to be available after 10 days.
    harness.clock.advance(20 * DAY_MS)
    await release()
    expect(await balance()).toEqual(HELD)
    if (end === 'recorded') await recordOutside(await operator(), orderId, `Wire ${orderId}`)
    else await sendOutside(await operator(), orderId, false)
    const due = (await deliverBy()) + 7 * DAY_MS
    expect(await balance()).toEqual({ pending: left, available: '$0', reserved: '$0' })
    harness.clock.advance(due - harness.clock.now().getTime() - HOUR_MS)
    await release()
    expect(await balance()).toEqual({ pending: left, available: '$0', reserved: '$0' })
    harness.clock.advance(2 * HOUR_MS)
    await release()
    expect(await balance()).toEqual({ pending: '$0', available: left, reserved: '$0' })
    expect(await violations(harness)).toEqual({})
  },
)

test('what was being sent back another way before shares were held is on hold once that is begun anew', async () => {
  const orderId = await orderOf(await askAndPay())
  await expect(refund(orderId, '$5')).rejects.toMatchObject({ code: 'refund_refused' })
  const person = await buildUser(harness, { role: 'finance' })
  const began = { outside_since: harness.clock.now(), outside_by: person.id }
  await harness.context.db.updateTable('refunds').set(began).where('order_id', '=', orderId).execute()
  const operator = await reauthenticatedApi(harness, person)
  await sendOutside(operator, orderId, false)
  expect(await balance()).toEqual({ pending: '$16', available: '$0', reserved: '$0' })
  await sendOutside(operator, orderId)
  expect(await balance()).toEqual(HELD)
  expect(await violations(harness)).toEqual({})
})

test.each([
  ['won', '$12'],
  ['lost', '$8.80'],
] as const)('it stays on hold when a dispute meanwhile is %s', async (outcome, left) => {
  const orderId = await orderOf(await askAndPay())
  await expect(refund(orderId, '$5')).rejects.toMatchObject({ code: 'refund_refused' })
  const person = await buildUser(harness, { role: 'finance' })
  const operator = () => reauthenticatedApi(harness, person)
  await sendOutside(await operator(), orderId)
  const facts = { amount: '$4', fee: '$15', cause: 'duplicate' as const, caseNumber: crypto.randomUUID() }
  const opened = { transactionId: orderId, ...facts, reason: 'The bank’s letter' }
  const { _id: disputeId } = await (await operator()).call(routes.openDispute, { body: opened })
  expect(await balance()).toEqual(HELD)
  harness.clock.advance(20 * DAY_MS)
  await (await operator()).call(routes.decideDispute, { body: { disputeId, outcome, reason: 'Decided' } })
  await release()
  expect(await balance()).toEqual({ ...HELD, reserved: outcome === 'won' ? '$16' : '$12.80' })
  harness.clock.advance(20 * DAY_MS)
  await release()
  await recordOutside(await operator(), orderId, `Wire ${orderId}`)
  await release()
  expect(await balance()).toEqual({ pending: left, available: '$0', reserved: '$0' })
  expect(await violations(harness)).toEqual({})
})

test('it is on hold whether it became available or was put on hold first', async () => {
  const orderId = await orderOf(await askAndPay())
  await expect(refund(orderId, '$5')).rejects.toMatchObject({ code: 'refund_refused' })
  harness.clock.advance(11 * DAY_MS)
  const operator = await reauthenticatedApi(harness, await buildUser(harness, { role: 'finance' }))
  await Promise.all([sendOutside(operator, orderId), release(), release()])
  expect(await balance()).toEqual(HELD)
  expect(await violations(harness)).toEqual({})
})

test('both see at once when it begins to be sent back another way, and when it isn’t anymore', async () => {
  const orderId = await orderOf(await askAndPay())
  await expect(refund(orderId, '$5')).rejects.toMatchObject({ code: 'refund_refused' })
  const operator = await reauthenticatedApi(harness, await buildUser(harness, { role: 'finance' }))
  const chats = [await connect(harness, fan), await connect(harness, creator)]
  /** Waits until the newest event of both says that the days to deliver stand still, or don't. */
  const bothSee = (isStill: boolean) =>
    until(() =>
      chats.every((chat) => {
        const newest = chat.all('message changed').at(-1)?.message.customRequest
        return newest && (newest.deliverBy === null) === isStill
      }),
    )
  await sendOutside(operator, orderId)
  await bothSee(true)
  await sendOutside(operator, orderId, false)
  await bothSee(false)
  await sendOutside(operator, orderId)
  await bothSee(true)
  await recordOutside(operator, orderId, `Wire ${orderId}`)
  await bothSee(false)
  for (const chat of chats) chat.close()
})

test('the days of a dispute meanwhile count once', async () => {
  const requestId = await askAndPay()
  const orderId = await orderOf(requestId)
  await expect(refund(orderId, '$5')).rejects.toMatchObject({ code: 'refund_refused' })
  const before = await deliverBy()
  const person = await buildUser(harness, { role: 'finance' })
  const operator = () => reauthenticatedApi(harness, person)
  await sendOutside(await operator(), orderId)
  harness.clock.advance(2 * DAY_MS)
  const facts = { amount: '$4', fee: '$15', cause: 'duplicate' as const, caseNumber: crypto.randomUUID() }
  const opened = { transactionId: orderId, ...facts, reason: 'The bank’s letter' }
  const { _id: disputeId } = await (await operator()).call(routes.openDispute, { body: opened })
  harness.clock.advance(3 * DAY_MS)
  await recordOutside(await operator(), orderId)
  harness.clock.advance(5 * DAY_MS)
  const decision = { disputeId, outcome: 'lost' as const, reason: 'The bank’s decision' }
  await (await operator()).call(routes.decideDispute, { body: decision })
  expect([await stateOf(), daysBetween(before, await deliverBy())]).toEqual(['paid', 10])
})

test('a refund after its creator was suspended tells of their conversation nobody', async () => {
  const requestId = await askAndPay()
  const elsewhere = await connect(harness, fan, stranger)
  const sent = await elsewhere.emit('chat message', messageOf(fan, stranger))
  const messageId = (sent.ok && sent.message?._id) || ''
  const heard = await connect(harness, fan)
  const operator = await buildUser(harness, { role: 'superadmin' })
  await (await reauthenticatedApi(harness, operator)).call(routes.suspendPerson, {
    body: { userId: creator.id, reason: 'Trying it out' },
  })
  await refund(await orderOf(requestId), '$20')
  // Later events arrive later.
  await as(stranger).call(routes.reactToMessage, { body: { messageId, emoji: '❤️' } })
  await until(() => heard.all('message changed').some(({ message }) => message._id === messageId))
  expect(heard.all('message changed').map(({ message }) => message._id)).toEqual([messageId])
  heard.close()
  elsewhere.close()
})
