import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { pictureOf, sourcesOf, streamOf } from '../../../../contract/media-links.ts'
import type { Api } from '../../../testing/api.ts'
import {
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  buildSession,
  type Person,
} from '../../../testing/builders.ts'
import { buildGrant } from '../../../testing/grants.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { storeFiles, streamedVideo } from '../../../testing/media-files.ts'
import { leave } from '../../../testing/security.ts'
import { grant } from '../entitlements/actions.ts'

let harness: Harness
let creator: Person
let fan: Person
let api: Api
let picture: string
let video: string

const MARK = 'locked bytes:'
const AVIF = 'image/avif,image/webp,*/*;q=0.8'
const NO_AVIF = 'image/webp,*/*;q=0.8'

beforeAll(async () => {
  harness = await startHarness()
  creator = await buildCreator(harness)
})
afterAll(() => harness?.stop())

beforeEach(async () => {
  picture = await buildMedia(harness, creator)
  video = await buildMedia(harness, creator, { type: 'video' })
  await storeFiles(harness, picture, [
    { name: 'w320.avif', mime: 'image/avif', body: Buffer.from(`${MARK} 320 as AVIF`), width: 320 },
    { name: 'w320.webp', mime: 'image/webp', body: Buffer.from(`${MARK} 320 as WebP`), width: 320 },
    { name: 'w640.webp', mime: 'image/webp', body: Buffer.from(`${MARK} 640 as WebP`) },
  ])
  await storeFiles(harness, video, streamedVideo(MARK))
  fan = await buildFan(harness)
  api = harness.api.as(fan)
  await unlock(fan, [picture, video])
})

const unlock = (person: Person, mediaIds: string[]) => buildGrant(harness, person, mediaIds)

/** The part of a link between the item and its file: expiry and signature. */
const folderOf = (part: string) => part.split('/').at(-2) ?? ''

const show = (viewer: Api, mediaId: string) => viewer.call(routes.media, { params: { mediaId } })

async function fetched(viewer: Api, path: string, headers: Record<string, string> = {}) {
  const response = await viewer.fetch(path, { headers })
  const { status } = response
  const header = (name: string) => response.headers.get(name)
  return { status, header, text: await response.text() }
}

describe('a picture', () => {
  const urlOf = async (width: number) => {
    const source = sourcesOf(await show(api, picture)).find((one) => one.width === width)
    return source?.url ?? ''
  }

  it('comes as AVIF to a browser that can show it, and as WebP to every other', async () => {
    const url = await urlOf(320)
    const modern = await fetched(api, url, { accept: AVIF })
    expect([modern.status, modern.header('content-type'), modern.text]).toEqual([
      200,
      'image/avif',
      `${MARK} 320 as AVIF`,
    ])
    expect(modern.header('content-length')).toBe(String(modern.text.length))
    for (const accept of [NO_AVIF, '*/*', 'image/avif;q=0']) {
      const plain = await fetched(api, url, { accept })
      expect([plain.status, plain.header('content-type'), plain.text]).toEqual([
        200,
        'image/webp',
        `${MARK} 320 as WebP`,
      ])
    }
  })

  it('tells caches on what its kind depends, and that they must not keep it', async () => {
    for (const accept of [AVIF, NO_AVIF]) {
      const { header } = await fetched(api, await urlOf(320), { accept })
      expect(header('vary')).toBe('Accept')
      expect(header('cache-control')).toBe('private, no-store')
    }
    const only = await fetched(api, await urlOf(640), { accept: AVIF })
    expect([only.header('vary'), only.header('content-type')]).toEqual([null, 'image/webp'])
  })

  it('comes in parts of the kind that is sent', async () => {
    const part = await fetched(api, await urlOf(320), { accept: AVIF, range: 'bytes=-4' })
    expect([part.status, part.text]).toEqual([206, 'AVIF'])
  })

  it('has no address of its own for the AVIF', async () => {
    const media = await show(api, picture)
    expect(media.widths).toEqual([320, 640])
    expect(JSON.stringify(media)).not.toContain('avif')
    const guess = (await urlOf(320)).replace('.webp', '.avif')
    expect(await fetched(api, guess, { accept: AVIF })).toMatchObject({ status: 404 })
  })
})

