import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { buildCreator, buildMedia, buildPlan, buildSession, buildUser } from '../../../../testing/builders.ts'
import { cardToken, planFault, reviewHeld } from '../../../../testing/gateway.ts'
import { waitingForLocks, waitingForTurns } from '../../../../testing/locks.ts'
import { DAY_MS, MASTERCARD, MINUTE_MS, storedCards } from '../../../../testing/money/cards.ts'
import { emailsTo } from '../../../../testing/security.ts'

/** What a charge that was under review does to cards, where its owner did something with them meanwhile. */
const scene = storedCards()
const { api, added, cardsOf, shown, forget, renew, subscribes, subscription, toRenewal, charges } = scene

const recovers = async () => {
  scene.harness.clock.advance(5 * MINUTE_MS)
  await scene.harness.server.jobs['purchases.recover']({}, { attempt: 1, lastAttempt: false })
}

async function approve(): Promise<void> {
  const held = await scene.harness.context.db
    .selectFrom('payments')
    .select('gateway_transaction_id')
    .where('buyer_id', '=', scene.fan.id)
    .where('status', '=', 'held')
    .executeTakeFirstOrThrow()
  await reviewHeld(scene.harness, held.gateway_transaction_id ?? '', 'approve')
}

async function buysUnderReview(body: { kind: 'subscription' | 'single'; itemId: string }, card = MASTERCARD) {
  await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'heldForReview' })
  const sent = { ...body, saveCard: true, ...(await cardToken(scene.harness, card)) }
  expect((await (await api()).send('POST', '/users/purchase', { body: sent })).status).toBe(202)
}

test('a card that was removed under review, and that the gateway has forgotten since, stays removed', async () => {
  const cardId = await added(MASTERCARD)
  const creator = await buildCreator(scene.harness)
  const itemId = await buildPlan(scene.harness, creator, {
    mediaIds: [await buildMedia(scene.harness, creator)],
  })
  await buysUnderReview({ kind: 'subscription', itemId })
  scene.harness.clock.advance(MINUTE_MS)
  await (await api()).call(routes.removeCard, { body: { cardId } })
  scene.harness.clock.advance(MINUTE_MS)
  await forget()
  await approve()
  await recovers()
  expect(await subscription()).toMatchObject({ status: 'active' })
  expect(await cardsOf()).toEqual([])
  await toRenewal()
  await renew()
  expect(await charges()).toBe(1)
})

test.each(['typed', 'stored'])(
  'the receipt of a first payment whose %s card was removed under review doesn’t say that it renews',
  async (how) => {
    const { harness } = scene
    const cardId = await added(MASTERCARD)
    const creator = await buildCreator(harness)
    const itemId = await buildPlan(harness, creator, { mediaIds: [await buildMedia(harness, creator)] })
    await planFault(harness, { call: 'createTransactionRequest', effect: 'heldForReview' })
    const card = how === 'typed' ? await cardToken(harness, MASTERCARD) : { cardId }
    const body = { kind: 'subscription', itemId, ...card }
    expect((await (await api()).send('POST', '/users/purchase', { body })).status).toBe(202)
    harness.clock.advance(MINUTE_MS)
    await (await api()).call(routes.removeCard, { body: { cardId } })
    await approve()
    await recovers()
    expect(await subscription()).toMatchObject({ status: 'active', card: null })
    const mails = await emailsTo(harness, scene.fan.email)
    const [receipt, ...more] = mails.filter(({ subject }) => subject.startsWith('Your receipt'))
    expect(more).toEqual([])
    expect(receipt?.text).toContain('Total: $9.99, charged to Mastercard 0015')
    expect(receipt?.text).not.toContain('It renews')
    expect(receipt?.text).not.toContain('one-time')
    expect(receipt?.text).toMatch(
      /It’s paid until \w+ \d+, \d+, and doesn’t renew unless you add a card by then\./,
    )
  },
)

