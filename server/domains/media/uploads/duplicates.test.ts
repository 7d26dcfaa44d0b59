import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'

let harness: Harness
let creator: Person
let other: Person
beforeAll(async () => {
  harness = await startHarness()
  ;[creator, other] = [await buildCreator(harness), await buildCreator(harness)]
})
afterAll(() => harness?.stop())

const still = (background: string) =>
  sharp({ create: { width: 60, height: 40, channels: 3, background } })
    .png()
    .toBuffer()
const shaOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function send(bytes: Buffer, person = creator): Promise<string> {
  const api = harness.api.as(person)
  const { signedUrls, destFileNames } = await api.call(routes.startUpload, { body: { fileNames: ['a.png'] } })
  await fetch(`${harness.origin}${signedUrls[0]}`, { method: 'PUT', body: new Uint8Array(bytes) })
  return destFileNames[0] ?? ''
}

async function publish(bytes: Buffer, person = creator): Promise<string> {
  const uploadId = await send(bytes, person)
  await harness.api.as(person).call(routes.makePublic, { body: { destFileNames: [uploadId] } })
  await harness.runJobs()
  return uploadId
}

const stateOf = async (uploadId: string, person = creator) =>
  (await harness.api.as(person).call(routes.uploads, { query: { uploadIds: [uploadId] } })).items[0]
const ask = async (hashes: string[], person = creator) =>
  (await harness.api.as(person).call(routes.duplicates, { body: { hashes } })).items

it('tells which contents are in the own library, each once, and nothing of others', async () => {
  const [red, green, blue] = [await still('#f00'), await still('#0f0'), await still('#00f')]
  const [mine] = [await publish(red), await publish(green, other)]
  await harness.api.as(creator).call(routes.editMedia, { body: { mediaId: mine, title: 'Red' } })
  const hashes = [red, green, blue].map(shaOf)
  expect(await ask(hashes)).toEqual([{ hash: shaOf(red), mediaId: mine, title: 'Red' }])
  const again = await publish(red)
  expect(await ask([...hashes, ...hashes])).toMatchObject([{ hash: shaOf(red), mediaId: again }])
  for (const mediaId of [mine, again]) {
    await harness.api.as(creator).call(routes.deleteMedia, { body: { mediaId } })
  }
  expect(await ask(hashes)).toEqual([])
})

it('an upload says which item has its content, from the moment its bytes are there', async () => {
  const bytes = await still('#ff0')
  const mediaId = await publish(bytes)
  expect(await stateOf(mediaId)).toMatchObject({ status: 'ready', duplicateOf: null })
  const twin = await send(bytes)
  expect(await stateOf(twin)).toMatchObject({ status: 'received', duplicateOf: mediaId })
  const theirs = await send(bytes, other)
  expect(await stateOf(theirs, other)).toMatchObject({ status: 'received', duplicateOf: null })
  await harness.api.as(creator).call(routes.deleteMedia, { body: { mediaId } })
  expect(await stateOf(twin)).toMatchObject({ duplicateOf: null })
})

it('one that replaces a file is no double of the file that it replaces', async () => {
  const bytes = await still('#0ff')
  const mediaId = await publish(bytes)
  const api = harness.api.as(creator)
  const {
    signedUrl,
    destFileNames: [destFileName = ''],
  } = await api.call(routes.replaceFile, {
    body: { mediaId, fileName: 'same.png' },
  })
  await fetch(`${harness.origin}${signedUrl}`, { method: 'PUT', body: new Uint8Array(bytes) })
  expect(await stateOf(destFileName)).toMatchObject({ status: 'received', duplicateOf: null })
})
