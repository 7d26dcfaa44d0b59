import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { pictureOf as pictureLink } from '../../../../contract/media-links.ts'
import { createByteCache } from '../../../streams/byte-cache.ts'
import type { Api } from '../../../testing/api.ts'
import { buildCreator, buildFan, buildMedia, buildUser, type Person } from '../../../testing/builders.ts'
import { buildGrant } from '../../../testing/grants.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { storeFiles, streamedVideo } from '../../../testing/media-files.ts'

let harness: Harness
let creator: Person
let fan: Person
let plain: Buffer
const items = { locked: '', free: '', direct: '', video: '' }

beforeAll(async () => {
  harness = await startHarness()
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
  plain = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#678' } })
    .webp()
    .toBuffer()
  items.locked = await buildMedia(harness, creator)
  items.free = await buildMedia(harness, creator, { mustUnlock: false, showInSearch: true })
  items.direct = await buildMedia(harness, creator, { directOnly: true })
  items.video = await buildMedia(harness, creator, { type: 'video' })
  for (const item of [items.locked, items.free, items.direct]) {
    await storeFiles(harness, item, [
      { name: 'w640.webp', mime: 'image/webp', body: plain },
      { name: 'w640.avif', mime: 'image/avif', body: Buffer.from('the AVIF') },
    ])
  }
  const streamed = streamedVideo('a video').filter(({ mime }) => !mime.startsWith('image/'))
  const poster = { name: 'poster-w640.webp', mime: 'image/webp', body: plain }
  await storeFiles(harness, items.video, [...streamed, poster])
  await unlock(fan)
  await harness.api.as(creator).call(routes.setWatermark, { body: { enabled: true } })
})
afterAll(() => harness?.stop())

const unlock = (person: Person) => buildGrant(harness, person, [items.locked, items.direct, items.video])

const AVIF = { accept: 'image/avif,image/webp,*/*' }
const show = (api: Api, mediaId: string) => api.call(routes.media, { params: { mediaId } })

async function pictureOf(api: Api, mediaId: string, headers: Record<string, string> = {}) {
  const response = await api.fetch(pictureLink(await show(api, mediaId)) ?? '', { headers })
  const bytes = Buffer.from(await response.arrayBuffer())
  const header = (name: string) => response.headers.get(name)
  return { status: response.status, bytes, header, marked: !bytes.equals(plain) }
}

/** How many of the two pictures' pixels differ plainly. */
async function difference(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all([one, other].map((bytes) => sharp(bytes).removeAlpha().raw().toBuffer()))
  if (!a || !b || a.length !== b.length) throw new Error('pictures of different sizes')
  return a.filter((value, index) => Math.abs(value - (b[index] ?? 0)) > 16).length
}

