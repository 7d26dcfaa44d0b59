import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { US_STATES } from '../../../../contract/states.ts'
import { buildCreator, buildUser, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'

let harness: Harness
let operator: Person
beforeAll(async () => {
  harness = await startHarness()
  operator = await buildUser(harness, { role: 'superadmin' })
})
afterAll(() => harness?.stop())

const list = async () => (await harness.api.visitor().call(routes.senators, {})).items
const pair = [
  { name: 'Ann Example', telephone: '202-224-0001' },
  { name: 'Ben Example', telephone: '202-224-0002' },
]

test('each of the 50 states has two senators with a number, and a date', async () => {
  const items = await list()
  const states = US_STATES.map(({ code }) => code).filter((code) => code !== 'DC')
  expect(items.map(({ code }) => code)).toEqual([...states].sort())
  const names = items.flatMap(({ senators }) => senators.map(({ name }) => name))
  expect(new Set(names).size).toBe(100)
  expect(items.every(({ correctOn }) => correctOn >= '2025-01-01')).toBe(true)
})

test('the operator corrects a state, and the log says who did', async () => {
  await harness.api
    .as(operator)
    .call(routes.setSenators, { body: { code: 'oh', senators: pair, reason: 'An election' } })
  const ohio = (await list()).find(({ code }) => code === 'OH')
  const today = harness.context.clock.now().toISOString().slice(0, 10)
  expect(ohio).toEqual({ code: 'OH', correctOn: today, senators: pair })
  const entry = await harness.context.db
    .selectFrom('audit_log')
    .select(['actor_id', 'target_id', 'reason', 'detail'])
    .where('action', '=', 'senators.set')
    .executeTakeFirstOrThrow()
  expect(entry).toEqual({
    actor_id: operator.id,
    target_id: 'OH',
    reason: 'An election',
    detail: { senators: pair },
  })
})

test.each([
  ['a state that has no senators', { code: 'DC', senators: pair }],
  ['no state at all', { code: 'ZZ', senators: pair }],
  ['one senator', { code: 'TX', senators: pair.slice(1) }],
  ['a number that is none', { code: 'TX', senators: [{ name: 'Ann', telephone: 'tel' }, pair[1]] }],
])('%s is refused and changes nothing', async (_, body) => {
  const before = await list()
  const wrong = harness.api
    .as(operator)
    .call(routes.setSenators, { body: { ...body, reason: 'A try' } as never })
  await expect(wrong).rejects.toMatchObject({ status: 400 })
  expect(await list()).toEqual(before)
})

test('nobody but the operator corrects it', async () => {
  const before = await list()
  const creator = await buildCreator(harness)
  const call = harness.api
    .as(creator)
    .call(routes.setSenators, { body: { code: 'TX', senators: pair, reason: 'A try' } })
  await expect(call).rejects.toMatchObject({ status: 403 })
  expect(await list()).toEqual(before)
})
