import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routes } from '../../contract/index.ts'
import { pauseOfHours } from '../ports/video/libav/testing/hostile/videos.ts'
import { buildCreator } from './builders.ts'
import type { Harness } from './harness.ts'

/** Has a new creator upload a video of some kilobytes that takes minutes to be prepared. */
export async function uploadLongVideo(harness: Harness): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'fanfare-video-'))
  const bytes = await readFile(await pauseOfHours(folder))
  await rm(folder, { recursive: true })
  const api = harness.api.as(await buildCreator(harness))
  const { signedUrls, destFileNames } = await api.call(routes.startUpload, {
    body: { fileNames: ['video.mp4'] },
  })
  await fetch(`${harness.origin}${signedUrls[0]}`, { method: 'PUT', body: new Uint8Array(bytes) })
  await api.call(routes.makePublic, { body: { destFileNames } })
}
