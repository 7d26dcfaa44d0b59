import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { isIban, isRoutingNumber } from '../../../../contract/bank.ts'
import { routes } from '../../../../contract/index.ts'
import { rotateKeys } from '../../../start/rotation.ts'
import type { Api } from '../../../testing/api.ts'
import { buildCreator, buildFan, buildUser, type Person, US_ACCOUNT } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { insertSale } from '../../../testing/purchases.ts'
import { emailsTo, reauthenticatedApi } from '../../../testing/security.ts'
import { resealBankDetails } from './actions.ts'
import { openDetails } from './data.ts'

const DAY_MS = 24 * 3600 * 1000
const US = { accountHolder: 'Ada Lovelace', country: 'US', ...US_ACCOUNT }
const DE = { accountHolder: 'Ada Lovelace', country: 'DE', iban: 'de89 3704-0044 0532 0130 00' }

let harness: Harness
let creator: Person
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
})

const save = async (body: Record<string, unknown>, api?: Api) =>
  (api ?? (await reauthenticatedApi(harness, creator))).call(routes.saveBankDetails, {
    body: body as typeof US,
  })
const detailsOf = async (person: Person) =>
  (await harness.api.as(person).call(routes.bankDetails, { query: {} })).details
const storedOf = (person: Person) =>
  harness.context.db
    .selectFrom('bank_details')
    .selectAll()
    .where('user_id', '=', person.id)
    .executeTakeFirstOrThrow()

test('details are sealed, shown by their last four alone, and an email says that they changed', async () => {
  expect(await detailsOf(creator)).toBeNull()
  const saved = await save(DE)
  const { changedAt } = saved
  const heldUntil = new Date(Date.parse(changedAt) + 3 * DAY_MS).toISOString()
  expect(saved).toEqual({ country: 'DE', lastFour: '3000', changedAt, heldUntil })
  expect(await detailsOf(creator)).toEqual(saved)
  const stored = await storedOf(creator)
  expect(stored.sealed_details.toString('latin1')).not.toMatch(/DE8937040044|Lovelace/)
  const iban = 'DE89370400440532013000'
  expect(openDetails(harness.context.vault, creator.id, stored.sealed_details)).toEqual({ ...DE, iban })
  // Of the fields of another country nothing is kept.
  await save({ ...US, iban })
  const again = await storedOf(creator)
  expect(openDetails(harness.context.vault, creator.id, again.sealed_details)).toEqual(US)
  const { items } = await harness.api.as(creator).call(routes.notifications, { query: {} })
  expect(items.map(({ event }) => [event.kind, (event.data as { lastFour: string }).lastFour])).toEqual([
    ['bank-details.changed', '6789'],
    ['bank-details.changed', '3000'],
  ])
  const mails = JSON.stringify(await emailsTo(harness, creator.email))
  expect([mails.includes('bank details were added'), mails.includes('bank details were changed')]).toEqual([
    true,
    true,
  ])
})

test.each([
  [{ ...US, routingNumber: '021000022' }, ['routingNumber']],
  [{ ...US, routingNumber: '000000000', accountNumber: '12' }, ['routingNumber', 'accountNumber']],
  [{ ...DE, iban: 'DE89370400440532013001' }, ['iban']],
  [{ ...DE, country: 'FR' }, ['iban']],
  [{ ...DE, iban: undefined }, ['iban']],
  [{ ...US, country: 'CA', swiftCode: 'ROYCUS2X' }, ['swiftCode']],
  [{ ...US, country: 'XX' }, ['country']],
  [{ ...US, accountHolder: 'A' }, ['accountHolder']],
])('%j is refused at its field', async (body, fields) => {
  await expect(save(body)).rejects.toMatchObject({
    status: 400,
    body: { details: Object.fromEntries(fields.map((field) => [field, expect.any(String)])) },
  })
  expect(await detailsOf(creator)).toBeNull()
})

test('accounts elsewhere have a SWIFT code and a number', async () => {
  const body = { accountHolder: 'Ada', country: 'CA', swiftCode: 'roycCAT2', accountNumber: '1234 567' }
  expect(await save(body)).toMatchObject({ country: 'CA', lastFour: '4567' })
})

/** Example IBANs of the registry, and routing numbers of the Federal Reserve Banks. */
test('checksums know what banks give out, and no digit of it can be another', () => {
  const ibans = [
    'GB29NWBK60161331926819',
    'FR1420041010050500013M02606',
    'NO9386011117947',
    'MT84MALT011000012345MTLCAST001S',
  ]
  for (const iban of ibans) {
    const country = iban.slice(0, 2)
    expect(isIban(iban, country)).toBe(true)
    for (let at = 4; at < iban.length; at += 1) {
      const wrong = `${iban.slice(0, at)}${iban[at] === '1' ? '2' : '1'}${iban.slice(at + 1)}`
      expect(isIban(wrong, country), wrong).toBe(false)
    }
  }
  expect(isIban('FR1420041010050500013M02606', 'RE')).toBe(true)
  for (const number of ['011000015', '021001208', '121000374']) {
    expect(isRoutingNumber(number)).toBe(true)
    for (let at = 0; at < 9; at += 1) {
      const wrong = `${number.slice(0, at)}${(Number(number[at]) + 1) % 10}${number.slice(at + 1)}`
      expect(isRoutingNumber(wrong), wrong).toBe(false)
    }
  }
})