test('a first payment that is reviewed while its fan removes another card renews by the card that paid', async () => {
  const { harness } = scene
  const cardId = await added()
  const creator = await buildCreator(harness)
  const itemId = await buildPlan(harness, creator, { mediaIds: [await buildMedia(harness, creator)] })
  await buysUnderReview({ kind: 'subscription', itemId })
  harness.clock.advance(MINUTE_MS)
  await (await api()).call(routes.removeCard, { body: { cardId } })
  await approve()
  await recovers()
  expect(await shown()).toEqual(['Mastercard 0015'])
  expect(await subscription()).toMatchObject({ status: 'active', card: 'Mastercard 0015' })
  const mails = await emailsTo(harness, scene.fan.email)
  expect(mails.find(({ subject }) => subject.startsWith('Your receipt'))?.text).toContain('It renews')
})

test('what is past due, and paid by another card that is reviewed first, renews by that card', async () => {
  await subscribes()
  await toRenewal()
  await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'lostOrStolen' })
  await renew()
  expect(await subscription()).toMatchObject({ status: 'past_due', card: 'Visa 1111' })
  scene.harness.clock.advance(DAY_MS)
  const { plan_id: itemId } = await scene.harness.context.db
    .selectFrom('subscriptions')
    .select('plan_id')
    .where('fan_id', '=', scene.fan.id)
    .executeTakeFirstOrThrow()
  await buysUnderReview({ kind: 'subscription', itemId })
  await approve()
  await recovers()
  expect((await cardsOf()).map(({ lastFour }) => lastFour)).toContain('0015')
  expect(await subscription()).toMatchObject({ status: 'active', card: 'Mastercard 0015' })
})

test('a card that is called stolen while it is being kept isn’t kept', async () => {
  const { harness } = scene
  const creator = await buildCreator(harness)
  const buy = () => buildMedia(harness, creator, { showInStore: true, priceCents: 999 })
  const bought = await (await api()).call(routes.purchase, {
    body: { kind: 'single', itemId: await buy(), ...(await cardToken(harness, MASTERCARD)) },
  })
  await buysUnderReview({ kind: 'single', itemId: await buy() })
  await approve()
  const { id } = await buildUser(harness, { role: 'finance' })
  const token = await buildSession(harness, id, { reauthenticatedAt: harness.clock.now() })
  const { db } = harness.context
  const both: Promise<unknown>[] = []
  await db.transaction().execute(async (tx) => {
    await sql`lock table stored_cards in share mode`.execute(tx)
    both.push(recovers())
    await expect.poll(() => waitingForLocks(db, 'stored_cards'), { timeout: 20_000 }).toBe(1)
    const disputed = harness.api.as({ token }).call(
      routes.openDispute,
      {
        body: {
          ...{ transactionId: bought._id, amount: '$9.99', fee: '$15', cause: 'fraud' },
          ...{ caseNumber: crypto.randomUUID(), reason: 'By the bank’s letter' },
        },
      },
      { idempotencyKey: crypto.randomUUID() },
    )
    both.push(disputed)
    // It has taken place before the card is kept, or it waits for that.
    await Promise.race([disputed, expect.poll(() => waitingForTurns(db), { timeout: 20_000 }).toBe(1)])
  })
  await Promise.all(both)
  expect(await cardsOf()).toEqual([])
})

test.each([
  ['removes', []],
  ['adds again', ['Mastercard 0015']],
])(
  'a card that its owner %s while it is being kept is as they left it, and neither locks the other out',
  async (does, left) => {
    const { harness } = scene
    const { db } = harness.context
    const cardId = await added(MASTERCARD)
    const creator = await buildCreator(harness)
    const itemId = await buildMedia(harness, creator, { showInStore: true, priceCents: 999 })
    await buysUnderReview({ kind: 'single', itemId })
    await approve()
    const fan = await api()
    const change = async () =>
      does === 'removes'
        ? fan.call(routes.removeCard, { body: { cardId } })
        : fan.call(routes.addCard, { body: await cardToken(harness, MASTERCARD) })
    const both: Promise<unknown>[] = []
    await db.transaction().execute(async (tx) => {
      await tx.selectFrom('stored_cards').select('id').where('id', '=', cardId).forUpdate().execute()
      both.push(change())
      await expect.poll(() => waitingForLocks(db, 'stored_cards'), { timeout: 20_000 }).toBe(1)
      both.push(recovers())
      // Else each might hold what the other waits for: the card, and the subscription that it pays.
      await expect.poll(() => waitingForTurns(db), { timeout: 20_000 }).toBe(1)
    })
    await Promise.all(both)
    expect(await shown()).toEqual(left)
  },
)
