import { expect, onTestFinished, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import type { TermMonths } from '../../../../../contract/subscriptions.ts'
import { buildCreator, buildFan, buildMedia, buildPlan } from '../../../../testing/builders.ts'
import { cardToken, planFault, TEST_CARDS } from '../../../../testing/gateway.ts'
import { DAY_MS, MASTERCARD, MINUTE_MS, storedCards } from '../../../../testing/money/cards.ts'
import { emailsTo } from '../../../../testing/security.ts'
import { forgetUnkept } from '../../cards/actions.ts'

/** What a card pays that the gateway keeps only after its owner has decided about others. */
const scene = storedCards()
const { api, added, cardsOf, shown, renew, subscribes, subscription, toRenewal } = scene

/** Until the answer is there, the gateway's answers to keeping the card of a charge are lost. */
async function losesAnswers() {
  const call = 'createCustomerProfileFromTransactionRequest'
  const answer = await planFault(scene.harness, { call, effect: 'resetAfter', times: 1_000 })
  onTestFinished(answer)
  return answer
}

/** Whatever the gateway left unanswered is due again within a day. */
async function recoversDaily(days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    scene.harness.clock.advance(DAY_MS + MINUTE_MS)
    await scene.harness.server.jobs['purchases.recover']({}, { attempt: 1, lastAttempt: false })
  }
}

async function buysPlan(months: TermMonths = 1): Promise<void> {
  const creator = await buildCreator(scene.harness)
  const itemId = await buildPlan(scene.harness, creator, {
    mediaIds: [await buildMedia(scene.harness, creator)],
  })
  await scene.harness.context.db
    .insertInto('subscription_plan_terms')
    .values({ plan_id: itemId, months: 3, discount_percent: 10 })
    .execute()
  const card = await cardToken(scene.harness, TEST_CARDS.cardNotStored)
  await (await api()).call(routes.purchase, { body: { kind: 'subscription', itemId, months, ...card } })
}

test('who removed the card of a subscription meanwhile keeps the late one, and the subscription has none', async () => {
  const answer = await losesAnswers()
  await buysPlan()
  scene.harness.clock.advance(MINUTE_MS)
  const cardId = await added(MASTERCARD)
  expect(await subscription()).toMatchObject({ card: 'Mastercard 0015' })
  scene.harness.clock.advance(MINUTE_MS)
  await (await api()).call(routes.removeCard, { body: { cardId } })
  await answer()
  await recoversDaily(2)
  expect(await shown()).toEqual(['Visa 1111'])
  expect(await subscription()).toMatchObject({ status: 'active', card: null })
})

test('who removed only another card meanwhile renews by the late one', async () => {
  const cardId = await added(MASTERCARD)
  const answer = await losesAnswers()
  await buysPlan()
  scene.harness.clock.advance(MINUTE_MS)
  await (await api()).call(routes.removeCard, { body: { cardId } })
  await answer()
  await recoversDaily(2)
  expect(await shown()).toEqual(['Visa 1111'])
  expect(await subscription()).toMatchObject({ status: 'active', card: 'Visa 1111' })
})

test('a card that was only to be forgotten is none that its fan removed', async () => {
  const { context, clock } = scene.harness
  await subscribes()
  const [{ _id: cardId = '' } = {}] = await cardsOf()
  await (await api()).call(routes.removeCard, { body: { cardId } })
  await toRenewal()
  await renew()
  const answer = await losesAnswers()
  const itemId = (await subscription())?.planId ?? ''
  const token = await cardToken(scene.harness, { ...MASTERCARD, cardCode: TEST_CARDS.cardNotStored.cardCode })
  await (await api()).call(routes.purchase, { body: { kind: 'subscription', itemId, ...token } })
  clock.advance(MINUTE_MS)
  const known = { brand: 'MasterCard', lastFour: '0015', expires: null }
  const forgotten = { ...known, customerProfileId: 'earlier', paymentProfileId: 'earlier' }
  await context.db.transaction().execute((tx) => forgetUnkept(tx, scene.fan.id, forgotten, clock.now()))
  await answer()
  await recoversDaily(2)
  expect(await shown()).toEqual(['Mastercard 0015'])
  expect(await subscription()).toMatchObject({ status: 'active', card: 'Mastercard 0015' })
})

