import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { IDS_PER_PAGE } from '../../../../../contract/constants.ts'
import { routes } from '../../../../../contract/index.ts'
import type { Api } from '../../../../testing/api.ts'
import {
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  buildUser,
  type Person,
} from '../../../../testing/builders.ts'
import { cardToken } from '../../../../testing/gateway.ts'
import { buildGrant } from '../../../../testing/grants.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'

const BOUGHT = 230
const DAY_MS = 24 * 3600 * 1000

let harness: Harness
let fan: Person
let api: Api
/** Purchases, newest first, then items that came with a subscription. */
let bought: string[]
let planned: string

beforeAll(async () => {
  harness = await startHarness()
  const { db, clock } = harness.context
  const creator = await buildCreator(harness)
  const first = await buildMedia(harness, creator)
  planned = await buildMedia(harness, creator)
  fan = await buildFan(harness)
  api = harness.api.as(fan)
  const { rows } = await sql<{ id: string }>`
    insert into media (creator_id, type, width, height, thumbhash, variants, bytes, rank, created_at)
    select creator_id, type, width, height, thumbhash, variants, bytes, rank + n, created_at
    from media, generate_series(1, ${BOUGHT}::int) as n where id = ${first} returning id`.execute(db)
  const now = clock.now()
  const plan_id = await buildPlan(harness, creator, { mediaIds: [planned] })
  const since = new Date(now.getTime() - DAY_MS)
  const valid_until = new Date(now.getTime() + DAY_MS)
  const { id: subscription_id } = await db
    .insertInto('subscriptions')
    .values({
      plan_id,
      fan_id: fan.id,
      creator_id: creator.id,
      price_cents: 999,
      status: 'active',
      anchor_at: since,
      current_period_end: valid_until,
      created_at: since,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('entitlements')
    .values({
      user_id: fan.id,
      source_kind: 'subscription',
      source_id: subscription_id,
      plan_id,
      granted_at: since,
      valid_until,
    })
    .execute()
  const { id: entitlement_id } = await db
    .insertInto('entitlements')
    .values({ user_id: fan.id, source_kind: 'manual', source_id: randomUUID(), granted_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  const grants = rows.map(({ id: media_id }, at) => {
    const granted_at = new Date(now.getTime() + at * 1000)
    return { user_id: fan.id, media_id, version_id: media_id, entitlement_id, granted_at }
  })
  await db.insertInto('entitlement_media').values(grants).execute()
  bought = rows.map(({ id }) => id).reverse()
})
afterAll(() => harness?.stop())

/** All pages of a person's ids. */
async function everyPage(of: Api, limit?: number): Promise<string[][]> {
  const pages: string[][] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = { ...(limit ? { limit } : {}), ...(cursor ? { cursor } : {}) }
    const page = await of.call(routes.unlockedMedia, { query })
    expect(page.hasMore).toBe(page.nextCursor !== null)
    pages.push(page.items)
    cursor = page.nextCursor
  }
  return pages
}

it('the current person carries the newest and stays light however much they own', async () => {
  const answer = await api.fetch('/api/auth/me', { headers: { authorization: `Bearer ${fan.token}` } })
  const body = await answer.text()
  expect(JSON.parse(body).unlockedMedia).toEqual(bought.slice(0, IDS_PER_PAGE))
  expect(Buffer.byteLength(body)).toBeLessThan(5000)
})

it('all of it comes page by page, each once and newest first, what a subscription holds included', async () => {
  const pages = await everyPage(api)
  expect(pages.map((page) => page.length)).toEqual([100, 100, 31])
  expect(pages.flat()).toEqual([...bought, planned])
  expect((await everyPage(api, 500)).flat()).toEqual([...bought, planned])
})

it('the current person has what is theirs for good, the paged call a subscription’s items as well, neither what was taken down', async () => {
  const [creator, subscriber] = [await buildCreator(harness), await buildFan(harness)]
  const operator = harness.api.as(await buildUser(harness, { role: 'superadmin' }))
  const [held, given] = [await buildMedia(harness, creator), await buildMedia(harness, creator)]
  const own = harness.api.as(subscriber)
  const ids = async () => [(await own.call(routes.me, {})).unlockedMedia, await everyPage(own)]
  const itemId = await buildPlan(harness, creator, { mediaIds: [held] })
  await own.call(routes.purchase, { body: { kind: 'subscription', itemId, ...(await cardToken(harness)) } })
  expect(await ids()).toEqual([[], [[held]]])
  harness.clock.advance(1000)
  await buildGrant(harness, subscriber, [given])
  expect(await ids()).toEqual([[given], [[given, held]]])
  await operator.call(routes.quarantineMedia, { body: { mediaId: given, reason: 'Reported' } })
  expect(await ids()).toEqual([[], [[held]]])
})

it('is nobody else’s to read, and nothing that was taken back', async () => {
  const other = harness.api.as(await buildFan(harness))
  expect(await everyPage(other)).toEqual([[]])
  const foreign = other.call(routes.unlockedMedia, { query: { userId: fan.id } })
  await expect(foreign).rejects.toMatchObject({ status: 403, code: 'not_yourself' })
  await expect(api.call(routes.unlockedMedia, { query: { limit: 501 } })).rejects.toMatchObject({
    status: 400,
  })
  const { db, clock } = harness.context
  await db
    .updateTable('entitlements')
    .set({ revoked_at: clock.now() })
    .where('user_id', '=', fan.id)
    .execute()
  expect(await everyPage(api)).toEqual([[]])
  expect((await api.call(routes.me, {})).unlockedMedia).toEqual([])
})
