import { readFile, writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Api } from '../../../testing/api.ts'
import { buildCreator, buildFan, buildMedia, buildUser, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { storeFiles } from '../../../testing/media-files.ts'
import { buildSubreddits, connectForum } from '../../../testing/promotion.ts'
import { requestVideoCopy, videoCopyKey } from './actions.ts'

/** Milliseconds after which a deleted item’s files are gone for good. */
const PURGED_MS = 40 * 86_400_000

let harness: Harness
let operator: Person
let picture: Buffer
let creator: Person
let mediaId: string
let postId: string
beforeAll(async () => {
  harness = await startHarness()
  operator = await buildUser(harness, { role: 'superadmin' })
  await buildSubreddits(harness, ['Asters', 'Begonias', 'Camellias'])
  await noteWatermark('Asters', 'reddit username')
  await noteWatermark('Begonias', 'not allowed')
  picture = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#678' } })
    .webp()
    .toBuffer()
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  ;({ mediaId, postId } = await buildItemPost(creator))
})

const browsers = new Map<string, Api>()
/** The one browser of a person, whose cookies open what its calls named. */
function as(person: Person): Api {
  const browser = browsers.get(person.id) ?? harness.api.as(person)
  browsers.set(person.id, browser)
  return browser
}

async function noteWatermark(name: string, watermark_type: 'reddit username' | 'not allowed') {
  await harness.context.db
    .updateTable('subreddits')
    .set({ watermark_type })
    .where('name', '=', name)
    .execute()
}

/** An item that promotes and a post that shows it. */
async function buildItemPost(owner: Person, type: 'image' | 'video' = 'image') {
  const id = await buildMedia(harness, owner, { type, redditPromotion: true })
  const { _id } = await as(owner).call(routes.createPost, { body: { titles: ['A lake'], mediaId: id } })
  return { mediaId: id, postId: _id }
}

const storePicture = () =>
  storeFiles(harness, mediaId, [
    { name: 'w320.webp', mime: 'image/webp', body: Buffer.from('the small one'), width: 320, height: 240 },
    { name: 'w640.webp', mime: 'image/webp', body: picture },
    { name: 'w640.avif', mime: 'image/avif', body: Buffer.from('the AVIF') },
  ])

type Asked = { subreddit?: string; kind?: 'clean' | 'named'; accountId?: string }
const copyFor = (person: Person, { subreddit = 'Asters', ...asked }: Asked = {}, redditPostId = postId) =>
  as(person).call(routes.promotionCopy, { params: { redditPostId }, body: { subreddit, ...asked } })

async function open(person: Person, path: string) {
  const answer = await as(person).fetch(path)
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()), headers: answer.headers }
}

test('a picture is copied as the subreddit wants it, or as its creator chooses, without metadata', async () => {
  await storePicture()
  const cleanOnly = await copyFor(creator)
  expect(cleanOnly).toMatchObject({ kind: 'clean', wanted: 'named', account: null, ready: true })
  const refused = copyFor(creator, { kind: 'named' })
  await expect(refused).rejects.toMatchObject({ code: 'forum_not_connected' })
  await connectForum(harness, creator, 'LanternMaker')
  const [asAsked, otherwise, forbidding, unknown] = [
    await copyFor(creator),
    await copyFor(creator, { kind: 'clean' }),
    await copyFor(creator, { subreddit: 'Begonias' }),
    await copyFor(creator, { subreddit: 'Camellias' }),
  ]
  expect(asAsked).toMatchObject({ kind: 'named', wanted: 'named', account: 'LanternMaker' })
  expect(asAsked.fileName).toBe(`Asters-${postId.slice(-6)}.jpg`)
  expect(otherwise).toMatchObject({ kind: 'clean', wanted: 'named', account: null })
  expect(forbidding).toMatchObject({ kind: 'clean', wanted: 'clean' })
  expect(unknown).toMatchObject({ kind: 'clean', wanted: null })
  const named = await open(creator, asAsked.path)
  const clean = await open(creator, otherwise.path)
  expect([named.status, clean.status]).toEqual([200, 200])
  expect(named.headers.get('content-type')).toBe('image/jpeg')
  expect(named.headers.get('cache-control')).toContain('private')
  const { format, width, exif, xmp, icc } = await sharp(named.bytes).metadata()
  expect({ format, width, exif, xmp, icc }).toEqual({ format: 'jpeg', width: 640 })
  const expected = (text: string | null) => harness.context.processor.copyPicture({ picture, text })
  expect(named.bytes.equals(await expected('u/LanternMaker'))).toBe(true)
  expect(clean.bytes.equals(await expected(null))).toBe(true)
  const part = await as(creator).fetch(asAsked.path, { headers: { range: 'bytes=0-99' } })
  expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 100])
})

