import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errors } from '../../../../../contract/errors.ts'
import { routes } from '../../../../../contract/index.ts'
import { pictureOf } from '../../../../../contract/media-links.ts'
import { ProcessingStopped } from '../../../../ports/video/port.ts'
import { buildCreator, buildFan, buildMedia, buildUser, type Person } from '../../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'

let harness: Harness
let creator: Person
let video: Buffer
beforeAll(async () => {
  harness = await startHarness()
  creator = await buildCreator(harness)
  video = await moving(['#c00', '#0c0', '#00c'])
})
afterAll(() => harness?.stop())

const still = (background: string) =>
  sharp({ create: { width: 60, height: 40, channels: 3, background } })
    .png()
    .toBuffer()

async function moving(colors: string[]): Promise<Buffer> {
  const frames = await Promise.all(
    colors.map((background) =>
      sharp({ create: { width: 64, height: 48, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  return sharp(frames, { join: { animated: true } })
    .webp({ delay: colors.map(() => 1000) })
    .toBuffer()
}

const api = (person: Person = creator) => harness.api.as(person)

async function put(address: string, bytes: Buffer): Promise<void> {
  const body = new Uint8Array(bytes)
  expect((await fetch(`${harness.origin}${address}`, { method: 'PUT', body })).status).toBe(200)
}

async function publish(bytes: Buffer, person = creator): Promise<string> {
  const { signedUrls, destFileNames } = await api(person).call(routes.startUpload, {
    body: { fileNames: ['file'] },
  })
  await put(signedUrls[0] ?? '', bytes)
  await api(person).call(routes.makePublic, { body: { destFileNames } })
  await harness.runJobs()
  return destFileNames[0] ?? ''
}

/** Sends another file for an item; nothing works on it yet. */
async function sendReplacement(
  mediaId: string,
  bytes: Buffer,
  person = creator,
  reason?: string,
): Promise<string> {
  const body = { mediaId, fileName: 'new.png', reason }
  const { signedUrl, destFileNames } = await api(person).call(routes.replaceFile, { body })
  await put(signedUrl, bytes)
  await api(person).call(routes.makePublic, { body: { destFileNames } })
  return destFileNames[0] ?? ''
}

const rowOf = (mediaId: string) =>
  harness.context.db.selectFrom('media').selectAll().where('id', '=', mediaId).executeTakeFirstOrThrow()
const posterOf = (mediaId: string) =>
  harness.context.db
    .selectFrom('posters')
    .select(['label', 'status'])
    .where('media_id', '=', mediaId)
    .executeTakeFirstOrThrow()
const stateOf = async (uploadId: string, person = creator) =>
  (await api(person).call(routes.uploads, { query: { uploadIds: [uploadId] } })).items[0]
const root = () => join(harness.context.config.DATA_DIR, 'media')
const filesBelow = (storageId: string) =>
  existsSync(join(root(), 'media', storageId)) ? readdirSync(join(root(), 'media', storageId)).sort() : []
const namesOf = async (mediaId: string) => (await rowOf(mediaId)).variants.map(({ name }) => name).sort()
const auditOf = (mediaId: string) =>
  harness.context.db.selectFrom('audit_log').selectAll().where('target_id', '=', mediaId).execute()

// The processes that prepare files let everything else of the machine go first.
describe('another file for an item', () => {
  it('takes the place of the old one, and all else stays', async () => {
    const mediaId = await publish(await still('#c65'))
    const change = { title: 'Morning', price: '$7', showInStore: true, showInSearch: true }
    await api().call(routes.editMedia, { body: { mediaId, ...change } })
    const before = await rowOf(mediaId)
    const bytes = await moving(['#c0c', '#0cc'])
    const uploadId = await sendReplacement(mediaId, bytes)
    expect(await stateOf(uploadId)).toMatchObject({ replacesMediaId: mediaId, mediaId: null })
    expect(await rowOf(mediaId)).toEqual(before)
    await harness.runJobs()
    expect(await stateOf(uploadId)).toMatchObject({ status: 'ready', mediaId, duplicateOf: null })
    const after = await rowOf(mediaId)
    expect(after).toMatchObject({
      type: 'video',
      width: 64,
      height: 48,
      duration_seconds: 2,
      storage_id: uploadId,
    })
    const file = ['type', 'width', 'height', 'duration_seconds', 'thumbhash', 'variants', 'bytes', 'sha256']
    for (const column of [...file, 'storage_id'] as (keyof typeof before)[]) {
      expect([column, after[column]]).not.toEqual([column, before[column]])
    }
    const rest = (row: object) =>
      Object.entries(row).filter(
        ([column]) => ![...file, 'storage_id', 'version_id', 'versioned_at'].includes(column),
      )
    expect(rest(after)).toEqual(rest(before))
    expect(await auditOf(mediaId)).toEqual([])
    // The old files are gone, the new ones are all there, and the owner gets them.
    expect(filesBelow(mediaId)).toEqual([])
    expect(filesBelow(uploadId)).toEqual(await namesOf(mediaId))
    const owner = api()
    const { url } = await owner.call(routes.media, { params: { mediaId } })
    expect((await owner.fetch(url ?? '')).status).toBe(200)
    expect(
      await harness.context.db.selectFrom('media').select('id').where('id', '=', uploadId).execute(),
    ).toEqual([])
  })

  it('may come again and again, each time removing the one before', async () => {
    const mediaId = await publish(await still('#111'))
    const first = await sendReplacement(mediaId, await still('#222'))
    await harness.runJobs()
    const second = await sendReplacement(mediaId, await still('#333'))
    await harness.runJobs()
    expect((await rowOf(mediaId)).storage_id).toBe(second)
    expect([filesBelow(mediaId), filesBelow(first)]).toEqual([[], []])
    // A job that runs once more touches nothing that is shown.
    for (const uploadId of [mediaId, first, second])
      await harness.server.jobs['media.process']({ uploadId }, { attempt: 1, lastAttempt: false })
    const job = harness.server.jobs['media.remove-files']
    await job({ mediaId, storageId: second, names: null }, { attempt: 1, lastAttempt: false })
    expect(filesBelow(second)).toEqual(await namesOf(mediaId))
  })

  it('that is damaged changes nothing', async () => {
    const mediaId = await publish(await still('#444'))
    const before = await rowOf(mediaId)
    const uploadId = await sendReplacement(mediaId, Buffer.from('no picture'))
    await harness.runJobs()
    expect(await stateOf(uploadId)).toMatchObject({ status: 'failed', mediaId: null })
    expect(await rowOf(mediaId)).toEqual(before)
    expect(filesBelow(mediaId)).toEqual(await namesOf(mediaId))
    expect(filesBelow(uploadId)).toEqual([])
  })

  it('is not taken for an item that was deleted meanwhile', async () => {
    const mediaId = await publish(await still('#555'))
    const uploadId = await sendReplacement(mediaId, await still('#666'))
    await api().call(routes.deleteMedia, { body: { mediaId } })
    const before = await rowOf(mediaId)
    await harness.runJobs()
    expect(await stateOf(uploadId)).toMatchObject({ status: 'failed', code: 'media_not_found' })
    expect(await rowOf(mediaId)).toEqual(before)
    expect(filesBelow(uploadId)).toEqual([])
    const body = { mediaId, fileName: 'x.png' }
    await expect(api().call(routes.replaceFile, { body })).rejects.toMatchObject({ code: 'media_not_found' })
  })

  it('is not taken for an item that is taken down, or was while it was prepared', async () => {
    const operator = await buildUser(harness, { role: 'superadmin' })
    const mediaId = await publish(await still('#556'))
    const uploadId = await sendReplacement(mediaId, await still('#667'))
    await api(operator).call(routes.quarantineMedia, { body: { mediaId, reason: 'Reported' } })
    const before = await rowOf(mediaId)
    await harness.runJobs()
    expect(await stateOf(uploadId)).toMatchObject({ status: 'failed', code: 'media_taken_down' })
    const body = { mediaId, fileName: 'x.png' }
    const refused = { status: 409, code: 'media_taken_down' }
    await expect(api().call(routes.replaceFile, { body })).rejects.toMatchObject(refused)
    expect(await rowOf(mediaId)).toEqual(before)
  })

  it('that is given up leaves the item as it was', async () => {
    const mediaId = await publish(await still('#777'))
    const uploadId = await sendReplacement(mediaId, await still('#888'))
    await api().call(routes.cancelUpload, { body: { uploadId } })
    await harness.runJobs()
    expect((await rowOf(mediaId)).storage_id).toBe(mediaId)
    expect(filesBelow(mediaId)).toEqual(await namesOf(mediaId))
  })

  it('is no business of anybody but its owner and the operator, whose action is recorded', async () => {
    const mediaId = await publish(await still('#999'))
    const before = await rowOf(mediaId)
    const refusal = { status: 404, code: 'media_not_found' }
    const body = { mediaId, fileName: 'x.png' }
    for (const person of [await buildCreator(harness), await buildFan(harness)]) {
      await expect(api(person).call(routes.replaceFile, { body })).rejects.toMatchObject(refusal)
    }
    expect(await rowOf(mediaId)).toEqual(before)
    const operator = await buildUser(harness, { role: 'superadmin' })
    await expect(api(operator).call(routes.replaceFile, { body })).rejects.toMatchObject({
      code: 'reason_required',
    })
    await sendReplacement(mediaId, await still('#aaa'), operator, 'Shows a face by mistake')
    expect(await auditOf(mediaId)).toEqual([])
    await harness.runJobs()
    expect(await rowOf(mediaId)).toMatchObject({ creator_id: creator.id })
    expect(await auditOf(mediaId)).toMatchObject([
      {
        actor_id: operator.id,
        action: 'media.file_replaced',
        reason: 'Shows a face by mistake',
        detail: { creatorId: creator.id },
      },
    ])
  })
})

describe('a frame as the poster', () => {
  it('replaces the old one’s files and blur, and only those', async () => {
    const mediaId = await publish(video)
    await api().call(routes.posterFrame, { body: { mediaId, seconds: 0.5 } })
    await harness.runJobs()
    const before = await rowOf(mediaId)
    await api().call(routes.posterFrame, { body: { mediaId, seconds: 2.5 } })
    await harness.runJobs()
    const after = await rowOf(mediaId)
    expect(await posterOf(mediaId)).toMatchObject({ status: 'ready' })
    expect(after.thumbhash).not.toBe(before.thumbhash)
    const isPoster = ({ mime }: { mime: string }) => mime.startsWith('image/')
    expect(after.variants.filter((variant) => !isPoster(variant))).toEqual(
      before.variants.filter((variant) => !isPoster(variant)),
    )
    const names = after.variants.filter(isPoster).map(({ name }) => name)
    expect(names.length).toBe(before.variants.filter(isPoster).length)
    expect(names.filter((name) => before.variants.some((variant) => variant.name === name))).toEqual([])
    expect(filesBelow(mediaId)).toEqual(await namesOf(mediaId))
    const owner = api()
    const poster = pictureOf(await owner.call(routes.media, { params: { mediaId } }))
    const picture = await owner.fetch(poster ?? '')
    const { dominant } = await sharp(Buffer.from(await picture.arrayBuffer())).stats()
    expect(dominant.b).toBeGreaterThan(150)
    expect(dominant.r + dominant.g).toBeLessThan(100)
    const seen = { ...after, variants: [], thumbhash: '', bytes: 0 }
    expect(seen).toEqual({ ...before, variants: [], thumbhash: '', bytes: 0 })
  })

  it('of a run that crashed leaves one poster', async () => {
    const mediaId = await publish(video)
    const frame = { mediaId, seconds: 1, label: '0123abcd' }
    const { storage } = harness.context
    harness.context.storage = {
      ...storage,
      async putFile(...given) {
        await storage.putFile(...given)
        throw new Error('the power went')
      },
    }
    const run = () => harness.server.jobs['media.poster'](frame, { attempt: 1, lastAttempt: false })
    try {
      await expect(run()).rejects.toThrow('the power went')
    } finally {
      harness.context.storage = storage
    }
    await run()
    await run()
    await harness.runJobs()
    expect(filesBelow(mediaId)).toEqual(await namesOf(mediaId))
  })

  it('that was stopped is taken later, but not in place of another that was asked for meanwhile', async () => {
    const mediaId = await publish(video)
    const ask = (seconds: number) => api().call(routes.posterFrame, { body: { mediaId, seconds } })
    await ask(0.5)
    const { label: stopped } = await posterOf(mediaId)
    const { processor } = harness.context
    const stopIn = async (meanwhile: () => Promise<unknown>) => {
      harness.context.processor = {
        ...processor,
        async poster() {
          await meanwhile()
          throw new ProcessingStopped()
        },
      }
      const frame = { mediaId, seconds: 0.5, label: stopped }
      try {
        await harness.server.jobs['media.poster'](frame, { attempt: 1, lastAttempt: false })
      } finally {
        harness.context.processor = processor
      }
    }
    await stopIn(async () => {})
    await harness.runJobs()
    expect(await posterOf(mediaId)).toMatchObject({ label: stopped, status: 'ready' })
    await stopIn(() => ask(2.5))
    await harness.runJobs()
    const { label, status } = await posterOf(mediaId)
    expect([label === stopped, status]).toEqual([false, 'ready'])
    expect((await namesOf(mediaId)).filter((name) => name.includes(stopped))).toEqual([])
  })

  it('that can’t be taken is told to its owner, and the old one stays', async () => {
    const mediaId = await buildMedia(harness, creator, { type: 'video' })
    const before = await rowOf(mediaId)
    const status = (person = creator) => api(person).call(routes.posterStatus, { query: { mediaId } })
    const ask = () => api().call(routes.posterFrame, { body: { mediaId, seconds: 1 } })
    const preparing = { status: 'preparing', error: null }
    const failed = { status: 'failed', error: errors.poster_not_taken.text }
    expect(await status()).toEqual({ status: 'none', error: null })
    await ask()
    expect(await status()).toEqual(preparing)
    // Its bytes are none of a video.
    await harness.runJobs()
    expect(await status()).toEqual(failed)
    await ask()
    const { label } = await posterOf(mediaId)
    const run = (earlier: string, lastAttempt: boolean) =>
      harness.server.jobs['media.poster'](
        { mediaId, seconds: 1, label: earlier },
        { attempt: 1, lastAttempt },
      )
    await run('earlier0', true)
    expect(await status()).toEqual(preparing)
    const { processor } = harness.context
    harness.context.processor = { ...processor, poster: () => Promise.reject(new Error('out of memory')) }
    try {
      await expect(run(label, false)).rejects.toThrow('out of memory')
      expect(await status()).toEqual(preparing)
      await expect(run(label, true)).rejects.toThrow('out of memory')
      expect(await status()).toEqual(failed)
    } finally {
      harness.context.processor = processor
    }
    expect(await rowOf(mediaId)).toEqual(before)
    for (const person of [await buildCreator(harness), await buildUser(harness, { role: 'superadmin' })])
      await expect(status(person)).rejects.toMatchObject({ status: 404, code: 'media_not_found' })
  })

  it('is refused for what is taken down, and dropped when that comes while it is taken', async () => {
    const operator = await buildUser(harness, { role: 'superadmin' })
    const mediaId = await publish(video)
    await api().call(routes.posterFrame, { body: { mediaId, seconds: 1 } })
    await api(operator).call(routes.quarantineMedia, { body: { mediaId, reason: 'Reported' } })
    const before = await rowOf(mediaId)
    const files = filesBelow(mediaId)
    await harness.runJobs()
    expect(await rowOf(mediaId)).toEqual(before)
    expect(filesBelow(mediaId)).toEqual(files)
    expect(await posterOf(mediaId)).toMatchObject({ status: 'failed' })
    await expect(api().call(routes.posterFrame, { body: { mediaId, seconds: 1 } })).rejects.toMatchObject({
      status: 409,
      code: 'media_taken_down',
    })
  })

  it('is dropped when the file was replaced meanwhile', async () => {
    const mediaId = await publish(video)
    const replaced = await sendReplacement(mediaId, await still('#321'))
    const { processor } = harness.context
    harness.context.processor = {
      ...processor,
      async poster(input) {
        const made = await processor.poster(input)
        await harness.server.jobs['media.process']({ uploadId: replaced }, { attempt: 1, lastAttempt: false })
        return made
      },
    }
    const frame = { mediaId, seconds: 1, label: 'abcd0123' }
    try {
      await harness.server.jobs['media.poster'](frame, { attempt: 1, lastAttempt: false })
    } finally {
      harness.context.processor = processor
    }
    await harness.runJobs()
    expect(await rowOf(mediaId)).toMatchObject({ storage_id: replaced, type: 'image' })
    expect(filesBelow(mediaId)).toEqual([])
    expect(filesBelow(replaced)).toEqual(await namesOf(mediaId))
  })

  it.each([
    ['of a picture', async () => buildMedia(harness, creator), 400, 'not_a_video'],
    ['beyond the end', async () => buildMedia(harness, creator, { type: 'video' }), 400, 'invalid_input'],
    [
      'of somebody else’s video',
      async () => buildMedia(harness, await buildCreator(harness), { type: 'video' }),
      404,
      'media_not_found',
    ],
  ] as const)('%s is refused and starts nothing', async (_, build, status, code) => {
    const mediaId = await build()
    const before = await rowOf(mediaId)
    const call = api().call(routes.posterFrame, { body: { mediaId, seconds: 66 } })
    await expect(call).rejects.toMatchObject({ status, code })
    await harness.runJobs()
    expect(await rowOf(mediaId)).toEqual(before)
  })
})
