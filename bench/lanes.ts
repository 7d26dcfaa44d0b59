import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { routes } from '../contract/index.ts'
import { NEW_UPLOAD_FLAGS } from '../contract/visibility.ts'
import { type FanfareProcess, startProcess } from '../e2e/fanfare.ts'
import { apiOf, freshName, joins, logIn, mailsTo, type Person } from '../e2e/people.ts'
import { type MediaFile, movingPicture, picture } from '../e2e/pictures.ts'
import { openShop, upload } from '../e2e/shop.ts'
import { waitUntil } from '../e2e/waiting.ts'
import { recordVideo } from '../e2e/walkthroughs/videos.ts'
import { cardToken, gatewayTransactions, planFault, plannedFaults } from '../server/testing/gateway.ts'
import { consent } from '../server/testing/promotion.ts'

/**
 * How long a mail, somebody else's photo and the recovery of an interrupted purchase take beside one person's 100
 * photos, beside four long videos, beside copies, posters and exports that wait, and beside a gateway that does not
 * answer, where the recovery is counted from when it answers again: docs/security.md, row 44. `BENCH_CROWD` takes those
 * alone whose name has one of its words, which commas separate. It ends with 1 when one of them took longer than it may.
 */
const PHOTOS = Number(process.env.BENCH_PHOTOS ?? 100)
const PICTURES = 10
const WANTED = (process.env.BENCH_CROWD ?? '').split(',')
const VIDEOS = 4
/** As long as the product's own line of long videos asks for; fewer pictures a second are sooner made. */
const LONG = { seconds: 600, rate: 5 }
const OF_EACH = 8
const HANGING_CALLS = 20
/** Seconds that each may take. */
const MOST = [
  ['mail', 5],
  ['photo', 10],
  ['recovery', 120],
] as const
const PATIENCE_MS = 600_000

/** Starts it; `left` returns how many uploads are still to be prepared, `end` ends it. */
type Crowd = (fanfare: FanfareProcess) => Promise<{ left?: () => Promise<number>; end?: () => Promise<void> }>

/** The files are made first, so that all of them wait when the clock starts. */
const crowds: Record<string, () => Promise<Crowd>> = {
  'beside nothing': async () => async () => ({}),
  [`${PHOTOS} photos of 12 megapixels`]: async () => {
    const pictures = await made(PICTURES, (at) => picture(at + 1, 4000, 3000))
    return (fanfare) => waiting(fanfare, pictures, PHOTOS)
  },
  [`${VIDEOS} videos of 10 minutes`]: async () => {
    const videos = [await video(1, LONG)]
    return (fanfare) => waiting(fanfare, videos, VIDEOS)
  },
  [`${OF_EACH} copies, posters, exports`]: async () => async (fanfare) => {
    await copiesPostersAndExports(fanfare)
    return {}
  },
  'a gateway that hangs': async () => async (fanfare) => {
    const gateway = gatewayOf(fanfare)
    const end = await planFault(gateway, { effect: 'timeoutBefore', times: HANGING_CALLS })
    // It answers normally until the first recovery asks it.
    await waitUntil(async () => (await plannedFaults(gateway)) < HANGING_CALLS, {
      timeout: PATIENCE_MS,
      interval: 200,
    })
    return { end }
  },
}

for (const [name, prepare] of Object.entries(crowds)) {
  if (!WANTED.some((word) => name.includes(word))) continue
  const begin = await prepare()
  const fanfare = await startProcess()
  const { creator, single } = await openShop(fanfare.origin)
  const fan = await joins(fanfare.origin, 'fan')
  const photograph = await picture(7, 4000, 3000)
  // A gateway that hangs answers no purchase that could be interrupted.
  const hangs = name.includes('gateway')
  const before: Awaited<ReturnType<Crowd>> = hangs ? {} : await begin(fanfare)
  await interruptPurchase(fanfare, fan, single)
  const { left, end } = hangs ? await begin(fanfare) : before
  const leftAtFirst = await left?.()
  const started = performance.now()
  const others = Promise.all([
    timed(() => resetMail(fanfare, fan), started),
    timed(() => upload(fanfare.origin, creator, [photograph], PATIENCE_MS), started),
  ])
  if (end) await others.then(end)
  const recovers = end ? performance.now() : started
  const recovery = await timed(() => ownedBy(fanfare, fan, single), recovers)
  const [mail, photo] = await others
  const took = { mail, photo, recovery }
  const parts = MOST.map(([what, most]) => `${what} ${took[what].toFixed(1)} s (at most ${most})`)
  const waited = leftAtFirst === undefined ? [] : [`${leftAtFirst} to be prepared at first`]
  process.stdout.write(`${name.padEnd(28)} ${[...parts, ...waited].join(', ')}\n`)
  if (MOST.some(([what, most]) => took[what] > most)) process.exitCode = 1
  await fanfare.dispose()
}

async function made(count: number, make: (index: number) => Promise<MediaFile>): Promise<MediaFile[]> {
  const files: MediaFile[] = []
  for (let index = 0; index < count; index += 1) files.push(await make(index))
  return files
}