test('nobody else gets one, by the call or by the address', async () => {
  await storePicture()
  await connectForum(harness, creator, 'LanternMaker')
  const { path } = await copyFor(creator, { kind: 'named' })
  const stranger = await buildCreator(harness)
  const { accounts } = await as(creator).call(routes.queue, {})
  const accountId = accounts[0]?._id ?? ''
  for (const person of [stranger, await buildFan(harness), operator]) {
    const answer = await as(person).send('POST', `/reddit/post/${postId}/copy`, {
      body: { subreddit: 'Asters' },
    })
    expect([403, 404]).toContain(answer.status)
    expect([403, 404]).toContain((await open(person, path)).status)
  }
  expect((await harness.api.visitor().fetch(path)).status).toBe(403)
  // Nor is a name of somebody else drawn onto one’s own.
  const own = await buildItemPost(stranger)
  const borrowed = copyFor(stranger, { kind: 'named', accountId }, own.postId)
  await expect(borrowed).rejects.toMatchObject({ code: 'forum_account_not_found' })
  const address = `/files/promotion/${own.postId}/${accountId}/copy.jpg`
  expect((await open(stranger, address)).status).toBe(404)
})

test('what no longer promotes, was taken down or deleted has no copy, and no address opens one', async () => {
  const { db } = harness.context
  const ends: [string, () => Promise<unknown>][] = [
    [
      'taken down',
      () => as(operator).call(routes.quarantineMedia, { body: { mediaId, reason: 'A complaint' } }),
    ],
    ['deleted', () => as(creator).call(routes.deleteMedia, { body: { mediaId } })],
    [
      'no longer promoting',
      () => db.updateTable('media').set({ reddit_promotion: false }).where('id', '=', mediaId).execute(),
    ],
    ['logged out', () => as(creator).call(routes.logout, {})],
  ]
  for (const [name, end] of ends) {
    ;({ mediaId, postId } = await buildItemPost(creator))
    await storePicture()
    const { path } = await copyFor(creator, { kind: 'clean' })
    expect([name, (await open(creator, path)).status]).toEqual([name, 200])
    await end()
    const opened = await open(creator, path)
    expect([name, opened.status, opened.bytes.subarray(0, 2).toString('hex')]).not.toContain('ffd8')
    expect([name, opened.status]).not.toEqual([name, 200])
    await expect(copyFor(creator), name).rejects.toThrow()
  }
})

test('an address of something else, and a post of a link, have no copy', async () => {
  const { _id } = await as(creator).call(routes.createPost, {
    body: { titles: ['A lake'], link: 'quietlake' },
  })
  await expect(copyFor(creator, {}, _id)).rejects.toMatchObject({ code: 'post_media_not_found' })
  await expect(copyFor(creator, { subreddit: 'Nowhere' })).rejects.toMatchObject({
    code: 'subreddit_not_found',
  })
  for (const address of [
    `${_id}/clean/copy.jpg`,
    `${postId}/clean/../copy.jpg`,
    `${postId}/clean/copy.png`,
    `${crypto.randomUUID()}/clean/copy.jpg`,
  ])
    expect((await open(creator, `/files/promotion/${address}`)).status, address).toBe(404)
})

