import { routes } from '../contract/index.ts'
import type { Flags } from '../contract/visibility.ts'
import { NEW_UPLOAD_FLAGS } from '../contract/visibility.ts'
import { apiOf, joins, type Person } from './people.ts'
import { type MediaFile, movingPicture, picture } from './pictures.ts'
import { waitUntil } from './waiting.ts'

/** A creator who sells something of every kind. Prices: subscription $9.99, bundle $15, single $4.50. */
export type Shop = {
  creator: Person
  /** Free for everybody. */
  free: string
  /** Sold by itself. */
  single: string
  /** Locked, in the bundle; a video. */
  inBundle: string
  /** Locked, in the subscription. */
  inSubscription: string
  subscription: string
  bundle: string
}

/** Opens a shop by the API, for stories that begin with one. */
export async function openShop(origin: string): Promise<Shop> {
  const creator = await joins(origin, 'creator')
  // The first is kept in two sizes.
  const files = await Promise.all([picture(1, 450, 600), picture(2), movingPicture(), picture(3)])
  const [free, single, inBundle, inSubscription] = (await upload(origin, creator, files)) as [
    string,
    string,
    string,
    string,
  ]
  await describe(origin, creator, free, { title: 'Free for all', mustUnlock: false, showInSearch: true })
  await describe(origin, creator, single, {
    title: 'Morning light',
    price: '$4.50',
    showInStore: true,
    showInSearch: true,
  })
  await describe(origin, creator, inBundle, { title: 'Moving waves' })
  await describe(origin, creator, inSubscription, { title: 'For members' })
  const api = apiOf(origin, creator)
  const key = () => ({ idempotencyKey: crypto.randomUUID() })
  const sold = { title: 'Members club', price: '$9.99' }
  const { _id: subscription } = await api.call(routes.createSubscription, { body: sold }, key())
  await api.call(routes.editSubscription, {
    body: { subscriptionId: subscription, ...sold, chatEnabled: false, mediaIds: [inSubscription] },
  })
  const set = { title: 'Summer set', price: '$15' }
  const { _id: bundle } = await api.call(routes.createBundle, { body: set }, key())
  await api.call(routes.editBundle, { body: { bundleId: bundle, ...set, mediaIds: [inBundle, single] } })
  return { creator, free, single, inBundle, inSubscription, subscription, bundle }
}

/** After which a file won’t be prepared anymore, in milliseconds: the processes that do it let everything else go first. */
export const PREPARED_MS = 600_000

/** Uploads files by the API and waits so many milliseconds until all of them are prepared; answers the media ids in the same order. */
export async function upload(
  origin: string,
  person: Person,
  files: readonly MediaFile[],
  timeout = PREPARED_MS,
): Promise<string[]> {
  const api = apiOf(origin, person)
  const { signedUrls, destFileNames } = await api.call(routes.startUpload, {
    body: { fileNames: files.map(({ name }) => name) },
  })
  for (const [index, { buffer }] of files.entries()) {
    const response = await fetch(new URL(signedUrls[index] ?? '', origin), {
      method: 'PUT',
      body: new Uint8Array(buffer),
      headers: { 'content-type': 'application/octet-stream' },
    })
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  }
  await api.call(routes.makePublic, { body: { destFileNames } })
  const items = await waitUntil(
    async () => {
      const { items } = await api.call(routes.uploads, { query: { uploadIds: destFileNames } })
      return items.every(({ status }) => status === 'ready' || status === 'failed') && items
    },
    { timeout, interval: 250 },
  )
  return destFileNames.map((id) => {
    const state = items.find(({ uploadId }) => uploadId === id)
    if (!state?.mediaId) throw new Error(`${state?.fileName}: ${state?.error}`)
    return state.mediaId
  })
}

/** Edits an item by the API as somebody does who has just uploaded it. */
export async function describe(
  origin: string,
  person: Person,
  mediaId: string,
  change: { title: string; price?: string } & Partial<Flags>,
): Promise<void> {
  await apiOf(origin, person).call(routes.editMedia, { body: { mediaId, ...NEW_UPLOAD_FLAGS, ...change } })
}
