import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import type { TakedownGround } from '../../../../../contract/takedowns.ts'
import { runAdmin } from '../../../../start/admin.ts'
import { buildCreator, buildFan, buildUser, type Person } from '../../../../testing/builders.ts'
import { chunkedFile, heavyPicture, uploadsNamed } from '../../../../testing/chunks.ts'
import { uploads } from '../../../../testing/uploads.ts'

const { scene, api, upload, stateOf, withProcessor } = uploads()

const REFUSED = { status: 'failed', code: 'media_blocked' }

/** An item of the creator's, from a file of its own. */
async function published(): Promise<{ mediaId: string; bytes: Buffer }> {
  const bytes = Buffer.concat([await heavyPicture(), Buffer.from(crypto.randomUUID())])
  const mediaId = await upload(bytes)
  await scene.harness.runJobs()
  expect(await stateOf(mediaId)).toMatchObject({ status: 'ready' })
  return { mediaId, bytes }
}

async function decide() {
  const operator = await buildUser(scene.harness, { role: 'superadmin' })
  const reason = 'Reported'
  return {
    takeDown: (mediaId: string, ground: TakedownGround, blockFile?: boolean) =>
      api(operator).call(routes.quarantineMedia, { body: { mediaId, reason, ground, blockFile } }),
    release: (mediaId: string) => api(operator).call(routes.releaseMedia, { body: { mediaId, reason } }),
  }
}

/** What becomes of a file that somebody uploads. */
async function uploaded(bytes: Buffer, person: Person) {
  const uploadId = await upload(bytes, 'again.jpg', person)
  await scene.harness.runJobs()
  return stateOf(uploadId, person)
}

it('a block outlives its erased item, and is found and ended by the file, or by a release of the item', async () => {
  const { takeDown, release } = await decide()
  const { context, clock } = scene.harness
  const erased = async () => {
    const item = await published()
    await takeDown(item.mediaId, 'consent')
    // As the erasure of its creator's account does.
    await context.db.deleteFrom('media').where('id', '=', item.mediaId).execute()
    expect(await uploaded(item.bytes, scene.creator)).toMatchObject(REFUSED)
    return item
  }
  const logOf = (mediaId: string) =>
    context.db
      .selectFrom('audit_log')
      .select(['action', 'reason'])
      .where('target_id', '=', mediaId)
      .orderBy('id')
      .execute()
  const one = await erased()
  await release(one.mediaId)
  expect(await uploaded(one.bytes, scene.creator)).toMatchObject({ status: 'ready' })
  expect((await logOf(one.mediaId)).at(-1)).toEqual({ action: 'media.released', reason: 'Reported' })
  await expect(release(one.mediaId)).rejects.toMatchObject({ code: 'media_not_found' })

  const two = await erased()
  const sha256 = createHash('sha256').update(two.bytes).digest('hex')
  const ask = (given: string, ...more: string[]) =>
    runAdmin(['blocked-file', '--sha256', given, ...more], context.db, context.vault, clock.now())
  const command = (...more: string[]) => ask(sha256, ...more)
  expect((await command()).output).toContain(`(consent) for ${two.mediaId}, which was erased.`)
  // As it is pasted from `sha256sum`: of a text, of a binary file, of a name with a backslash.
  for (const line of [`${sha256}  a file.jpg\n`, `${sha256.toUpperCase()} *b.jpg`, `\\${sha256}  c\\\\d.jpg`])
    expect((await ask(line)).output).toContain(`(consent) for ${two.mediaId}`)
  expect((await command('a', 'file.jpg')).output).toContain(`(consent) for ${two.mediaId}`)
  for (const line of [`${sha256}0  a.jpg`, `a.jpg  ${sha256}`, `${sha256.slice(1)}  a.jpg`, `${sha256}a.jpg`])
    expect(await ask(line)).toMatchObject({ ok: false, output: expect.stringMatching(/^--sha256 must be/) })
  const cut = await command('a.jpg', '--reason', 'Consent', 'was', 'shown')
  expect(cut).toMatchObject({ ok: false, output: expect.stringContaining('Unexpected argument was.') })
  expect(await uploaded(two.bytes, scene.creator)).toMatchObject(REFUSED)
  expect(await command('--reason', 'Consent was shown')).toMatchObject({ ok: true })
  expect((await logOf(two.mediaId)).at(-1)).toEqual({
    action: 'media.unblocked',
    reason: 'Consent was shown',
  })
  expect(await uploaded(two.bytes, scene.creator)).toMatchObject({ status: 'ready' })
  expect((await command()).output).toBe('This file isn’t blocked.')
})

it('the decision on what is down decides on its file too', async () => {
  const { takeDown } = await decide()
  const { mediaId, bytes } = await published()
  const isRefused = async () =>
    (await uploaded(bytes, await buildCreator(scene.harness)))?.status === 'failed'
  await takeDown(mediaId, 'review')
  expect(await isRefused()).toBe(false)
  await takeDown(mediaId, 'consent')
  expect(await isRefused()).toBe(true)
  await takeDown(mediaId, 'consent', false)
  expect(await isRefused()).toBe(false)
  await takeDown(mediaId, 'copyright', true)
  expect(await isRefused()).toBe(true)
  await takeDown(mediaId, 'terms')
  expect(await isRefused()).toBe(false)
})