test('a video with the name on it is made once, by a job, and goes with its item', async () => {
  const { context } = harness
  const video = await buildItemPost(creator, 'video')
  await connectForum(harness, creator, 'LanternMaker')
  const storageId = await storeFiles(harness, video.mediaId, [
    { name: 'video.mp4', mime: 'video/mp4', body: Buffer.from('the plain video') },
    { name: 'poster-w640.webp', mime: 'image/webp', body: picture },
  ])
  const clean = await copyFor(creator, { kind: 'clean' }, video.postId)
  expect(clean).toMatchObject({ ready: true })
  expect((await open(creator, clean.path)).bytes.toString()).toBe('the plain video')
  const asked = await Promise.all(Array.from({ length: 5 }, () => copyFor(creator, {}, video.postId)))
  expect(asked.every(({ ready, kind }) => !ready && kind === 'named')).toBe(true)
  const path = asked[0]?.path ?? ''
  expect((await open(creator, path)).status).toBe(404)
  const made: string[] = []
  const { copyVideo } = context.processor
  context.processor.copyVideo = async ({ path: source, outDir, name, text }) => {
    made.push(text)
    await writeFile(`${outDir}/${name}`, `${await readFile(source)} of ${text}`)
    return { ok: true, path: `${outDir}/${name}` }
  }
  try {
    await harness.runJobs()
    expect(made).toEqual(['u/LanternMaker'])
    expect(await copyFor(creator, {}, video.postId)).toMatchObject({ ready: true, path })
    await harness.runJobs()
    expect(made).toHaveLength(1)
  } finally {
    context.processor.copyVideo = copyVideo
  }
  expect((await open(creator, path)).bytes.toString()).toBe('the plain video of u/LanternMaker')
  await context.db.updateTable('media').set({ reddit_promotion: false }).execute()
  expect((await open(creator, path)).status).toBe(404)
  expect(await context.storage.size(videoCopyKey(storageId, 'LanternMaker'))).toBeGreaterThan(0)
  await as(creator).call(routes.deleteMedia, { body: { mediaId: video.mediaId } })
  harness.clock.advance(PURGED_MS)
  await harness.server.jobs['media.purge']({}, { attempt: 1, lastAttempt: false })
  await harness.runJobs()
  expect(await context.storage.size(videoCopyKey(storageId, 'LanternMaker'))).toBeNull()
})

test('asked for again and again while it is made, a video is made once, and what fails is told', async () => {
  const { context } = harness
  const { db, processor, storage } = context
  const video = await buildItemPost(creator, 'video')
  await connectForum(harness, creator, 'LanternMaker')
  const storageId = await storeFiles(harness, video.mediaId, [
    { name: 'video.mp4', mime: 'video/mp4', body: Buffer.from('the plain video') },
  ])
  const { version_id } = await db
    .selectFrom('media')
    .select('version_id')
    .where('id', '=', video.mediaId)
    .executeTakeFirstOrThrow()
  const poll = () => copyFor(creator, {}, video.postId)
  const { copyVideo } = processor
  const folders: string[] = []
  const gate = Promise.withResolvers<void>()
  const made = Promise.withResolvers<void>()
  processor.copyVideo = async ({ outDir, name }) => {
    folders.push(outDir)
    await writeFile(`${outDir}/${name}`, 'half')
    made.resolve()
    await gate.promise
    await writeFile(`${outDir}/${name}`, 'the whole copy', { flag: 'r+' })
    return { ok: true, path: `${outDir}/${name}` }
  }
  try {
    await poll()
    const working = harness.runJobs()
    await made.promise
    for (let times = 0; times < 3; times += 1) expect((await poll()).ready).toBe(false)
    expect(await listCopyJobs()).toEqual([{ attempts: 1, max_attempts: 4, running: true }])
    // Another process that was sent for the same copy leaves it to the one that makes it.
    await harness.server.jobs['posts.copy'](
      { versionId: version_id ?? '', name: 'LanternMaker' },
      { attempt: 1, lastAttempt: false },
    )
    gate.resolve()
    await working
    expect(folders).toHaveLength(1)
    expect((await poll()).ready).toBe(true)
    expect(await readStored(videoCopyKey(storageId, 'LanternMaker'))).toBe('the whole copy')
    await storage.remove(videoCopyKey(storageId, 'LanternMaker'))
    processor.copyVideo = async ({ outDir }) => {
      folders.push(outDir)
      return { ok: false, refusal: 'media_unreadable' }
    }
    await poll()
    await harness.runJobs()
    await poll()
    // A waiting request doesn't shorten the pause after a failed attempt.
    expect(await listCopyJobs()).toEqual([{ attempts: 1, max_attempts: 4, running: false }])
    expect(new Set(folders).size).toBe(2)
    await sql`update graphile_worker._private_jobs set attempts = max_attempts`.execute(db)
    await expect(poll()).rejects.toMatchObject({ status: 409, code: 'copy_not_made' })
    expect((await poll()).ready).toBe(false)
    expect(await listCopyJobs()).toEqual([{ attempts: 0, max_attempts: 4, running: false }])
  } finally {
    processor.copyVideo = copyVideo
    gate.resolve()
  }
})

