import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { RESTRICTED_REGIONS } from '../../../../contract/regions.ts'
import { Refused } from '../../../testing/api.ts'
import { buildUser, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { findRegion } from '../data.ts'

let harness: Harness
let operator: Person
beforeAll(async () => {
  harness = await startHarness()
  operator = await buildUser(harness, { role: 'superadmin' })
})
afterAll(() => harness?.stop())

const admin = () => harness.api.as(operator)
const list = async () => (await admin().call(routes.regions, {})).items
const find = async (code: string) => (await list()).find((region) => region.code === code)

test('begins with the regions that the contract names, Utah alone without a word of VPNs', async () => {
  const items = await list()
  expect(items.map(({ country, code, name }) => ({ country, code, name }))).toEqual(
    RESTRICTED_REGIONS.map((region) => ({ country: 'US', ...region })).sort((one, other) =>
      one.name < other.name ? -1 : 1,
    ),
  )
  expect(items.filter(({ vpnHint }) => !vpnHint).map(({ code }) => code)).toEqual(['UT'])
  expect(items.every(({ changed }) => changed === null)).toBe(true)
})

test.each([
  ['TX', 'California', 'name', 'TX is Texas. Enter that name or change the code.'],
  ['ZZ', 'Ohio', 'code', 'Enter a state code, like TX.'],
])(
  'a region of the United States has code and name of one state: %s isn’t %s',
  async (code, name, field, says) => {
    const before = await list()
    const body = { country: 'US', code, name, vpnHint: true, reason: 'A new law' }
    await expect(admin().call(routes.setRegion, { body })).rejects.toMatchObject({
      status: 400,
      body: { details: { [field]: says } },
    })
    expect(await list()).toEqual(before)
  },
)

test('what the operator adds, changes and removes says who, when and why', async () => {
  const ohio = { country: 'us', code: 'oh', name: 'Ohio', vpnHint: true, reason: 'House Bill 96' }
  await admin().call(routes.setRegion, { body: ohio })
  expect(await find('OH')).toEqual({
    country: 'US',
    code: 'OH',
    name: 'Ohio',
    vpnHint: true,
    changed: { by: operator.username, at: expect.any(String), reason: 'House Bill 96' },
  })
  await admin().call(routes.setRegion, { body: { ...ohio, vpnHint: false, reason: 'No hints anymore' } })
  expect(await find('OH')).toMatchObject({ vpnHint: false, changed: { reason: 'No hints anymore' } })
  await admin().call(routes.removeRegion, { body: { country: 'US', code: 'OH', reason: 'Struck down' } })
  expect(await find('OH')).toBeUndefined()
  const log = await harness.context.db
    .selectFrom('audit_log')
    .select(['actor_id', 'action', 'target_id', 'reason', 'detail'])
    .where('target_kind', '=', 'region')
    .orderBy('id')
    .execute()
  const by = { actor_id: operator.id, target_id: 'US-OH' }
  expect(log).toEqual([
    { ...by, action: 'region.set', reason: 'House Bill 96', detail: { name: 'Ohio', vpnHint: true } },
    { ...by, action: 'region.set', reason: 'No hints anymore', detail: { name: 'Ohio', vpnHint: false } },
    { ...by, action: 'region.removed', reason: 'Struck down', detail: { name: 'Ohio', vpnHint: false } },
  ])
})

test('a region that is not on the list can’t be removed, and a reason is needed', async () => {
  const before = await list()
  const gone = admin().call(routes.removeRegion, {
    body: { country: 'GE', code: 'GA', reason: 'Not that one' },
  })
  await expect(gone).rejects.toMatchObject({ code: 'region_not_found' })
  const noReason = admin().call(routes.removeRegion, { body: { country: 'US', code: 'GA', reason: ' ' } })
  await expect(noReason).rejects.toBeInstanceOf(Refused)
  expect(await list()).toEqual(before)
})

test.each([
  ['TR', '35', 'İzmir'],
  ['FR', 'IDF', 'Île-de-France'],
  ['US', 'PR', 'Puerto Rico'],
  ['GR', 'M', 'ΚΡΉΤΗΣ'],
])('a region in %s counts by its name, whatever its letters', async (country, code, name) => {
  const reason = 'A new law'
  await admin().call(routes.setRegion, { body: { country, code, name, vpnHint: true, reason } })
  for (const region of [name, code.toLowerCase()])
    expect(await findRegion(harness.context.db, { country, region })).toEqual({ vpnHint: true })
})
