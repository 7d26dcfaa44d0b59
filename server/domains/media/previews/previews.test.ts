import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildCreator, buildFan, buildMedia, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { sharedPage } from './rules.ts'

let harness: Harness
let creator: Person
beforeAll(async () => {
  harness = await startHarness({
    environment: {
      GEO_REGION_HEADER: 'x-region',
      GEO_COUNTRY_HEADER: 'x-country',
      TRUST_PROXY: '127.0.0.1',
      SANDBOX_TOKEN: 'only the operator knows',
    },
  })
  creator = await buildCreator(harness, { username: 'Mara.Peak' })
  await describeProfile(creator, { bio: 'Mountains,\nmornings & more.', profile_image: 'p1.webp' })
})
afterAll(() => harness?.stop())

const SITE = 'http://fanfare.test'
const texas = { 'x-country': 'US', 'x-region': 'Texas' }

function describeProfile(
  person: Person,
  values: { bio?: string; profile_image?: string; profile_hero_image?: string },
) {
  return harness.context.db.updateTable('profiles').set(values).where('user_id', '=', person.id).execute()
}

/** The page as another site's crawler reads it: no script, no cookie. */
async function read(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(harness.origin + path, { headers })
  const html = await response.text()
  const meta = Object.fromEntries(
    [...html.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)" \/>/g)].map(
      ([, name, content]) => [name, content],
    ),
  ) as Record<string, string>
  const [, title] = /<title>([^<]*)<\/title>/.exec(html) ?? []
  const [, canonical] = /<link rel="canonical" href="([^"]*)"/.exec(html) ?? []
  return { status: response.status, html, meta, title, canonical }
}

const picture = (mediaId: string, headers: Record<string, string> = {}) =>
  fetch(`${harness.origin}/files/preview/${mediaId}`, { headers })
const isSiteOnly = async (path: string, headers: Record<string, string> = {}) => {
  const { meta, title, canonical } = await read(path, headers)
  expect({ title, canonical, image: meta['og:image'], robots: meta.robots }).toEqual({
    title: 'Fanfare',
    canonical: undefined,
    image: `${SITE}/preview.png`,
    robots: 'noindex',
  })
}

describe('a shared profile', () => {
  test('names the picture that it begins with, to be fetched early; nowhere that it is withheld', async () => {
    const person = await buildCreator(harness)
    const path = `/users/${person.username}`
    const early = 'rel="preload" as="image"'
    const visitor = harness.api.visitor()
    await visitor.send('POST', '/users/age-verified', { body: {} })
    const ofAge = { cookie: `age=${visitor.cookies.get('age')}` }
    expect((await read(path, ofAge)).html).not.toContain(early)
    await describeProfile(person, { profile_hero_image: 'h1.webp' })
    expect((await read(path, ofAge)).html).toContain(
      `${early} fetchpriority="high" href="/files/profile/${person.id}/h1.webp"`,
    )
    expect((await read(path)).html).not.toContain(early)
    expect((await read(path, { ...ofAge, ...texas })).html).not.toContain('h1.webp')
  })

  test('shows name, bio and picture under its one address', async () => {
    const { title, canonical, meta } = await read('/users/mARA.pEAK/?ref=abc')
    expect(title).toBe('Test (@Mara.Peak) · Fanfare')
    expect(canonical).toBe(`${SITE}/users/Mara.Peak`)
    expect(meta).toMatchObject({
      description: 'Mountains, mornings &amp; more.',
      'og:site_name': 'Fanfare',
      'og:type': 'profile',
      'og:title': 'Test (@Mara.Peak)',
      'og:url': `${SITE}/users/Mara.Peak`,
      'og:image': `${SITE}/files/profile/${creator.id}/p1.webp`,
      'twitter:card': 'summary',
    })
    expect(meta.robots).toBeUndefined()
  })

  test('never breaks out of its tags', async () => {
    const payload = `"><script>alert(1)</script><meta name='x' content="$&$\``
    const mallory = await buildCreator(harness)
    await describeProfile(mallory, { bio: payload })
    await harness.context.db
      .updateTable('users')
      .set({ first_name: payload })
      .where('id', '=', mallory.id)
      .execute()
    await buildMedia(harness, mallory, { title: payload, mustUnlock: false, showInSearch: true })
    const { html } = await read(`/users/${mallory.username}`)
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(html).not.toContain('<script>alert')
    expect(html.match(/<title>/g)).toHaveLength(1)
  })

  test.each(['a fan whom everybody finds', 'a fan', 'hidden', 'keeps a place out', 'nobody'] as const)(
    'of somebody who is %s',
    async (kind) => {
      const { db, clock } = harness.context
      const discoverable = kind === 'a fan whom everybody finds'
      const person =
        discoverable || kind === 'a fan'
          ? await buildFan(harness, { discoverable })
          : await buildCreator(harness)
      if (kind === 'hidden')
        await db
          .updateTable('users')
          .set({ deletion_requested_at: clock.now() })
          .where('id', '=', person.id)
          .execute()
      if (kind === 'keeps a place out')
        await db.insertInto('geo_blocks').values({ creator_id: person.id, country: 'DE' }).execute()
      const path = `/users/${kind === 'nobody' ? 'nobody-at-all' : person.username}`
      if (!discoverable) return isSiteOnly(path)
      const { meta } = await read(path)
      expect(meta).toMatchObject({ 'og:title': `Test (@${person.username})`, robots: 'noindex' })
    },
  )

  test('says nothing of an offer but who made it', async () => {
    const path = `/users/${creator.username}/offers/${randomUUID()}`
    const { meta } = await read(path)
    expect(meta).toMatchObject({ 'og:title': 'An offer from Test (@Mara.Peak)', robots: 'noindex' })
  })
})

