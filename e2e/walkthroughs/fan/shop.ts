import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routes } from '../../../contract/index.ts'
import { NEW_UPLOAD_FLAGS } from '../../../contract/visibility.ts'
import { apiOf, joins, type Person } from '../../people.ts'
import type { MediaFile } from '../../pictures.ts'
import { upload } from '../../shop.ts'
import { drawn } from '../files.ts'
import { recordVideo } from '../videos.ts'

/** A creator whose locked files are known byte by byte. Prices: single $4.50, bundle $15, subscription $9.99. */
export type EveningShop = {
  creator: Person
  single: string
  video: string
  inBundle: string
  inSubscription: string
  /** All that is not free, and the files as they were sent. */
  locked: string[]
  originals: Buffer[]
}

export const VIDEO_TITLE = 'A long walk by the sea'
const VIDEO_SECONDS = 90

/** Opens the shop by the API: one picture free, one sold by itself, a video and a picture in a bundle, one for members. */
export async function opensShop(origin: string, username: string): Promise<EveningShop> {
  const creator = await joins(origin, 'creator', username)
  const api = apiOf(origin, creator)
  const files = [...(await Promise.all([41, 42, 43, 44, 45, 46].map(photo))), await video()]
  const ids = await upload(origin, creator, files, 300_000)
  const [free = '', open = '', single = '', inBundle = '', inSubscription = '', second = '', videoId = ''] =
    ids
  const say = (mediaId: string, title: string, more: object = {}) =>
    api.call(routes.editMedia, { body: { mediaId, ...NEW_UPLOAD_FLAGS, title, ...more } })
  const free4all = { mustUnlock: false, showInSearch: true }
  await say(free, 'Lighthouse at noon', free4all)
  await say(open, 'Lighthouse at dusk', free4all)
  await say(single, 'Morning light', { price: '$4.50', showInStore: true, showInSearch: true })
  await say(inBundle, 'Storm coming')
  await say(inSubscription, 'For members')
  await say(second, 'For members, too')
  await say(videoId, VIDEO_TITLE)
  const key = () => ({ idempotencyKey: crypto.randomUUID() })
  const plan = { title: 'Members club', price: '$9.99' }
  const { _id: subscriptionId } = await api.call(routes.createSubscription, { body: plan }, key())
  const mediaIds = [inSubscription, second]
  await api.call(routes.editSubscription, { body: { subscriptionId, ...plan, chatEnabled: false, mediaIds } })
  const set = { title: 'Summer set', price: '$15' }
  const { _id: bundleId } = await api.call(routes.createBundle, { body: set }, key())
  await api.call(routes.editBundle, { body: { bundleId, ...set, mediaIds: [videoId, inBundle] } })
  await api.call(routes.setWatermark, { body: { enabled: true } })
  return {
    creator,
    single,
    video: videoId,
    inBundle,
    inSubscription,
    locked: [single, inBundle, inSubscription, second, videoId],
    originals: files.slice(2).map(({ buffer }) => buffer),
  }
}

async function photo(seed: number): Promise<MediaFile> {
  const buffer = await drawn(seed, 1200, 1600).jpeg().toBuffer()
  return { name: `photo-${seed}.jpg`, mimeType: 'image/jpeg', buffer }
}

async function video(): Promise<MediaFile> {
  const folder = await mkdtemp(join(tmpdir(), 'fanfare-video-'))
  try {
    const path = join(folder, 'video.mp4')
    const shape = { width: 1280, height: 720, seconds: VIDEO_SECONDS, rate: 6, sound: true } as const
    await recordVideo(path, { format: 'mp4', scene: 'sea', seed: 5, ...shape })
    return { name: 'video.mp4', mimeType: 'video/mp4', buffer: await readFile(path) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
