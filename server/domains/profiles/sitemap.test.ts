import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildCreator, buildFan, buildUser, type Person } from '../../testing/builders.ts'
import { type Harness, startHarness } from '../../testing/harness.ts'
import { listSitemapCreators, listSitemapPages } from './data.ts'

let harness: Harness
const creators: Person[] = []
beforeAll(async () => {
  harness = await startHarness()
  for (let made = 0; made < 5; made++) creators.push(await buildCreator(harness))
  await buildFan(harness)
  await buildUser(harness, { isCreator: true, verified: false })
  const { db, clock } = harness.context
  const [hidden, elsewhere] = [await buildCreator(harness), await buildCreator(harness)]
  await db
    .updateTable('users')
    .set({ deletion_requested_at: clock.now() })
    .where('id', '=', hidden.id)
    .execute()
  await db
    .insertInto('geo_blocks')
    .values({ creator_id: elsewhere.id, country: 'US', region: 'Texas' })
    .execute()
})
afterAll(() => harness?.stop())

const read = async (path: string) => {
  const answer = await fetch(harness.origin + path)
  const text = await answer.text()
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    kept: answer.headers.get('cache-control'),
    text,
    locations: [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url),
  }
}
const SITE = 'http://fanfare.test'

test('the index leads to all creators that everybody may find, and to nobody else', async () => {
  const index = await read('/sitemap.xml')
  // Whoever hides from now on is in no copy that somebody keeps.
  expect([index.status, index.type, index.kept]).toEqual([200, 'application/xml; charset=utf-8', 'no-cache'])
  expect(index.locations).toHaveLength(2)
  const found: (string | undefined)[] = []
  for (const url of index.locations) found.push(...(await read((url ?? '').replace(SITE, ''))).locations)
  expect(found.filter((url) => !url?.includes('/users/'))).toEqual(
    ['/', '/discover', '/affiliates', '/how-to-use'].map((path) => SITE + path),
  )
  expect(found.filter((url) => url?.includes('/users/')).sort()).toEqual(
    creators.map(({ username }) => `${SITE}/users/${username}`).sort(),
  )
})

test('a page holds as many as it may, and together they hold everybody once', async () => {
  const { db } = harness.context
  const pages = await listSitemapPages(db, 2)
  expect(pages).toHaveLength(3)
  const lists = await Promise.all(pages.map((firstId) => listSitemapCreators(db, firstId, 2)))
  expect(lists.every((list) => list.length <= 2)).toBe(true)
  expect(lists.flat().sort()).toEqual(creators.map(({ username }) => username).sort())
})

test('a page reads its part of the index alone', async () => {
  const plan = await harness.context.db.transaction().execute(async (db) => {
    // A table this small would be read whole.
    await sql`set local enable_seqscan = off`.execute(db)
    return sql<{ 'QUERY PLAN': string }>`
      explain select id, username from users
      where is_creator and hidden_at is null and email_verified_at is not null and id >= ${creators[0]?.id}
      order by id limit 50000
    `.execute(db)
  })
  expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('users_public_creators')
})

test.each(['/sitemap/x.xml', '/sitemap/1.xml', '/sitemap/%00.xml'])('%s is no page of it', async (path) => {
  expect((await read(path)).status).toBe(404)
})

test('robots.txt closes what is nobody’s to find, and opens what previews are made of', async () => {
  const { status, type, text } = await read('/robots.txt')
  expect([status, type]).toEqual([200, 'text/plain; charset=utf-8'])
  for (const line of [
    'Disallow: /api/',
    'Disallow: /dashboard',
    'Disallow: /files/',
    'Allow: /files/preview/',
  ])
    expect(text).toContain(`${line}\n`)
  expect(text).toContain(`Sitemap: ${SITE}/sitemap.xml\n`)
})
