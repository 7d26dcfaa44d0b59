import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { expiryOf } from '../../../../contract/media-links.ts'
import type { Api } from '../../../testing/api.ts'
import { buildCreator, buildFan, buildMedia, buildSession, type Person } from '../../../testing/builders.ts'
import { buildGrant, revokeGrant } from '../../../testing/grants.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'

let harness: Harness

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

const unlock = (fan: Person, mediaId: string) => buildGrant(harness, fan, [mediaId])

const show = (api: Api, mediaId: string) => api.call(routes.media, { params: { mediaId } })

async function linkOf(api: Api, mediaId: string): Promise<string> {
  const { url } = await show(api, mediaId)
  if (!url) throw new Error('the item is locked')
  return url
}

async function fetched(api: Api, path: string, init?: RequestInit) {
  const response = await api.fetch(path, init)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Expects the refusal, and that nothing of the bytes came with it. */
async function expectClosed(api: Api, path: string, init?: RequestInit): Promise<void> {
  const answer = await fetched(api, path, init)
  expect(answer.status).toBe(403)
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  expect(JSON.parse(answer.text)).toEqual({ error: 'This link has expired.', code: 'link_expired' })
}

describe('a media link', () => {
  let creator: Person
  let fan: Person
  let api: Api
  let mediaId: string
  let grantId: string

  beforeAll(async () => {
    creator = await buildCreator(harness)
    fan = await buildFan(harness)
    api = harness.api.as(fan)
    mediaId = await buildMedia(harness, creator, { showInStore: true })
    grantId = await unlock(fan, mediaId)
  })

  it('opens for its own browser, uncached, whole or in part', async () => {
    const link = await linkOf(api, mediaId)
    const whole = await fetched(api, link)
    expect(whole.status).toBe(200)
    expect(whole.headers.get('cache-control')).toBe('private, no-store')
    expect(whole.headers.get('x-content-type-options')).toBe('nosniff')
    expect(whole.headers.get('accept-ranges')).toBe('bytes')
    const size = Buffer.byteLength(whole.text)
    expect(whole.headers.get('content-length')).toBe(String(size))
    for (const [range, expected, from, to] of [
      ['bytes=0-4', whole.text.slice(0, 5), 0, 4],
      ['bytes=6-', whole.text.slice(6), 6, size - 1],
      ['bytes=-3', whole.text.slice(-3), size - 3, size - 1],
      ['bytes=2-99999', whole.text.slice(2), 2, size - 1],
      ['bytes=-99999', whole.text, 0, size - 1],
    ] as const) {
      const part = await fetched(api, link, { headers: { range } })
      expect(part.status).toBe(206)
      expect(part.text).toBe(expected)
      expect(part.headers.get('content-range')).toBe(`bytes ${from}-${to}/${size}`)
    }
    const beyond = await fetched(api, link, { headers: { range: `bytes=${size}-` } })
    expect(beyond).toMatchObject({ status: 416, text: '' })
    for (const range of ['bytes=0-1,3-4', 'bytes=a-b', 'bytes=-', 'bytes', 'items=0-1'])
      expect(await fetched(api, link, { headers: { range } })).toMatchObject({
        status: 200,
        text: whole.text,
      })
  })

  it('is the same when read again within the minute, and at most 300 seconds long', async () => {
    const seconds = () => harness.clock.now().getTime() / 1000
    const before = seconds()
    const first = await linkOf(api, mediaId)
    expect(expiryOf(first) - seconds()).toBeLessThanOrEqual(300)
    expect(expiryOf(first) - before).toBeGreaterThanOrEqual(240)
    const again = await linkOf(api, mediaId)
    expect(again === first).toBe(expiryOf(again) === expiryOf(first))
  })

  it('opens nothing for anybody else, even one who bought the same', async () => {
    const link = await linkOf(api, mediaId)
    const other = await buildFan(harness)
    await unlock(other, mediaId)
    const otherApi = harness.api.as(other)
    await linkOf(otherApi, mediaId)
    await expectClosed(otherApi, link)
    await expectClosed(otherApi, link, { headers: { range: 'bytes=0-3' } })
    await expectClosed(harness.api.visitor(), link)
    const visitor = harness.api.visitor()
    await visitor.send('GET', '/media/discover')
    expect(visitor.cookies.size).toBeGreaterThan(0)
    await expectClosed(visitor, link)
    const sameFanElsewhere = harness.api.as({ token: await buildSession(harness, fan.id) })
    await linkOf(sameFanElsewhere, mediaId)
    await expectClosed(sameFanElsewhere, link)
    await expectClosed(harness.api.visitor(), link, { headers: { authorization: `Bearer ${fan.token}` } })
  })

  it('opens the other renditions of its own item and no name beside them', async () => {
    const link = await linkOf(api, mediaId)
    expect((await fetched(api, link.replace('w640.webp', 'w320.webp'))).status).toBe(200)
    expect((await fetched(api, link.replace('w640.webp', 'w641.webp'))).status).toBe(404)
  })

  it('opens nothing once a letter of it or of the cookie is changed', async () => {
    const link = await linkOf(api, mediaId)
    const expiry = expiryOf(link)
    const signature = link.split('/').at(-2)?.split('.')[1] ?? ''
    const second = await buildMedia(harness, creator)
    const changed = [
      link.replace(mediaId, second),
      link.replace(`${expiry}.`, `${expiry}0.`),
      link.replace(`${expiry}.`, `0${expiry}.`),
      link.replace(`${expiry}.`, `${expiry + 60}.`),
      link.replace(signature, signature.slice(0, -2) + (signature.endsWith('AA') ? 'BB' : 'AA')),
      link.replace(`.${signature}`, ''),
      link.replace(signature, ''),
      link.replace(signature, `${signature}.${signature}`),
      link.replace(`${expiry}.${signature}/`, ''),
    ]
    expect(new Set(changed).size).toBe(changed.length)
    for (const path of changed) await expectClosed(api, path)
    const cookie = api.cookies.get('media_viewer') ?? ''
    await expectClosed(harness.api.visitor(), link, {
      headers: { cookie: `media_viewer=${cookie.replace('s.', 's.0')}` },
    })
    await expectClosed(harness.api.visitor(), link, {
      headers: { cookie: `media_viewer=${cookie.split('~')[0]}` },
    })
  })

  it('does not leave the folder of its item', async () => {
    for (const path of [
      `/files/media/${mediaId}/../${mediaId}/w640.webp`,
      `/files/media/${mediaId}/..%2f..%2fuploads%2f${mediaId}`,
      `/files/media/${mediaId}/%2e%2e`,
      `/files/media/${mediaId}/w640.webp%00`,
      `/files/uploads/${mediaId}`,
      '/files/',
      '/files/%ff',
    ]) {
      const { status, text } = await fetched(api, path)
      expect([400, 403, 404]).toContain(status)
      expect(text).not.toContain('bytes of a test item')
    }
  })

  it('ends by itself', async () => {
    const link = await linkOf(api, mediaId)
    expect((await fetched(api, link)).status).toBe(200)
    harness.clock.advance(300_000)
    await expectClosed(api, link)
    expect((await fetched(api, await linkOf(api, mediaId))).status).toBe(200)
  })

  it('ends with its session', async () => {
    const gone = await buildFan(harness)
    await unlock(gone, mediaId)
    const goneApi = harness.api.as(gone)
    const link = await linkOf(goneApi, mediaId)
    expect((await fetched(goneApi, link)).status).toBe(200)
    const { db, clock } = harness.context
    await db.updateTable('sessions').set({ expires_at: clock.now() }).where('user_id', '=', gone.id).execute()
    await expectClosed(goneApi, link)
    await db.deleteFrom('sessions').where('user_id', '=', gone.id).execute()
    await expectClosed(goneApi, link)
    await expectClosed(goneApi, link, { headers: { range: 'bytes=0-3' } })
  })

  it('ends for everybody but buyers and owner when the item is locked, and for all but buyers when it is deleted', async () => {
    const open = await buildMedia(harness, creator, { mustUnlock: false })
    const visitor = harness.api.visitor()
    const link = await linkOf(visitor, open)
    expect((await fetched(visitor, link)).status).toBe(200)
    const owner = harness.api.as(creator)
    await owner.call(routes.editMedia, { body: { mediaId: open, mustUnlock: true } })
    await expectClosed(visitor, link)
    await unlock(fan, open)
    const [fansLink, ownersLink] = [await linkOf(api, open), await linkOf(owner, open)]
    await owner.call(routes.deleteMedia, { body: { mediaId: open } })
    await expectClosed(owner, ownersLink)
    expect((await fetched(api, fansLink)).status).toBe(200)
    expect(await show(api, open)).toMatchObject({ locked: false, owned: true })
  })

  it('ends with the refund', async () => {
    const link = await linkOf(api, mediaId)
    expect((await fetched(api, link)).status).toBe(200)
    await revokeGrant(harness, grantId)
    await expectClosed(api, link)
    await expectClosed(api, link, { headers: { range: 'bytes=0-3' } })
    expect(await show(api, mediaId)).toMatchObject({ locked: true, owned: false, url: null })
  })
})

describe('a profile picture', () => {
  it('is for everybody while it is the current one', async () => {
    const { db, storage } = harness.context
    const person = await buildCreator(harness)
    for (const name of ['new.webp', 'old.webp']) {
      await storage.put(`profile/${person.id}/${name}`, Readable.from([Buffer.from(name)]), { maxBytes: 100 })
    }
    await db
      .updateTable('profiles')
      .set({ profile_image: 'new.webp' })
      .where('user_id', '=', person.id)
      .execute()
    const visitor = harness.api.visitor()
    const current = await fetched(visitor, `/files/profile/${person.id}/new.webp`)
    expect(current).toMatchObject({ status: 200, text: 'new.webp' })
    expect(current.headers.get('cache-control')).toBe('private, max-age=300')
    expect((await fetched(visitor, `/files/profile/${person.id}/old.webp`)).status).toBe(404)
    expect(
      (await fetched(visitor, `/files/profile/${(await buildCreator(harness)).id}/new.webp`)).status,
    ).toBe(404)
  })
})
