import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildBankDetails, buildCreator, buildFan, buildUser } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { DAY_MS, peopleWhoLeave } from '../../../testing/leaving.ts'
import { insertPurchase } from '../../../testing/purchases.ts'
import { emailsTo, reauthenticatedApi } from '../../../testing/security.ts'
import { findBooks } from '../../commerce/ledger/books/data.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

const { erase, remove, isErased } = peopleWhoLeave(() => harness)

/** A creator who earned $400 and asked for $390 of it. */
async function requestsPayout() {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  await buildBankDetails(harness, creator.id)
  await insertPurchase(harness.context.db, {
    ...{ buyer_id: fan.id, creator_id: creator.id, kind: 'single', item_id: crypto.randomUUID() },
    ...{ amount_cents: 50_000, status: 'captured' },
    created_at: new Date(harness.clock.now().getTime() - 8 * DAY_MS),
  })
  const api = await reauthenticatedApi(harness, creator)
  const { _id: payoutId } = await api.call(
    routes.requestPayout,
    { body: { amount: '$390' } },
    { idempotencyKey: crypto.randomUUID() },
  )
  return { creator, api, payoutId }
}

const owedToDeleted = async () => (await findBooks(harness.context.db)).owedToDeleted

test('the erasure of a creator waits for their payout, and what is left stays owed to the account', async () => {
  const { creator, payoutId } = await requestsPayout()
  const before = await owedToDeleted()
  await remove(creator)
  await erase()
  expect(await isErased(creator)).toBe(false)
  const operator = await reauthenticatedApi(harness, await buildUser(harness, { role: 'finance' }))
  const decide = (decision: 'approve' | 'paid') =>
    operator.call(routes.decidePayout, { body: { payoutId, decision, reason: 'As the bank says' } })
  await decide('approve')
  const body = { reason: 'For the bank' }
  const { csv } = await operator.call(routes.exportPayouts, { body }, { idempotencyKey: crypto.randomUUID() })
  expect(csv).toContain(payoutId)
  await erase()
  expect(await isErased(creator)).toBe(false)
  await decide('paid')
  await erase()
  expect(await isErased(creator)).toBe(true)
  expect(await owedToDeleted()).toEqual({ accounts: before.accounts + 1, cents: before.cents + 1000 })

  // A payment by hand afterwards is an adjustment that names the account.
  const second = await reauthenticatedApi(harness, await buildUser(harness, { role: 'finance' }))
  const paid = async (amount: string, named: { reference: string; reason: string }, isBack = false) => {
    const [from, to] = isBack ? (['suspense', 'bank'] as const) : (['bank', 'suspense'] as const)
    const date = harness.clock.now().toISOString().slice(0, 10)
    const { _id: adjustmentId } = await operator.call(
      routes.proposeAdjustment,
      { body: { from, to, amount, date, ...named } },
      { idempotencyKey: crypto.randomUUID() },
    )
    await second.call(routes.decideAdjustment, {
      body: { adjustmentId, decision: 'approve', reason: 'As the statement says' },
    })
  }
  const inReason = () => ({ reference: crypto.randomUUID(), reason: `Claim of ${creator.id.toUpperCase()}` })
  await paid('$4', inReason())
  expect(await owedToDeleted()).toEqual({ accounts: before.accounts + 1, cents: before.cents + 600 })
  await paid('$3', { reference: `claim ${creator.id}`, reason: 'The rest' })
  await paid('$1', inReason(), true)
  await paid('$50', { reference: crypto.randomUUID(), reason: 'Of another account' })
  expect(await owedToDeleted()).toEqual({ accounts: before.accounts + 1, cents: before.cents + 400 })
  await paid('$4', inReason())
  expect(await owedToDeleted()).toEqual(before)
})

test('who is leaving has 7 days from a payout that failed to ask for it again, and is told so', async () => {
  const { creator, api, payoutId } = await requestsPayout()
  // Mailed at once whatever the account chose, as hidden people get no digest.
  await api.call(routes.setNotificationTopic, { body: { topic: 'payouts', email: 'daily', push: false } })
  await remove(creator)
  const operator = await reauthenticatedApi(harness, await buildUser(harness, { role: 'finance' }))
  const body = { payoutId, decision: 'cancel' as const, reason: 'The bank is closed' }
  const aWeekOn = () =>
    new Date(harness.clock.now().getTime() + 7 * DAY_MS).toLocaleDateString('en-US', {
      ...{ dateStyle: 'medium', timeZone: 'UTC' },
    })
  const earliest = aWeekOn()
  await operator.call(routes.decidePayout, { body })
  const latest = aWeekOn()
  const mails = await emailsTo(harness, creator.email)
  expect(mails.find(({ subject }) => subject.startsWith('Your payout of $390 was canceled'))).toMatchObject({
    text: expect.stringMatching(`Log in before (${earliest}|${latest})`),
  })
  harness.clock.advance(6 * DAY_MS)
  await erase()
  expect(await isErased(creator)).toBe(false)
  harness.clock.advance(DAY_MS)
  await erase()
  expect(await isErased(creator)).toBe(true)
})