describe('a shared item', () => {
  test('that is free and shown in search has its title and its picture, without a cookie', async () => {
    const id = await buildMedia(harness, creator, { title: 'Dawn', mustUnlock: false, showInSearch: true })
    const { title, canonical, meta } = await read(`/media/${id}`)
    expect({ title, canonical }).toEqual({ title: 'Dawn · Fanfare', canonical: `${SITE}/media/${id}` })
    expect(meta).toMatchObject({
      'og:type': 'article',
      'og:image': `${SITE}/files/preview/${id}`,
      'twitter:card': 'summary_large_image',
    })
    expect(meta.robots).toBeUndefined()
    const answer = await picture(id)
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      200,
      'image/webp',
      'private, no-store',
    ])
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(0)
  })

  test('of a video has its poster', async () => {
    const id = await buildMedia(harness, creator, { type: 'video', mustUnlock: false, showInSearch: true })
    expect((await picture(id)).headers.get('content-type')).toBe('image/webp')
  })

  test.each([
    ['locked', { showInSearch: true }, 'A test item'],
    ['for sale', { showInStore: true, showInSearch: true }, 'A test item'],
    ['free but not in search', { mustUnlock: false }, 'A test item'],
    ['only for those it was sent to', { directOnly: true }, null],
  ])('that is %s has no picture', async (_, flags, title) => {
    const id = await buildMedia(harness, creator, flags)
    const { html, meta } = await read(`/media/${id}`)
    if (title === null) await isSiteOnly(`/media/${id}`)
    else
      expect(meta).toMatchObject({ 'og:title': title, 'og:image': `${SITE}/preview.png`, robots: 'noindex' })
    expect(html).not.toMatch(/\/files\/|thumbhash|w640/)
    expect((await picture(id)).status).toBe(404)
  })

  test('that is deleted, or of somebody hidden or who keeps a place out, shows nothing, and its picture is gone at once', async () => {
    const { db, clock } = harness.context
    const open = { mustUnlock: false, showInSearch: true }
    const [deleted, hidden, elsewhere] = await Promise.all(
      [0, 1, 2].map(async () => buildMedia(harness, await buildCreator(harness), open)),
    )
    for (const id of [deleted, hidden, elsewhere]) expect((await picture(id ?? '')).status).toBe(200)
    const ownerOf = async (id = '') =>
      (await db.selectFrom('media').select('creator_id').where('id', '=', id).executeTakeFirstOrThrow())
        .creator_id
    await db
      .updateTable('media')
      .set({ deleted_at: clock.now() })
      .where('id', '=', deleted ?? '')
      .execute()
    await db
      .updateTable('users')
      .set({ deletion_requested_at: clock.now() })
      .where('id', '=', await ownerOf(hidden))
      .execute()
    await db
      .insertInto('geo_blocks')
      .values({ creator_id: await ownerOf(elsewhere), country: 'US', region: 'Oregon' })
      .execute()
    for (const id of [deleted, hidden, elsewhere]) {
      expect((await picture(id ?? '')).status).toBe(404)
      await isSiteOnly(`/media/${id}`)
    }
  })

  test('is not found by anything that is no id', async () => {
    for (const id of ['x', `${randomUUID()}.webp`, '..%2f..%2fsecret.key', '%00', randomUUID()])
      expect((await picture(id)).status, id).toBe(404)
  })
})

test('in a restricted region there is no preview of anything', async () => {
  const id = await buildMedia(harness, creator, { title: 'Dawn', mustUnlock: false, showInSearch: true })
  await isSiteOnly(`/media/${id}`, texas)
  await isSiteOnly(`/users/${creator.username}`, texas)
  expect((await picture(id, texas)).status).toBe(451)
})

describe('pages', () => {
  test('that are worth finding have an address, the others ask not to be kept', async () => {
    expect((await read('/terms')).canonical).toBe(`${SITE}/terms-and-conditions`)
    for (const path of ['/', '/discover', '/privacy', '/terms-and-conditions']) {
      const { canonical, meta } = await read(`${path}?utm=1`)
      expect([canonical, meta.robots], path).toEqual([SITE + path, undefined])
    }
    for (const path of ['/dashboard', '/login', '/agecheck', '/restricted', '/resetconfirmed/a/b']) {
      const { canonical, meta } = await read(path)
      expect([canonical, meta.robots], path).toEqual([undefined, 'noindex'])
    }
  })

  test('that do not exist are 404 and not indexed', async () => {
    for (const path of ['/nothing', '/users', '/media/a/b']) {
      const { status, meta } = await read(path)
      expect([status, meta.robots], path).toEqual([404, 'noindex'])
    }
  })
})

describe('sharedPage', () => {
  test.each([
    ['/users/ana', { kind: 'profile', username: 'ana' }],
    ['/users/a%20b/', { kind: 'profile', username: 'a b' }],
    ['/users/ana/offers/7', { kind: 'offer', username: 'ana' }],
    ['/users/ana/buy', null],
    ['/users/%', null],
    ['/users/%00', null],
    ['/media/x', null],
    [
      '/media/01890000-0000-7000-8000-00000000dead',
      { kind: 'media', mediaId: '01890000-0000-7000-8000-00000000dead' },
    ],
    ['/media/01890000-0000-7000-8000-00000000dead/more', null],
    ['/', null],
  ])('%s', (path, page) => {
    expect(sharedPage(path)).toEqual(page)
  })
})
