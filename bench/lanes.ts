import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routes } from '../contract/index.ts'
import { type Fanfare, startFanfare } from '../e2e/fanfare.ts'
import { apiOf, freshName, joins, mailsTo, type Person } from '../e2e/people.ts'
import { type MediaFile, picture } from '../e2e/pictures.ts'
import { openShop, upload } from '../e2e/shop.ts'
import { waitUntil } from '../e2e/waiting.ts'
import { recordVideo } from '../e2e/walkthroughs/videos.ts'
import { cardToken, gatewayTransactions, planFault } from '../server/testing/gateway.ts'

/**
 * How long a mail, somebody else's photo and the recovery of an interrupted purchase take beside one person's 100
 * photos, beside four videos of a minute, and beside a gateway that does not answer: docs/security.md, row 44.
 */
const PHOTOS = Number(process.env.BENCH_PHOTOS ?? 100)
const VIDEOS = 4
const HANGING_CALLS = 20
const PATIENCE_MS = 600_000

const crowds: Record<string, (fanfare: Fanfare) => Promise<void>> = {
  'beside nothing': async () => {},
  [`${PHOTOS} photos of 12 megapixels`]: async (fanfare) =>
    waiting(fanfare, (at) => picture(at + 1, 4000, 3000), PHOTOS),
  [`${VIDEOS} videos of a minute`]: async (fanfare) => waiting(fanfare, video, VIDEOS),
  'a gateway that hangs': async (fanfare) =>
    planFault(gatewayOf(fanfare), { effect: 'timeoutBefore', times: HANGING_CALLS }),
}

for (const [name, begin] of Object.entries(crowds)) {
  const fanfare = await startFanfare()
  const { creator, single } = await openShop(fanfare.origin)
  const fan = await joins(fanfare.origin, 'fan')
  const photograph = await picture(7, 4000, 3000)
  const hanging = name.includes('gateway')
  if (!hanging) await begin(fanfare)
  await interruptPurchase(fanfare, fan, single)
  const started = performance.now()
  if (hanging) await begin(fanfare)
  const [mail, photo, recovery] = await Promise.all([
    timed(() => resetMail(fanfare, fan), started),
    timed(() => upload(fanfare.origin, creator, [photograph], PATIENCE_MS), started),
    timed(() => ownedBy(fanfare, fan, single), started),
  ])
  process.stdout.write(
    `${name.padEnd(28)} mail ${mail} s (at most 5), photo ${photo} s (10), recovery ${recovery} s (120)\n`,
  )
  await fanfare.dispose()
}

/** Uploads by somebody of their own, which are then left to be prepared. */
async function waiting(
  { origin }: Fanfare,
  file: (index: number) => Promise<MediaFile>,
  count: number,
): Promise<void> {
  const person = await joins(origin, 'creator', freshName('crowd'))
  const api = apiOf(origin, person)
  for (let index = 0; index < count; index += 1) {
    const { name, buffer } = await file(index)
    const { signedUrls, destFileNames } = await api.call(routes.startUpload, { body: { fileNames: [name] } })
    const sent = await fetch(new URL(signedUrls[0] ?? '', origin), {
      method: 'PUT',
      body: new Uint8Array(buffer),
      headers: { 'content-type': 'application/octet-stream' },
    })
    if (!sent.ok) throw new Error(`${sent.status} ${await sent.text()}`)
    await api.call(routes.makePublic, { body: { destFileNames } })
  }
}

async function video(index: number): Promise<MediaFile> {
  const folder = await mkdtemp(join(tmpdir(), 'fanfare-bench-'))
  const path = join(folder, 'video.mp4')
  const [width, height, seconds] = [1920, 1080, 60]
  await recordVideo(path, {
    format: 'mp4',
    scene: 'mountains',
    seed: index,
    width,
    height,
    seconds,
    rate: 25,
  })
  const buffer = await readFile(path)
  await rm(folder, { recursive: true })
  return { name: `video-${index}.mp4`, mimeType: 'video/mp4', buffer }
}

/** Ends the product with a charge at the gateway that it does not know of yet, and starts it again. */
async function interruptPurchase(fanfare: Fanfare, fan: Person, itemId: string): Promise<void> {
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

async function resetMail({ origin }: Fanfare, fan: Person): Promise<void> {
  const before = (await mailsTo(origin, fan.email)).length
  await apiOf(origin).send('POST', '/auth/reset', { body: { email: fan.email } })
  await waitUntil(async () => (await mailsTo(origin, fan.email)).length > before, {
    timeout: PATIENCE_MS,
    interval: 50,
  })
}

async function ownedBy({ origin }: Fanfare, fan: Person, mediaId: string): Promise<void> {
  const api = apiOf(origin, fan)
  await waitUntil(async () => (await api.call(routes.viewMedia, { params: { mediaId } })).media.owned, {
    timeout: PATIENCE_MS,
    interval: 500,
  })
}

function gatewayOf({ origin }: Fanfare): { sandboxOrigin: string } {
  return { sandboxOrigin: origin }
}

/** Seconds since that moment when it is done, for people. */
async function timed(work: () => Promise<unknown>, started: number): Promise<string> {
  await work()
  return ((performance.now() - started) / 1000).toFixed(1)
}
