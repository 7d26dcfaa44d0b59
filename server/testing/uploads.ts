import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect } from 'vitest'
import { routes } from '../../contract/index.ts'
import type { MediaProcessor } from '../ports/video/port.ts'
import { buildCreator, type Person } from './builders.ts'
import { type Harness, startHarness } from './harness.ts'

/** What is made of the picture. */
export const PICTURES = ['w320.avif', 'w320.webp', 'w640.avif', 'w640.webp', 'w800.avif', 'w800.webp']
/** What `remains` of an upload that is gone. */
export const NOTHING = { source: [], variants: [], workspace: [] }

/** A video for the shortest time. */
export async function movingPicture(): Promise<Buffer> {
  const frames = ['#c65', '#56c'].map((background) =>
    sharp({ create: { width: 64, height: 64, channels: 3, background } })
      .png()
      .toBuffer(),
  )
  return sharp(await Promise.all(frames), { join: { animated: true } })
    .webp({ delay: [400, 400] })
    .toBuffer()
}

/** A server for a file of tests of uploads, their creator, a picture of theirs, and what becomes of it. */
export function uploads() {
  const scene = {} as { harness: Harness; creator: Person; picture: Buffer }
  beforeAll(async () => {
    scene.harness = await startHarness()
    scene.creator = await buildCreator(scene.harness)
    scene.picture = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#c65' } })
      .withExif({ IFD0: { Artist: 'CANARY-OWNER' } })
      .jpeg()
      .toBuffer()
  })
  afterAll(() => scene.harness?.stop())

  const api = (person = scene.creator) => scene.harness.api.as(person)
  const root = () => scene.harness.context.config.DATA_DIR

  /** Uploads bytes and says that they arrived; returns the upload's id. */
  async function upload(bytes: Buffer, fileName = 'file.jpg', person = scene.creator): Promise<string> {
    const { signedUrls, destFileNames } = await api(person).call(routes.startUpload, {
      body: { fileNames: [fileName] },
    })
    const [uploadId = ''] = destFileNames
    const response = await fetch(`${scene.harness.origin}${signedUrls[0]}`, {
      method: 'PUT',
      body: new Uint8Array(bytes),
    })
    expect(response.status).toBe(200)
    await api(person).call(routes.makePublic, { body: { destFileNames } })
    return uploadId
  }

  async function stateOf(uploadId: string, person = scene.creator) {
    const { items } = await api(person).call(routes.uploads, { query: { uploadIds: [uploadId] } })
    return items[0]
  }

  async function listing(folder: string): Promise<string[]> {
    return readdir(join(root(), folder)).catch(() => [])
  }

  /** The files of this upload in the store and in the workspace. */
  async function remains(uploadId: string) {
    return {
      source: (await listing('media/uploads')).filter((name) => name.startsWith(uploadId)),
      variants: (await listing(`media/media/${uploadId}`)).sort(),
      workspace: (await listing('processing')).filter((name) => name === uploadId),
    }
  }

  const run = (uploadId: string) =>
    scene.harness.server.jobs['media.process']({ uploadId }, { attempt: 1, lastAttempt: false })

  const mediaRows = (uploadId: string) =>
    scene.harness.context.db.selectFrom('media').selectAll().where('id', '=', uploadId).execute()

  /** Runs with a processor that behaves like this instead. */
  async function withProcessor<T>(process: MediaProcessor['process'], action: () => Promise<T>): Promise<T> {
    const real = scene.harness.context.processor
    scene.harness.context.processor = { ...real, process }
    try {
      return await action()
    } finally {
      scene.harness.context.processor = real
    }
  }

  return { scene, api, root, upload, stateOf, remains, run, mediaRows, withProcessor }
}