/** So many uploads of these files by somebody of their own, which are then left to be prepared. */
async function waiting(
  { origin }: FanfareProcess,
  files: MediaFile[],
  count: number,
): Promise<{ left: () => Promise<number> }> {
  const person = await joins(origin, 'creator', freshName('crowd'))
  const api = apiOf(origin, person)
  const uploadIds: string[] = []
  for (let index = 0; index < count; index += 1) {
    const { name, buffer } = files[index % files.length] ?? (await picture(index))
    const { signedUrls, destFileNames } = await api.call(routes.startUpload, { body: { fileNames: [name] } })
    const sent = await fetch(new URL(signedUrls[0] ?? '', origin), {
      method: 'PUT',
      body: new Uint8Array(buffer),
      headers: { 'content-type': 'application/octet-stream' },
    })
    if (!sent.ok) throw new Error(`${sent.status} ${await sent.text()}`)
    await api.call(routes.makePublic, { body: { destFileNames } })
    uploadIds.push(...destFileNames)
  }
  const left = async () => {
    const { items } = await api.call(routes.uploads, { query: { uploadIds } })
    return items.filter(({ status }) => status !== 'ready' && status !== 'failed').length
  }
  return { left }
}

/** A creator's copies of a video of a minute, one for each account, and posters of as many others; everybody's exports. */
async function copiesPostersAndExports(fanfare: FanfareProcess): Promise<void> {
  const { origin } = fanfare
  const person = await joins(origin, 'creator', freshName('crowd'))
  const api = apiOf(origin, person)
  const short = await movingPicture()
  const others = Array.from({ length: OF_EACH }, (_, index) => ({ ...short, name: `${index}-${short.name}` }))
  const [mediaId = '', ...moving] = await upload(origin, person, [await video(9), ...others], PATIENCE_MS)
  await apiOf(origin, await operatorOf(fanfare)).call(routes.importSubreddits, {
    body: { names: ['Lanterns'] },
  })
  const flags = { ...NEW_UPLOAD_FLAGS, mustUnlock: false, redditPromotion: true }
  await api.call(routes.editMedia, { body: { mediaId, title: 'A lake', ...flags } })
  const { _id: redditPostId } = await api.call(routes.createPost, { body: { titles: ['A lake'], mediaId } })
  for (let index = 0; index < OF_EACH; index += 1) {
    const { url } = await api.call(routes.authorizeForum, {})
    const { code, state } = await consent(url, `LanternMaker${index}`)
    const { account } = await api.call(routes.confirmForum, { body: { code, state } })
    await api.call(routes.promotionCopy, {
      params: { redditPostId },
      body: { subreddit: 'Lanterns', kind: 'named', accountId: account._id },
    })
  }
  for (const id of moving) await api.call(routes.posterFrame, { body: { mediaId: id, seconds: 0.5 } })
  for (let index = 0; index < OF_EACH; index += 1)
    await apiOf(origin, await joins(origin, 'fan')).call(routes.requestExport, {})
}

async function operatorOf({ origin, dataDir }: FanfareProcess): Promise<{ token: string }> {
  const person = await joins(origin, 'fan')
  const { email, username, password } = person
  const main = join(import.meta.dirname, '..', 'main.ts')
  const command = [main, 'admin', 'create-superadmin', '--email', email, '--username', username]
  await promisify(execFile)(process.execPath, [...command, '--password', password], {
    env: { ...process.env, DATA_DIR: dataDir },
  })
  return { token: await logIn(origin, person) }
}

async function video(index: number, { seconds, rate } = { seconds: 60, rate: 25 }): Promise<MediaFile> {
  const folder = await mkdtemp(join(tmpdir(), 'fanfare-bench-'))
  const path = join(folder, 'video.mp4')
  const [width, height] = [1920, 1080]
  await recordVideo(path, {
    format: 'mp4',
    scene: 'mountains',
    seed: index,
    width,
    height,
    seconds,
    rate,
  })
  const buffer = await readFile(path)
  await rm(folder, { recursive: true })
  return { name: `video-${index}.mp4`, mimeType: 'video/mp4', buffer }
}

/** Ends the product with a charge at the gateway that it does not know of yet, and starts it again. */
async function interruptPurchase(fanfare: FanfareProcess, fan: Person, itemId: string): Promise<void> {
  const gateway = gatewayOf(fanfare)
  await planFault(gateway, { call: 'createTransactionRequest', effect: 'slow' })
  const token = await cardToken(gateway)
  const bought = apiOf(fanfare.origin, fan)
    .send('POST', '/users/purchase', { body: { kind: 'single', itemId, ...token } })
    .then(
      () => 'answered',
      () => 'interrupted',
    )
  await waitUntil(async () => (await gatewayTransactions(gateway)).length > 0, {
    timeout: 10_000,
    interval: 50,
  })
  await fanfare.end('SIGKILL')
  if ((await bought) === 'answered') throw new Error('the purchase was over before it was interrupted')
  await fanfare.restart()
}

async function resetMail({ origin }: FanfareProcess, fan: Person): Promise<void> {
  const before = (await mailsTo(origin, fan.email)).length
  await apiOf(origin).send('POST', '/auth/reset', { body: { email: fan.email } })
  await waitUntil(async () => (await mailsTo(origin, fan.email)).length > before, {
    timeout: PATIENCE_MS,
    interval: 50,
  })
}

async function ownedBy({ origin }: FanfareProcess, fan: Person, mediaId: string): Promise<void> {
  const api = apiOf(origin, fan)
  await waitUntil(async () => (await api.call(routes.viewMedia, { params: { mediaId } })).media.owned, {
    timeout: PATIENCE_MS,
    interval: 500,
  })
}

function gatewayOf({ origin }: FanfareProcess): { sandboxOrigin: string } {
  return { sandboxOrigin: origin }
}

/** Seconds since that moment when it is done. */
async function timed(work: () => Promise<unknown>, started: number): Promise<number> {
  await work()
  return (performance.now() - started) / 1000
}