/** Every address that a player reaches from the item: playlists, and what they name. */
async function partsOf(viewer: Api, mediaId: string): Promise<string[]> {
  const media = await show(viewer, mediaId)
  const parts = [media.url, pictureOf(media), streamOf(media)].map((part) => part ?? '')
  for (const path of parts) {
    if (!path.includes('.m3u8')) continue
    const playlist = await fetched(viewer, path)
    expect(playlist.status).toBe(200)
    const named = [...playlist.text.matchAll(/^(?!#).+$|URI="([^"]+)"/gm)].map(
      (match) => match[1] ?? match[0],
    )
    const base = new URL(path, harness.origin)
    for (const address of named) {
      const { pathname, search } = new URL(address, base)
      if (!parts.includes(pathname + search)) parts.push(pathname + search)
    }
  }
  return parts
}

describe('a longer video', () => {
  it('is told once, as one playlist beside the whole', async () => {
    const media = await show(api, video)
    expect(media.url).toMatch(new RegExp(`^/files/media/${video}/\\d+\\.[\\w-]{47}/video\\.mp4$`))
    expect(media).toMatchObject({ stream: 'hls.m3u8', poster: 'poster-w640.webp', widths: [640] })
    expect(JSON.stringify(media)).not.toContain('hls-')
    expect(await show(harness.api.visitor(), video)).toMatchObject({ stream: null, url: null, poster: null })
  })

  it('is null where there is no stream', async () => {
    const short = await buildMedia(harness, creator, { type: 'video', mustUnlock: false })
    expect(await show(api, short)).toMatchObject({ stream: null, url: expect.any(String) })
  })

  it('plays from its playlists, which are served as they are stored and name what lies beside them', async () => {
    const parts = await partsOf(api, video)
    expect(parts.map((part) => part.split('/').at(-1))).toEqual([
      'video.mp4',
      'poster-w640.webp',
      'hls.m3u8',
      'hls-720.m3u8',
      'hls-720.mp4',
    ])
    const [, , main = '', , segments = ''] = parts
    const playlist = await fetched(api, main)
    expect(playlist.header('content-type')).toBe('application/vnd.apple.mpegurl')
    expect(playlist.header('content-length')).toBe(String(playlist.text.length))
    expect(playlist.header('cache-control')).toBe('private, no-store')
    expect(playlist.text).toBe(
      streamedVideo(MARK)
        .find(({ name }) => name === 'hls.m3u8')
        ?.body.toString(),
    )
    const inPart = await fetched(api, main, { range: 'bytes=0-6' })
    expect([inPart.status, inPart.text]).toEqual([206, '#EXTM3U'])
    const segment = await fetched(api, segments, { range: 'bytes=10-29' })
    expect(segment.status).toBe(206)
    expect(segment.text).toBe(`${MARK} segments of the stream`.slice(10, 30))
    expect(segment.header('content-range')).toMatch(/^bytes 10-29\/\d+$/)
    expect(segment.header('cache-control')).toBe('private, no-store')
  })
})

describe('every part of a stream is as closed as the file', () => {
  /** Expects of all parts the refusal, whole and in part, and that nothing of the bytes came with it. */
  async function expectClosed(viewer: Api, parts: string[]): Promise<void> {
    expect(parts).toHaveLength(5)
    for (const part of parts) {
      for (const headers of [{}, { range: 'bytes=0-3' }, { range: 'bytes=-5' }]) {
        const answer = await fetched(viewer, part, headers)
        expect([part, answer.status]).toEqual([part, 403])
        expect(answer.header('cache-control')).toBe('private, no-store')
        expect(JSON.parse(answer.text)).toEqual({ error: 'This link has expired.', code: 'link_expired' })
      }
    }
  }

  it('to another buyer, to visitors, and to the same person elsewhere', async () => {
    const parts = await partsOf(api, video)
    const other = await buildFan(harness)
    await unlock(other, [video])
    const otherApi = harness.api.as(other)
    await partsOf(otherApi, video)
    const visitor = harness.api.visitor()
    await visitor.send('GET', '/media/discover')
    const elsewhere = harness.api.as({ token: await buildSession(harness, fan.id) })
    await partsOf(elsewhere, video)
    for (const stranger of [otherApi, visitor, harness.api.visitor(), elsewhere])
      await expectClosed(stranger, parts)
  })

  it('under the signature of another item, another time, or none', async () => {
    const parts = await partsOf(api, video)
    const { url } = await show(api, picture)
    const foreign = folderOf(url ?? '')
    const later = (part: string) => part.replace(/\/(\d+)\./, (_, seconds) => `/${Number(seconds) + 60}.`)
    await expectClosed(
      api,
      parts.map((part) => part.replace(folderOf(part), foreign)),
    )
    await expectClosed(api, parts.map(later))
    await expectClosed(
      api,
      parts.map((part) => part.replace(`${folderOf(part)}/`, '')),
    )
    await expectClosed(
      api,
      parts.map((part) => part.replace(/\.[\w-]/, (sign) => (sign === '.A' ? '.B' : '.A'))),
    )
  })

  it('after 300 seconds', async () => {
    const parts = await partsOf(api, video)
    harness.clock.advance(300_000)
    await expectClosed(api, parts)
    expect(await partsOf(api, video)).toHaveLength(5)
  })

  it('after the refund', async () => {
    const parts = await partsOf(api, video)
    await harness.context.db
      .updateTable('entitlements')
      .set({ revoked_at: harness.clock.now() })
      .where('user_id', '=', fan.id)
      .execute()
    await expectClosed(api, parts)
  })

  it('after the end of the subscription', async () => {
    const subscriber = await buildFan(harness)
    const { db, clock } = harness.context
    const now = clock.now()
    const until = new Date(now.getTime() + 60_000)
    const plan_id = await buildPlan(harness, creator, { mediaIds: [video] })
    const subscription = await db
      .insertInto('subscriptions')
      .values({
        plan_id,
        fan_id: subscriber.id,
        creator_id: creator.id,
        price_cents: 999,
        status: 'active',
        anchor_at: now,
        current_period_end: until,
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const source = { kind: 'subscription', id: subscription.id } as const
    const gives = { planId: plan_id, validUntil: until }
    await db.transaction().execute((tx) => grant(tx, { userId: subscriber.id, source, gives, now }))
    const viewer = harness.api.as(subscriber)
    const parts = await partsOf(viewer, video)
    clock.advance(60_000)
    await expectClosed(viewer, parts)
  })

  it('after logging out, here or everywhere, and after the account’s deletion', async () => {
    const parts = await partsOf(api, video)
    await api.call(routes.logout, {})
    await expectClosed(api, parts)
    const again = harness.api.as({ token: await buildSession(harness, fan.id) })
    const further = await partsOf(again, video)
    await leave(harness, fan)
    await expectClosed(again, further)
  })

  it('when the file was replaced: its place in the store opens nothing, and who bought it keeps it', async () => {
    const parts = await partsOf(api, video)
    const before = await harness.context.db
      .selectFrom('media')
      .select('storage_id')
      .where('id', '=', video)
      .executeTakeFirstOrThrow()
    await harness.context.db
      .updateTable('media')
      .set({ version_id: crypto.randomUUID() })
      .where('id', '=', video)
      .execute()
    await storeFiles(harness, video, streamedVideo('the new one:'))
    for (const part of parts) expect((await fetched(api, part)).status).toBe(200)
    await expectClosed(
      api,
      parts.map((part) => part.replace(video, before.storage_id)),
    )
  })
})
