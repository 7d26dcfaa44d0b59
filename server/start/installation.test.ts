import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { StartError } from '../errors.ts'
import { currentSamplePassword, renewSamplePasswords } from '../sample/passwords.ts'
import { samplePassword } from '../sample/people.ts'
import { buildFan } from '../testing/builders.ts'
import { type Harness, startHarness } from '../testing/harness.ts'
import { buildAccount, PASSWORD } from '../testing/security.ts'
import { enterMode } from './installation.ts'

const live = { livemode: true, trial: false }
const sandbox = { livemode: false, trial: true }

describe('sandbox money and real money never meet', () => {
  let harness: Harness
  beforeAll(async () => {
    harness = await startHarness()
  })
  afterAll(() => harness?.stop())

  const card = async () =>
    harness.context.db
      .insertInto('stored_cards')
      .values({
        user_id: (await buildFan(harness)).id,
        customer_profile_id: crypto.randomUUID(),
        payment_profile_id: crypto.randomUUID(),
        brand: 'Visa',
        last_four: '1111',
        created_at: harness.clock.now(),
        used_at: harness.clock.now(),
      })
      .returning('livemode')
      .executeTakeFirstOrThrow()

  test('an empty database goes either way, and what is bought says which way it was', async () => {
    const { db } = harness.context
    await enterMode(db, live)
    await enterMode(db, sandbox)
    expect(await card()).toEqual({ livemode: false })
    await expect(enterMode(db, live)).rejects.toThrow(StartError)
    await expect(enterMode(db, live)).rejects.toThrow('must never meet a real payment account')
    expect(await card()).toEqual({ livemode: false })

    await db.deleteFrom('stored_cards').execute()
    await enterMode(db, live)
    expect(await card()).toEqual({ livemode: true })
    await expect(enterMode(db, sandbox)).rejects.toThrow('This database holds real payments')
    await db.deleteFrom('stored_cards').execute()
    await enterMode(db, sandbox)
  })

  test.each<[what: string, change: object, back: object]>([
    ['sample accounts', { sample_data_at: new Date() }, { sample_data_at: null }],
    ['a clock that was moved', { clock_offset_ms: 1000 }, { clock_offset_ms: 0 }],
  ])('%s keep a real payment account out', async (_what, change, back) => {
    const { db } = harness.context
    await db.updateTable('installation').set(change).execute()
    await expect(enterMode(db, live)).rejects.toThrow(StartError)
    await enterMode(db, sandbox)
    await db.updateTable('installation').set(back).execute()
  })

  test('a clock that was moved keeps every real service out', async () => {
    const { db } = harness.context
    const beside = { livemode: false, trial: false }
    await enterMode(db, beside)
    await db.updateTable('installation').set({ clock_offset_ms: 1000 }).execute()
    await expect(enterMode(db, beside)).rejects.toThrow('The clock of this database was moved')
    await enterMode(db, sandbox)
    await db.updateTable('installation').set({ clock_offset_ms: 0 }).execute()
  })

  test('every table of money that belongs to a mode has a row that says so', async () => {
    const { db } = harness.context
    const wanted = ['journals', 'ledger_accounts', 'orders', 'payments', 'payouts', 'stored_cards']
    const tables = await db.introspection.getTables()
    const marked = tables.filter(({ columns }) => columns.some(({ name }) => name === 'livemode'))
    expect(marked.map(({ name }) => name)).toEqual(expect.arrayContaining(wanted))
  })
})

test('sample accounts change their password and lose their sessions when others can reach them', async () => {
  const home = await startHarness()
  const exposed = await startHarness({
    beside: home,
    environment: { HOST: '0.0.0.0', SANDBOX_TOKEN: 'only the operator knows it' },
  })
  const { db } = home.context
  const [sample, other] = await Promise.all([buildAccount(home), buildAccount(home)])
  await db.updateTable('users').set({ is_sample: true }).where('id', '=', sample.id).execute()
  await db.updateTable('installation').set({ sample_password: 'public' }).execute()
  const logIn = async ({ email }: { email: string }, password: string) =>
    (await home.api.visitor().send('POST', '/auth/login', { body: { email, password } })).status
  const isIn = async (token: string) => (await home.api.as({ token }).send('GET', '/auth/me')).status

  // Nothing changed since the last start, so what somebody chose in between stays.
  await renewSamplePasswords(home.context)
  expect([await logIn(sample, PASSWORD), await isIn(sample.token)]).toEqual([200, 200])

  await renewSamplePasswords(exposed.context)
  const { password } = currentSamplePassword(exposed.context)
  expect(password).toMatch(/^[\w-]{16}$/)
  expect([await logIn(sample, samplePassword), await logIn(sample, PASSWORD)]).toEqual([401, 401])
  expect([await logIn(sample, password), await isIn(sample.token)]).toEqual([200, 401])
  expect([await logIn(other, PASSWORD), await isIn(other.token)]).toEqual([200, 200])

  await renewSamplePasswords(home.context)
  expect([await logIn(sample, samplePassword), await logIn(sample, password)]).toEqual([200, 401])
  await exposed.stop()
  await home.stop()
})