test.each([
  ['was declined', 'chose it again', 'Visa 1111'],
  ['was declined', 'did not choose it again', 'Mastercard 0015'],
  ['was charged by no run', 'chose it again', 'Visa 1111'],
  ['was charged by no run', 'did not choose it again', 'Mastercard 0015'],
])(
  'a subscription whose card %s, and whose fan %s before the one that paid was kept, renews by the %s',
  async (why, how, card) => {
    await subscribes()
    await toRenewal()
    if (why === 'was declined') {
      await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'declined' })
      await renew()
    } else {
      scene.harness.clock.advance(5 * DAY_MS)
      await scene.harness.server.jobs['subscriptions.expire']({}, { attempt: 1, lastAttempt: false })
    }
    expect(await subscription()).toMatchObject({ status: 'past_due', card: 'Visa 1111' })
    scene.harness.clock.advance(MINUTE_MS)
    const answer = await losesAnswers()
    const itemId = (await subscription())?.planId ?? ''
    const token = await cardToken(scene.harness, {
      ...MASTERCARD,
      cardCode: TEST_CARDS.cardNotStored.cardCode,
    })
    await (await api()).call(routes.purchase, { body: { kind: 'subscription', itemId, ...token } })
    expect(await subscription()).toMatchObject({ status: 'active', card: 'Visa 1111' })
    scene.harness.clock.advance(MINUTE_MS)
    const [{ _id: cardId = '' } = {}] = await cardsOf()
    if (how === 'chose it again') await (await api()).call(routes.renewByCard, { body: { cardId } })
    await answer()
    await recoversDaily(2)
    expect((await shown()).toSorted()).toEqual(['Mastercard 0015', 'Visa 1111'])
    expect(await subscription()).toMatchObject({ status: 'active', card })
  },
)

test.each<[TermMonths, string]>([
  [1, 'by the notice of the renewal alone'],
  [3, 'at once, and by the notice of the renewal'],
])(
  'after 30 days without an answer the gateway isn’t asked anymore, and the fan of %i months is told %s',
  async (months) => {
    const { harness } = scene
    await losesAnswers()
    await buysPlan(months)
    const asked: number[] = []
    const gateway = harness.context.payments
    harness.context.payments = {
      ...gateway,
      keepCardOf: async (charged) => {
        asked.push(harness.clock.now().getTime())
        return gateway.keepCardOf(charged)
      },
    }
    onTestFinished(() => {
      harness.context.payments = gateway
    })
    const end = new Date((await subscription())?.expiration ?? 0).getTime()
    const remind = () => harness.server.jobs['renewals.remind']({}, { attempt: 1, lastAttempt: false })
    const told = async () =>
      (await emailsTo(harness, scene.fan.email)).filter(({ subject }) => subject.startsWith('Add a card by'))
    for (let day = 0; day < 29; day++) {
      await recoversDaily(1)
      await remind()
    }
    expect(await told()).toHaveLength(months === 1 ? 1 : 0)
    const before = asked.length
    await recoversDaily(5)
    expect(asked.length - before).toBe(1)
    expect(await told()).toHaveLength(1)
    if (months === 1) return
    harness.clock.advance(end - 2 * DAY_MS - harness.clock.now().getTime())
    await recoversDaily(1)
    await remind()
    expect(await told()).toHaveLength(2)
  },
)

test('while cards of others are still being kept, a receipt tells of its own subscription', async () => {
  const { harness } = scene
  const answer = await losesAnswers()
  await buysPlan()
  await answer()
  const other = await buildFan(harness)
  const itemId = await buildPlan(harness, await buildCreator(harness), { priceCents: 700 })
  const body = { kind: 'subscription' as const, itemId, ...(await cardToken(harness)) }
  await harness.api.as(other).call(routes.purchase, { body })
  const mails = await emailsTo(harness, other.email)
  const [receipt] = mails.filter(({ subject }) => subject.startsWith('Your receipt'))
  expect(receipt?.text).toMatch(/It renews .* for \$7, /)
  expect(receipt?.text).not.toContain('$9.99')
})
