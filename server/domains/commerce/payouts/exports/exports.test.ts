import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import type { Api } from '../../../../testing/api.ts'
import {
  buildBankDetails,
  buildCreator,
  buildFan,
  buildUser,
  type Person,
  US_ACCOUNT,
} from '../../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'
import { DAY_MS, peopleWhoLeave } from '../../../../testing/leaving.ts'
import { insertPurchase } from '../../../../testing/purchases.ts'
import { reauthenticatedApi } from '../../../../testing/security.ts'

let harness: Harness
let operator: Person
let finance: Api
let creator: Person
beforeAll(async () => {
  harness = await startHarness()
  operator = await buildUser(harness, { role: 'finance' })
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  finance = await reauthenticatedApi(harness, operator)
  creator = await buildCreator(harness)
  await buildBankDetails(harness, creator.id)
})

const { erase, remove, isErased } = peopleWhoLeave(() => harness)

/** A payout of $80 of the creator's that the bank can have; answers its id. */
async function approved(): Promise<string> {
  await insertPurchase(harness.context.db, {
    ...{ buyer_id: (await buildFan(harness)).id, creator_id: creator.id },
    ...{ kind: 'single', item_id: crypto.randomUUID(), amount_cents: 10_000, status: 'captured' },
    created_at: new Date(harness.clock.now().getTime() - 8 * DAY_MS),
  })
  const api = await reauthenticatedApi(harness, creator)
  const once = { idempotencyKey: crypto.randomUUID() }
  const { _id } = await api.call(routes.requestPayout, { body: { amount: '$80' } }, once)
  await decide(_id, 'approve')
  return _id
}

const decide = (payoutId: string, decision: 'approve' | 'paid' | 'failed' | 'returned') =>
  finance.call(routes.decidePayout, { body: { payoutId, decision, reason: 'Checked' } })
const exportAll = () =>
  finance.call(
    routes.exportPayouts,
    { body: { reason: 'Weekly run' } },
    { idempotencyKey: crypto.randomUUID() },
  )
const listed = async (api = finance) => (await api.call(routes.payoutExports, { query: {} })).items
const downloadAgain = async (exportId: string, api = finance) =>
  (await api.call(routes.downloadPayoutExport, { body: { exportId, reason: 'The network was cut' } })).csv
const newest = async () => (await listed())[0] ?? expect.unreachable()

test('a file whose answer was lost is had again, as it was, by any operator of finance, and that is recorded', async () => {
  const ids = [await approved(), await approved()]
  const { csv } = await exportAll()
  const made = await newest()
  expect(made).toEqual({
    ...{ _id: expect.any(String), exportedAt: expect.any(String), reason: 'Weekly run' },
    ...{ by: { _id: operator.id, username: operator.username }, count: 2, total: '$160', hasFile: true },
    ...{ paid: 0, unpaid: 0 },
  })
  // Neither new details, which would have to wait, nor what became of a payout changes the file.
  await (await reauthenticatedApi(harness, creator)).call(routes.saveBankDetails, {
    body: { accountHolder: 'Ada Lovelace', country: 'US', ...US_ACCOUNT, accountNumber: '999999999' },
  })
  await decide(ids[0] ?? '', 'paid')
  expect(await newest()).toMatchObject({ hasFile: true, paid: 1, unpaid: 0 })
  const colleague = await buildUser(harness, { role: 'finance' })
  expect(await downloadAgain(made._id, await reauthenticatedApi(harness, colleague))).toBe(csv)
  expect(csv).toMatch(new RegExp(ids.join('[^]*')))
  const { db } = harness.context
  const rows = () => db.selectFrom('payout_events').select('status').where('payout_id', 'in', ids).execute()
  expect((await rows()).filter(({ status }) => status === 'in_transit')).toHaveLength(2)
  const audited = await db
    .selectFrom('audit_log')
    .select(['actor_id', 'action', 'reason'])
    .where('target_id', '=', made._id)
    .execute()
  expect(audited).toEqual([
    { actor_id: colleague.id, action: 'payouts.downloaded', reason: 'The network was cut' },
  ])
  // An export of nothing leaves nothing behind.
  expect(await exportAll()).toMatchObject({ count: 0 })
  expect((await newest())._id).toBe(made._id)
})