test('a change takes a session of just now, and nobody sees or changes those of others', async () => {
  await expect(save(US, harness.api.as(creator))).rejects.toMatchObject({
    status: 403,
    code: 'reauthentication_required',
  })
  await save(US)
  const stranger = await buildCreator(harness)
  expect(await detailsOf(stranger)).toBeNull()
  const refused = { status: 403, code: 'not_yourself' }
  await expect(
    save({ ...DE, userId: creator.id }, await reauthenticatedApi(harness, stranger)),
  ).rejects.toMatchObject(refused)
  await expect(
    harness.api.as(stranger).call(routes.bankDetails, { query: { userId: creator.id } }),
  ).rejects.toMatchObject(refused)
  expect(await detailsOf(creator)).toMatchObject({ lastFour: '6789' })
})

test('a payout needs details, waits while they are new, and goes to the bank with them; the log says who exported', async () => {
  await insertSale(harness, { buyer: await buildFan(harness), creator })
  for (let count = 0; count < 9; count += 1)
    await insertSale(harness, { buyer: await buildFan(harness), creator })
  harness.clock.advance(8 * DAY_MS)
  const request = async () =>
    (await reauthenticatedApi(harness, creator)).call(
      routes.requestPayout,
      { body: { amount: '$20' } },
      { idempotencyKey: crypto.randomUUID() },
    )
  await expect(request()).rejects.toMatchObject({ status: 409, code: 'bank_details_required' })
  await save(DE)
  const { _id } = await request()
  const operator = await buildUser(harness, { role: 'finance' })
  const finance = async () => reauthenticatedApi(harness, operator)
  await (await finance()).call(routes.decidePayout, {
    body: { payoutId: _id, decision: 'approve', reason: 'Checked' },
  })
  const shown = async () => {
    const { items } = await (await finance()).call(routes.allPayouts, { query: {} })
    return items.find((payout) => payout._id === _id)
  }
  const held = { why: 'newDetails', since: expect.any(String), until: expect.any(String) }
  expect(await shown()).toMatchObject({ bankLastFour: '3000', hold: held })
  // Its person reads the same, from the request until three days after the details.
  const { items: own } = await harness.api.as(creator).call(routes.payouts, { query: {} })
  const { changedAt } = (await detailsOf(creator)) ?? expect.unreachable()
  expect(own[0]?.hold).toEqual({
    why: 'newDetails',
    since: own[0]?.requestedAt,
    until: new Date(Date.parse(changedAt) + 3 * DAY_MS).toISOString(),
  })
  const exportAll = async (key: string = crypto.randomUUID()) =>
    (await finance()).call(
      routes.exportPayouts,
      { body: { reason: 'For the bank' } },
      { idempotencyKey: key },
    )
  expect(await exportAll()).toMatchObject({ count: 0, held: 1 })
  harness.clock.advance(2 * DAY_MS)
  // Another change starts the waiting time again.
  await save(US)
  harness.clock.advance(2 * DAY_MS)
  expect(await exportAll()).toMatchObject({ count: 0, held: 1 })
  harness.clock.advance(DAY_MS)
  expect(await shown()).toMatchObject({ bankLastFour: '6789', hold: null })
  const key = crypto.randomUUID()
  const sent = await exportAll(key)
  expect(sent).toMatchObject({ count: 1, held: 0, total: '$20' })
  expect(sent.csv).toContain(`"Ada Lovelace","US","","","${US.routingNumber}","${US.accountNumber}"`)
  // The same answer again, of which nothing can be read in the database.
  expect(await exportAll(key)).toEqual(sent)
  const { db, vault, clock } = harness.context
  const kept = await db
    .selectFrom('idempotency_keys')
    .select(['response', 'sealed_response'])
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  expect(kept.response).toBeNull()
  expect(kept.sealed_response?.toString('latin1')).not.toContain(US.accountNumber)
  await rotateKeys(db, { vault, now: clock.now() })
  expect(await exportAll(key)).toEqual(sent)
  const audited = await db
    .selectFrom('audit_log')
    .select(['actor_id', 'reason', 'detail'])
    .where('action', '=', 'payouts.exported')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  expect(audited).toEqual({
    actor_id: operator.id,
    reason: 'For the bank',
    detail: { count: 1, cents: 2000 },
  })
})

test('a rotation seals them anew, once', async () => {
  await save(DE)
  const { db, vault } = harness.context
  const old = { ...vault, isCurrent: () => false }
  const before = (await storedOf(creator)).sealed_details
  expect(await db.transaction().execute((tx) => resealBankDetails(tx, old))).toBeGreaterThan(0)
  const { sealed_details: after } = await storedOf(creator)
  expect(after.equals(before)).toBe(false)
  expect(openDetails(vault, creator.id, after)).toMatchObject({ country: 'DE' })
})