describe('a picture that is not free, of a creator who wants it', () => {
  it('carries the name of the fan who looks, in the same size, never kept by a cache', async () => {
    const api = harness.api.as(fan)
    for (const item of [items.locked, items.direct, items.video]) {
      const picture = await pictureOf(api, item, AVIF)
      expect([item, picture.status, picture.marked]).toEqual([item, 200, true])
      expect(picture.header('content-type')).toBe('image/webp')
      expect(picture.header('content-length')).toBe(String(picture.bytes.length))
      expect(picture.header('cache-control')).toBe('private, no-store')
      expect(await sharp(picture.bytes).metadata()).toMatchObject({ format: 'webp', width: 640, height: 480 })
      expect(await difference(picture.bytes, plain)).toBeGreaterThan(100)
    }
  })

  it('is drawn of what is stored, which stays as it was made, so that no picture is ever rendered again', async () => {
    const { db, storage } = harness.context
    const stored = async () => {
      const { storage_id } = await db
        .selectFrom('media')
        .select('storage_id')
        .where('id', '=', items.locked)
        .executeTakeFirstOrThrow()
      const body = await storage.read(`media/${storage_id}/w640.webp`)
      return body ? buffer(body) : null
    }
    expect((await pictureOf(harness.api.as(fan), items.locked)).marked).toBe(true)
    expect((await stored())?.equals(plain)).toBe(true)
    // Cached drawings end with the process.
    harness.context.watermarked = createByteCache({ maxBytes: 1e6, keptMs: 1000 })
    expect((await pictureOf(harness.api.as(fan), items.locked)).marked).toBe(true)
    expect((await stored())?.equals(plain)).toBe(true)
  })

  it('comes in parts of what is marked, never of what is stored', async () => {
    const api = harness.api.as(fan)
    const whole = await pictureOf(api, items.locked)
    const part = await pictureOf(api, items.locked, { range: 'bytes=100-199' })
    expect(part.status).toBe(206)
    expect(part.header('content-range')).toBe(`bytes 100-199/${whole.bytes.length}`)
    expect(part.bytes.equals(whole.bytes.subarray(100, 200))).toBe(true)
    const beyond = await pictureOf(api, items.locked, { range: `bytes=${whole.bytes.length}-` })
    expect([beyond.status, beyond.bytes.length]).toEqual([416, 0])
  })

  it('is drawn once while it is looked at, for each viewer their own', async () => {
    const other = await buildFan(harness, { username: 'somebody_else_entirely' })
    await unlock(other)
    const [api, otherApi] = [harness.api.as(fan), harness.api.as(other)]
    const both = () => Promise.all([api, otherApi].map((viewer) => pictureOf(viewer, items.locked)))
    const [mine, theirs] = await both()
    const [mineAgain, theirsAgain] = await both()
    if (!mine || !theirs) throw new Error('no pictures')
    expect(await difference(mine.bytes, theirs.bytes)).toBeGreaterThan(100)
    expect(mineAgain?.bytes.equals(mine.bytes)).toBe(true)
    expect(theirsAgain?.bytes.equals(theirs.bytes)).toBe(true)
  })

  it('follows a change of name at once', async () => {
    const renamed = await buildFan(harness)
    await unlock(renamed)
    const before = await pictureOf(harness.api.as(renamed), items.locked)
    await harness.context.db
      .updateTable('users')
      .set({ username: 'quite_another_name' })
      .where('id', '=', renamed.id)
      .execute()
    const after = await pictureOf(harness.api.as(renamed), items.locked)
    expect(await difference(before.bytes, after.bytes)).toBeGreaterThan(100)
  })

  it('has no way around the name', async () => {
    const api = harness.api.as(fan)
    const { url } = await show(api, items.locked)
    const avif = await api.fetch(url?.replace('.webp', '.avif') ?? '', { headers: AVIF })
    expect([avif.status, await avif.text()]).toEqual([404, expect.not.stringContaining('the AVIF')])
    const visitor = harness.api.visitor()
    expect(await show(visitor, items.locked)).toMatchObject({ locked: true, url: null })
  })

  it('is told of a video, whose player lays the name over', async () => {
    expect(await show(harness.api.as(fan), items.video)).toMatchObject({ watermarked: true })
    const stranger = harness.api.as(await buildFan(harness))
    for (const api of [stranger, harness.api.as(creator)])
      expect(await show(api, items.video)).not.toHaveProperty('watermarked')
  })
})

describe('no name is on', () => {
  it('what is free, for anybody', async () => {
    for (const api of [harness.api.visitor(), harness.api.as(fan)]) {
      expect(await pictureOf(api, items.free)).toMatchObject({ status: 200, marked: false })
      expect(await show(api, items.free)).not.toHaveProperty('watermarked')
    }
  })

  it('what the owner or the operator looks at', async () => {
    const operator = await buildUser(harness, { role: 'superadmin' })
    for (const person of [creator, operator])
      expect(await pictureOf(harness.api.as(person), items.locked)).toMatchObject({ marked: false })
  })

  it('what is sold by others, or once it is turned off', async () => {
    await harness.api.as(creator).call(routes.setWatermark, { body: { enabled: false } })
    expect(await pictureOf(harness.api.as(fan), items.locked)).toMatchObject({ status: 200, marked: false })
    await harness.api.as(creator).call(routes.setWatermark, { body: { enabled: true } })
    expect(await pictureOf(harness.api.as(fan), items.locked)).toMatchObject({ marked: true })
  })
})