test('a file of which a payout failed or came back isn’t had again, as it could pay them twice', async () => {
  const [failed, returned] = [await approved(), await approved()]
  await exportAll()
  const { _id } = await newest()
  await decide(failed, 'failed')
  await expect(downloadAgain(_id)).rejects.toMatchObject({ code: 'export_outdated' })
  expect(await newest()).toMatchObject({ _id, hasFile: true, paid: 0, unpaid: 1 })
  await decide(returned, 'paid')
  await decide(returned, 'returned')
  expect(await newest()).toMatchObject({ paid: 0, unpaid: 2 })
  // The same money again, which another operator has to approve: it is in the new file alone.
  const api = await reauthenticatedApi(harness, creator)
  const once = { idempotencyKey: crypto.randomUUID() }
  const again = await api.call(routes.requestPayout, { body: { amount: '$80' } }, once)
  const colleague = await reauthenticatedApi(harness, await buildUser(harness, { role: 'finance' }))
  const asked = { payoutId: again._id, decision: 'approve' as const, reason: 'Checked' }
  await colleague.call(routes.decidePayout, { body: asked })
  const { csv } = await exportAll()
  expect(await downloadAgain((await newest())._id)).toBe(csv)
  await expect(downloadAgain(_id)).rejects.toMatchObject({ code: 'export_outdated' })
})

test('nobody else sees or downloads exports, and a download takes a session of just now', async () => {
  await approved()
  await exportAll()
  const { _id } = await newest()
  for (const role of ['reviewer', 'support'] as const) {
    const api = await reauthenticatedApi(harness, await buildUser(harness, { role }))
    await expect(listed(api)).rejects.toMatchObject({ code: 'permission_required' })
    await expect(downloadAgain(_id, api)).rejects.toMatchObject({ code: 'permission_required' })
  }
  await expect(downloadAgain(_id, harness.api.as(operator))).rejects.toMatchObject({
    code: 'reauthentication_required',
  })
  await expect(downloadAgain(crypto.randomUUID())).rejects.toMatchObject({ code: 'export_not_found' })
})

test('a file is gone after 90 days; who made it stays', async () => {
  await approved()
  await exportAll()
  const { _id } = await newest()
  harness.clock.advance(89 * DAY_MS)
  const forget = () => harness.server.jobs['payouts.forget']({}, { attempt: 1, lastAttempt: false })
  await forget()
  finance = await reauthenticatedApi(harness, operator)
  expect(await downloadAgain(_id)).toContain(creator.username)
  harness.clock.advance(2 * DAY_MS)
  finance = await reauthenticatedApi(harness, operator)
  await expect(downloadAgain(_id)).rejects.toMatchObject({ code: 'export_not_found' })
  await forget()
  const { db } = harness.context
  expect(await db.selectFrom('exported_payouts').where('export_id', '=', _id).selectAll().execute()).toEqual(
    [],
  )
  expect(await newest()).toMatchObject({ _id, count: 1, total: '$80', hasFile: false })
})

test('who is erased is in no file anymore, and a file isn’t had without them', async () => {
  const payoutId = await approved()
  const other = creator
  creator = await buildCreator(harness)
  await buildBankDetails(harness, creator.id)
  await approved()
  await exportAll()
  const { _id } = await newest()
  await decide(payoutId, 'paid')
  await remove(other)
  await erase()
  expect(await isErased(other)).toBe(true)
  finance = await reauthenticatedApi(harness, operator)
  await expect(downloadAgain(_id)).rejects.toMatchObject({ code: 'export_not_found' })
  expect(await newest()).toMatchObject({ _id, count: 2, hasFile: false })
})
