import { afterAll, beforeAll, expect, it } from 'vitest'
import { routes } from '../../../contract/index.ts'
import { buildCreator, buildFan } from '../../testing/builders.ts'
import { type Harness, startHarness } from '../../testing/harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({
    environment: { GEO_REGION_HEADER: 'x-region', GEO_COUNTRY_HEADER: 'x-country', TRUST_PROXY: '127.0.0.1' },
  })
})
afterAll(() => harness?.stop())

it('is off until the creator turns it on, for themselves alone', async () => {
  const [api, other] = [
    harness.api.as(await buildCreator(harness)),
    harness.api.as(await buildCreator(harness)),
  ]
  expect(await api.call(routes.watermark, {})).toEqual({ enabled: false })
  expect(await api.call(routes.setWatermark, { body: { enabled: true } })).toEqual({ enabled: true })
  expect(await api.call(routes.watermark, {})).toEqual({ enabled: true })
  expect(await other.call(routes.watermark, {})).toEqual({ enabled: false })
  expect(await api.call(routes.setWatermark, { body: { enabled: false } })).toEqual({ enabled: false })
  expect(await api.call(routes.watermark, {})).toEqual({ enabled: false })
})

it('can be set inside a restricted region as well, like everything of the page that it stands on', async () => {
  const api = harness.api.as(await buildCreator(harness))
  const texas = { headers: { 'x-country': 'US', 'x-region': 'Texas' } }
  expect((await api.send('GET', '/media/discover', texas)).status).toBe(451)
  await api.call(routes.setWatermark, { body: { enabled: true } }, texas)
  expect(await api.call(routes.watermark, {}, texas)).toEqual({ enabled: true })
})

it('is no setting of a fan or visitor', async () => {
  const fan = harness.api.as(await buildFan(harness))
  const refused = fan.call(routes.setWatermark, { body: { enabled: true } })
  await expect(refused).rejects.toMatchObject({ status: 403 })
  const visitor = harness.api.visitor().call(routes.setWatermark, { body: { enabled: true } })
  await expect(visitor).rejects.toMatchObject({ status: 401 })
  const rows = await harness.context.db
    .selectFrom('profiles')
    .innerJoin('users', 'users.id', 'profiles.user_id')
    .select('watermark')
    .where('is_creator', '=', false)
    .execute()
  expect(rows.every(({ watermark }) => !watermark)).toBe(true)
})
