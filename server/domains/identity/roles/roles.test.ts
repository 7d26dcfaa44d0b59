import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { permissionsOf, type Role } from '../../../../contract/permissions.ts'
import { runAdmin } from '../../../start/admin.ts'
import { Refused } from '../../../testing/api.ts'
import { buildFan, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { buildAccount } from '../../../testing/security.ts'

let harness: Harness
let operator: Person
beforeAll(async () => {
  harness = await startHarness()
  operator = await buildAccount(harness, { role: 'superadmin' })
})
afterAll(() => harness?.stop())

const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error) => (error instanceof Refused ? `${error.status} ${error.code}` : error),
  )
const setRole = ({ id }: Person, role: Role | null, by = operator) =>
  refusalOf(harness.api.as(by).call(routes.setRole, { body: { userId: id, role, reason: 'New colleague' } }))
const logOf = ({ id }: Person) =>
  harness.context.db
    .selectFrom('audit_log')
    .select(['actor_id', 'action', 'reason', 'detail'])
    .where('target_id', '=', id)
    .orderBy('id')
    .execute()
const command = (...args: string[]) =>
  runAdmin(['set-role', ...args], harness.context.db, harness.context.vault, harness.clock.now())

test('a role counts from the next call on, tells the person what it allows, and goes the same way', async () => {
  const person = await buildFan(harness)
  const me = () => harness.api.as(person).call(routes.me, {})
  const regions = () => refusalOf(harness.api.as(person).call(routes.regions, {}))
  expect(await me()).toMatchObject({ role: null, permissions: [] })
  expect(await setRole(person, 'reviewer')).toBe('accepted')
  expect(await me()).toMatchObject({ role: 'reviewer', permissions: [...permissionsOf('reviewer')] })
  expect(await regions()).toBe('403 permission_required')
  expect(await setRole(person, 'superadmin')).toBe('accepted')
  expect(await regions()).toBe('accepted')
  expect(await setRole(person, null)).toBe('accepted')
  expect(await regions()).toBe('403 permission_required')
  const change = (from: Role | null, to: Role | null) => ({
    actor_id: operator.id,
    action: 'user.role_set',
    reason: 'New colleague',
    detail: { from, to },
  })
  expect(await logOf(person)).toEqual([
    change(null, 'reviewer'),
    change('reviewer', 'superadmin'),
    change('superadmin', null),
  ])
})

test('the last who can hand out roles keeps theirs, also when all give theirs up at once', async () => {
  expect(await setRole(operator, 'support')).toBe('409 last_superadmin')
  const second = await buildAccount(harness, { role: 'superadmin' })
  const answers = await Promise.all([setRole(operator, null), setRole(second, null, second)])
  expect(answers.sort()).toEqual(['409 last_superadmin', 'accepted'])
  const kept = await harness.context.db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'superadmin')
    .execute()
  expect(kept).toHaveLength(1)
  await harness.context.db
    .updateTable('users')
    .set({ role: 'superadmin' })
    .where('id', '=', operator.id)
    .execute()
})

test('nobody is given a role who is not there, or without a reason', async () => {
  expect(await setRole({ ...operator, id: crypto.randomUUID() }, 'support')).toBe('404 user_not_found')
  const person = await buildFan(harness)
  const unreasoned = harness.api
    .as(operator)
    .call(routes.setRole, { body: { userId: person.id, role: 'support', reason: ' ' } })
  expect(await refusalOf(unreasoned)).toBe('400 invalid_input')
  expect(await logOf(person)).toEqual([])
})

test('the command gives and takes a role, and says why', async () => {
  const person = await buildFan(harness)
  const given = ['--email', person.email.toUpperCase(), '--reason', 'Handles refunds']
  expect(await command(...given, '--role', 'finance')).toEqual({
    ok: true,
    output: `The role of ${person.username} is now finance.`,
  })
  expect(await harness.api.as(person).call(routes.me, {})).toMatchObject({ role: 'finance' })
  expect((await command(...given, '--role', 'none')).ok).toBe(true)
  expect(await harness.api.as(person).call(routes.me, {})).toMatchObject({ role: null })
  expect(await logOf(person)).toMatchObject([
    { actor_id: null, reason: 'Handles refunds', detail: { from: null, to: 'finance' } },
    { actor_id: null, reason: 'Handles refunds', detail: { from: 'finance', to: null } },
  ])
})

test.each([
  ['without a reason', ['--role', 'support'], 'Add --reason.'],
  ['of a role that is none', ['--role', 'king', '--reason', 'Because'], '--role is invalid'],
  ['for an empty reason', ['--role', 'support', '--reason', ''], '--reason is invalid'],
])('the command %s changes nothing', async (_what, options, output) => {
  const person = await buildFan(harness)
  const result = await command('--email', person.email, ...options)
  expect(result.ok).toBe(false)
  expect(result.output).toContain(output)
  expect(await logOf(person)).toEqual([])
})