test('people take turns: a copy behind a hundred of another person is made next but one', async () => {
  const { context } = harness
  const { copyVideo } = context.processor
  const made: string[] = []
  context.processor.copyVideo = async ({ outDir, name, text }) => {
    made.push(text)
    await writeFile(`${outDir}/${name}`, text)
    return { ok: true, path: `${outDir}/${name}` }
  }
  try {
    // What an earlier test left waiting.
    await harness.runJobs()
    made.length = 0
    const hundred = Array.from({ length: 100 }, (_, index) => `Many${index}`)
    await askFor(creator, hundred)
    await askFor(await buildCreator(harness), ['One', 'Two'])
    await harness.runJobs()
    const [first = '', second = '', ...rest] = hundred
    expect(made).toEqual([first, 'One', second, 'Two', ...rest].map((name) => `u/${name}`))
  } finally {
    context.processor.copyVideo = copyVideo
  }
})

test('a second copy isn’t overtaken for as long as two other people ask by turns', async () => {
  const { context } = harness
  const { copyVideo } = context.processor
  await harness.runJobs()
  const [ann, bob] = [await buildCreator(harness), await buildCreator(harness)]
  const made: string[] = []
  context.processor.copyVideo = async ({ outDir, name, text }) => {
    made.push(text)
    // Each asks while the other's is being made.
    const [, asker, round = ''] = text.match(/^u\/(Ann|Bob)(\d+)$/) ?? []
    if (asker === 'Ann') await askFor(bob, [`Bob${round}`])
    if (asker === 'Bob' && Number(round) < 20) await askFor(ann, [`Ann${Number(round) + 1}`])
    await writeFile(`${outDir}/${name}`, text)
    return { ok: true, path: `${outDir}/${name}` }
  }
  try {
    await askFor(creator, ['First', 'Second'])
    await askFor(ann, ['Ann1'])
    await harness.runJobs()
    expect(made.slice(0, 4)).toEqual(['u/First', 'u/Ann1', 'u/Second', 'u/Bob1'])
    expect(made).toHaveLength(42)
  } finally {
    context.processor.copyVideo = copyVideo
  }
})

test('a copy that failed and waits for its next attempt is no turn to join, neither for others nor for its person', async () => {
  const { context } = harness
  const { copyVideo } = context.processor
  await harness.runJobs()
  const [unlucky, other] = [await buildCreator(harness), await buildCreator(harness)]
  const made: string[] = []
  let fails = true
  context.processor.copyVideo = async ({ outDir, name, text }) => {
    if (fails && text === 'u/Fails') throw new Error('not today')
    made.push(text)
    // Asked for while others wait.
    if (text === 'u/Two') {
      await askFor(other, ['Other'])
      await askFor(unlucky, ['Again'])
    }
    await writeFile(`${outDir}/${name}`, text)
    return { ok: true, path: `${outDir}/${name}` }
  }
  const wait = (until: string) =>
    sql`update graphile_worker._private_jobs set run_at = now() + ${until}::interval where attempts > 0`.execute(
      context.db,
    )
  try {
    await askFor(unlucky, ['Fails'])
    await harness.runJobs()
    await wait('1 hour')
    await askFor(creator, ['One', 'Two', 'Three'])
    await harness.runJobs()
    expect(made).toEqual(['One', 'Two', 'Three', 'Other', 'Again'].map((name) => `u/${name}`))
    fails = false
    await wait('0')
    await askFor(creator, ['Last'])
    await harness.runJobs()
    expect(made.slice(5)).toEqual(['u/Fails', 'u/Last'])
  } finally {
    context.processor.copyVideo = copyVideo
  }
})

/** Asks for copies of a new video of theirs with these names. */
async function askFor(person: Person, names: string[]): Promise<void> {
  const { context } = harness
  const { mediaId: id } = await buildItemPost(person, 'video')
  const storageId = await storeFiles(harness, id, [
    { name: 'video.mp4', mime: 'video/mp4', body: Buffer.from('the plain video') },
  ])
  const { version_id } = await context.db
    .selectFrom('media')
    .select('version_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  for (const name of names) {
    const copy = { key: videoCopyKey(storageId, name), ownerId: person.id }
    await requestVideoCopy(context, copy, { versionId: version_id ?? '', name })
  }
}

async function listCopyJobs() {
  const { rows } = await sql`
    select attempts, max_attempts, locked_at is not null as running from graphile_worker.jobs
    where task_identifier = 'posts.copy'`.execute(harness.context.db)
  return rows
}

async function readStored(key: string): Promise<string> {
  const body = await harness.context.storage.read(key)
  return body ? (await buffer(body)).toString() : ''
}