describe('a file that was taken down for what it shows', () => {
  it('can’t be uploaded again by anyone, in any way, until it is released', async () => {
    const { takeDown, release } = await decide()
    const { mediaId, bytes } = await published()
    await takeDown(mediaId, 'consent')
    const [other, fan] = [await buildCreator(scene.harness), await buildFan(scene.harness)]
    for (const person of [scene.creator, other, fan])
      expect(await uploaded(bytes, person)).toMatchObject({
        ...REFUSED,
        error: 'This file was taken down before and can’t be uploaded again.',
      })
    // In chunks, of which no single one is the file.

    const file = chunkedFile(scene.harness, other, bytes)
    expect(file.total_chunks).toBeGreaterThan(1)
    const first = await file.send(0)
    for (let number = 1; number < file.total_chunks; number += 1) await file.send(number, first.body.uploadId)
    await scene.harness.runJobs()
    const [row] = await uploadsNamed(scene.harness, file.name)
    expect(row).toMatchObject({ status: 'failed', refusal: 'media_blocked' })
    // In place of another item's file.
    const own = await upload(Buffer.concat([await heavyPicture(), Buffer.from('own')]), 'own.jpg', other)
    await scene.harness.runJobs()
    const body = { mediaId: own, fileName: 'new.jpg' }
    const { signedUrl, destFileNames } = await api(other).call(routes.replaceFile, { body })
    await fetch(`${scene.harness.origin}${signedUrl}`, { method: 'PUT', body: new Uint8Array(bytes) })
    await api(other).call(routes.makePublic, { body: { destFileNames } })
    await scene.harness.runJobs()
    expect(await stateOf(destFileNames[0] ?? '', other)).toMatchObject(REFUSED)
    const { storage_id: kept } = await scene.harness.context.db
      .selectFrom('media')
      .select('storage_id')
      .where('id', '=', own)
      .executeTakeFirstOrThrow()
    expect(kept).toBe(own)
    await release(mediaId)
    expect(await uploaded(bytes, other)).toMatchObject({ status: 'ready' })
  })

  it('stays blocked while another item of it is down', async () => {
    const { takeDown, release } = await decide()
    const { mediaId, bytes } = await published()
    const twin = await upload(bytes)
    await scene.harness.runJobs()
    await takeDown(mediaId, 'illegal')
    await takeDown(twin, 'illegal')
    await release(mediaId)
    expect(await uploaded(bytes, scene.creator)).toMatchObject(REFUSED)
    await release(twin)
    expect(await uploaded(bytes, scene.creator)).toMatchObject({ status: 'ready' })
  })

  it('is refused too when it is taken down while it is prepared', async () => {
    const { takeDown } = await decide()
    const { mediaId, bytes } = await published()
    const { process } = scene.harness.context.processor
    const prepared: typeof process = async (input) => {
      const outcome = await process(input)
      await takeDown(mediaId, 'consent')
      return outcome
    }
    const other = await buildCreator(scene.harness)
    expect(await withProcessor(prepared, () => uploaded(bytes, other))).toMatchObject(REFUSED)
  })
})

it('an external gif that was taken down is not exchanged, and can’t be added again by anyone until it is released', async () => {
  const { takeDown, release } = await decide()
  const { creator } = scene
  const add = async (redGif: string, person = creator) =>
    (await api(person).call(routes.addRedGif, { body: { redGif } }))._id
  const swap = (mediaId: string, redGif: string, person = creator) =>
    api(person).call(routes.editMedia, { body: { mediaId, redGif, title: 'Fox' } })
  const mediaId = await add('firstfox')
  await swap(mediaId, 'secondfox')
  await takeDown(mediaId, 'consent')
  await expect(swap(mediaId, 'thirdfox')).rejects.toMatchObject({ status: 409, code: 'media_taken_down' })
  // What stays as it is can be edited beside.
  expect(await swap(mediaId, 'secondfox')).toMatchObject({ title: 'Fox' })
  const other = await buildCreator(scene.harness)
  const own = await add('ownfox', other)
  const blocked = { status: 409, code: 'media_blocked' }
  for (const gif of ['firstfox', 'https://www.redgifs.com/watch/SecondFox']) {
    await expect(add(gif)).rejects.toMatchObject(blocked)
    await expect(add(gif, other)).rejects.toMatchObject(blocked)
    await expect(swap(own, gif, other)).rejects.toMatchObject(blocked)
  }
  await release(mediaId)
  await swap(mediaId, 'thirdfox')
  await add('firstfox', other)
  await swap(own, 'secondfox', other)
})

it.each<[TakedownGround, boolean | undefined, boolean]>([
  ['copyright', undefined, false],
  ['review', undefined, false],
  ['review', true, true],
  ['illegal', undefined, true],
  ['illegal', false, false],
])(
  'of what is taken down for %s, with the block %s, the file is blocked: %s',
  async (ground, blockFile, isBlocked) => {
    const { takeDown } = await decide()
    const { mediaId, bytes } = await published()
    await takeDown(mediaId, ground, blockFile)
    expect(await uploaded(bytes, scene.creator)).toMatchObject(isBlocked ? REFUSED : { status: 'ready' })
  },
)
