import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buildClientIfChanged } from '../../scripts/client-build.ts'
import { launchBrowser } from '../browser.ts'
import { type FanfareProcess, startProcess } from '../fanfare.ts'
import { freshName, joins, PASSWORD } from '../people.ts'
import { openWindow, type Window } from '../window.ts'
import { signsUp } from './arriving.ts'
import * as browsing from './fan/browsing.ts'
import { buys, findsIt } from './fan/buying.ts'
import { type Pieces, piecesOf, type Recording, record, storedFiles } from './fan/recording.ts'
import { type Shift, watchShifts } from './fan/shifting.ts'
import { type EveningShop, opensShop, VIDEO_TITLE } from './fan/shop.ts'
import { asksForPreviews, check, tries, visitsAll } from './fan/trying.ts'
import { comesBack, isNamed, watches } from './fan/watching.ts'
import { beginWalk, type Walk } from './walk.ts'

/**
 * A fan's evening on a phone, then at a desk, in a real browser on the sample data; and a second fan with a network
 * recorder who must get nothing that is locked: `node e2e/walkthroughs/fans-evening.ts <folder for pictures>`.
 */
const [pictures] = process.argv.slice(2)
if (!pictures) throw new Error('Name a folder for the pictures.')

/** Seconds at the screen. */
const WATCHED = 65
const CREATOR = 'lighthouse-keeper'
/** Share of the window: a tenth of what counts as good for a whole page (Web Vitals, CLS). */
const HARDLY_SEEN = 0.01

const walk = await beginWalk('A fan’s evening', pictures)
let fanfare: FanfareProcess | undefined
const browser = await launchBrowser()
try {
  if (!(await buildClientIfChanged())) throw new Error('the client can’t be built')
  fanfare = await startProcess({ SAMPLE_DATA: 'on' })
  await evening(walk, fanfare)
} finally {
  await browser.close()
  await fanfare?.dispose()
  process.exitCode = walk.end()
}

async function evening(walk: Walk, { origin, dataDir }: FanfareProcess): Promise<void> {
  let shop: EveningShop | undefined
  await walk.step('a creator opens a shop', async () => {
    shop = await opensShop(origin, CREATOR)
    return `${shop.locked.length} locked items`
  })
  if (!shop) return
  const name = freshName('finn')
  const phone = await openWindow(browser, origin, { phone: true, ageConfirmed: false })
  walk.follows(phone)
  const shifts = await watchShifts(phone.context)
  const seen = followPaths(phone)
  const asked = followFiles(phone, shop.locked)
  const keep = (what: string) => walk.picture(phone, what)
  await walk.step('comes and signs up', () => signsUp(origin, phone, { username: name, creator: false }))
  await walk.step('searches with a typing mistake', () =>
    browsing.searchesWithAMistake(phone, 'lighthuose', 'lighthouse'),
  )
  await walk.looks(phone, 'search')
  await walk.step('chooses tags', () => browsing.choosesTags(phone))
  await walk.looks(phone, 'discover-tags')
  await walk.step('scrolls on', () => browsing.scrollsOn(phone, 60, shifts))
  await keep('discover-scrolled')
  await walk.step('uses the full screen', () => browsing.usesTheViewer(phone, keep))
  await walk.step('follows', () => browsing.follows(phone, CREATOR))
  await phone.open(`/users/${CREATOR}`)
  await walk.looks(phone, 'profile')
  await walk.step('buys', () => buys(phone, shop as EveningShop, () => keep('purchase')))
  await walk.looks(phone, 'bought')
  await walk.step('finds it', () => findsIt(phone, ['Morning light', VIDEO_TITLE, 'Storm coming']))
  await walk.looks(phone, 'your-content')
  const { video, single } = shop
  let at = 0
  await walk.step('watches', async () => {
    const watched = await watches(phone, video, WATCHED, keep)
    at = watched.at
    return watched.said
  })
  await walk.step('leaves and comes back', () => comesBack(phone, video, at))
  await walk.step('is named', () => isNamed(phone, name, { video, single }))
  await walk.looks(phone, 'bought-picture')
  await walk.step('nothing jumped', async () => checkShifts(shifts))
  tellComplaints('the phone', phone)
  await atADesk(walk, origin, name, video)
  const pieces = await lockedPieces(dataDir, shop)
  await walk.step('the recorder knows what is locked', () => control(shop as EveningShop, origin, pieces))
  const paths = [...new Set([...seen, '/', ...shop.locked.map((id) => `/media/${id}`)])]
  await walk.step('a second fan gets no locked byte', () =>
    secondFan(origin, shop as EveningShop, pieces, paths),
  )
  await walk.step('no address opens for others', () =>
    noAddressOpens(origin, phone, shop as EveningShop, asked),
  )
}

/** The paths of all pages that a window comes to, those behind a login included. */
function followPaths({ page }: Window): Set<string> {
  const paths = new Set<string>()
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame() || !frame.url().startsWith('http')) return
    const { pathname, search } = new URL(frame.url())
    if (!/emailconfirmation|signup/.test(pathname)) paths.add(pathname + search)
  })
  return paths
}

/** All addresses of files of these items that a window asks for. */
function followFiles({ page }: Window, mediaIds: readonly string[]): Set<string> {
  const urls = new Set<string>()
  page.on('request', (request) => {
    if (mediaIds.some((id) => request.url().includes(`/files/media/${id}`))) urls.add(request.url())
  })
  return urls
}

/** Tells every jump; those that can be seen are wrong. */
function checkShifts(shifts: readonly Shift[]): string {
  for (const { path, value, what } of shifts)
    if (value > HARDLY_SEEN) walk.wrong(`${path} jumped by ${value.toFixed(4)}: ${what}`)
  const told = shifts.map(({ path, value }) => `${path} ${value.toFixed(4)}`)
  return told.length === 0 ? 'no layout shift' : `layout shift of ${told.join(', ')}`
}

function tellComplaints(whose: string, window: Window): void {
  // A declined card is an answer that browsers report.
  for (const line of window.complaints().filter((one) => !/status of 402/.test(one)))
    walk.wrong(`the browser of ${whose} says: ${line}`)
}

/** The same evening in short, with a mouse and a keyboard. */
async function atADesk(walk: Walk, origin: string, username: string, video: string): Promise<void> {
  const desk = await openWindow(browser, origin, { scheme: 'light' })
  walk.follows(desk)
  const shifts = await watchShifts(desk.context)
  const { page } = desk
  await walk.step('logs in at a desk', async () => {
    await desk.open('/login')
    await page.getByLabel('Email').fill(`${username}@example.test`)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL((url) => !url.pathname.endsWith('/login'))
    await desk.open('/discover')
    await page.locator('[data-media-id] button').first().click()
    await page.locator('.pswp__counter').waitFor()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Escape')
    await page.locator('.pswp--open').waitFor({ state: 'detached' })
    await desk.open('/yourcontent')
    await desk.open(`/media/${video}`)
    await page.getByRole('button', { name: `Play ${VIDEO_TITLE}` }).click()
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 1)
    await walk.picture(desk, 'desk-video')
    return `discover, full screen, own content and video; ${checkShifts(shifts)}`
  })
  tellComplaints('the desk', desk)
  await desk.close()
}

/** Pieces of everything that is locked: files as they were sent, and what was made of them. */
async function lockedPieces(dataDir: string, { locked, originals }: EveningShop): Promise<Pieces> {
  const kept = await readdir(join(dataDir, 'media', 'media'))
  const open = kept.filter((id) => !locked.includes(id)).slice(0, 12)
  const filesOf = async (ids: readonly string[]) =>
    (await Promise.all(ids.map((id) => storedFiles(dataDir, id)))).flat()
  const sent = originals.map((bytes, at) => ({ name: `the file sent as number ${at + 1}`, bytes }))
  const others = (await filesOf(open)).map(({ bytes }) => bytes.subarray(0, 4096))
  return piecesOf([...sent, ...(await filesOf(locked))], others)
}

/** The creator, who may see all of it, with the same recorder: what it can't find there it could find nowhere. */
async function control(shop: EveningShop, origin: string, pieces: Pieces): Promise<string> {
  const window = await openWindow(browser, origin, { person: shop.creator })
  const recording = record(window.context)
  for (const mediaId of shop.locked) await window.open(`/media/${mediaId}`)
  const { hits } = await check(recording, pieces, [])
  for (const mediaId of shop.locked)
    if (!hits.some((hit) => hit.includes(mediaId))) walk.wrong(`the recorder does not recognize ${mediaId}`)
  await window.close()
  return `${pieces.count} pieces of ${(pieces.bytes / 1e6).toFixed(1)} MB; ${hits.length} answers to the creator hold some`
}

async function secondFan(
  origin: string,
  shop: EveningShop,
  pieces: Pieces,
  paths: readonly string[],
): Promise<string> {
  const lines: string[] = []
  const person = await joins(origin, 'fan')
  for (const who of ['second fan', 'visitor'] as const) {
    const window = await openWindow(browser, origin, who === 'visitor' ? {} : { person })
    const recording: Recording = record(window.context)
    await visitsAll(window, paths)
    const previews = await asksForPreviews(window.context, paths)
    const again = await asksForPreviews(window.context, await unreadOf(recording))
    const all = async () => [...(await recording.answers()), ...previews, ...again]
    const found = await check({ answers: all }, pieces, shop.locked)
    for (const hit of found.hits) walk.wrong(`${who}: ${hit}`)
    if (found.addresses > 0) walk.wrong(`${who}: ${found.addresses} answers name files of locked items`)
    lines.push(
      `${who}: ${paths.length} pages, ${previews.length} previews, ${found.answers} answers, ${(found.bytes / 1e6).toFixed(1)} MB, ${found.hits.length} hits`,
    )
    await window.close()
  }
  return lines.join('; ')
}

/** Answers that the browser didn't keep are asked for once more. */
async function unreadOf(recording: Recording): Promise<string[]> {
  await recording.answers()
  return [...new Set(recording.unread)].filter((url) => url.startsWith('http'))
}

/** Every address that the first fan's browser used, fresh ones included, tried by the others and by the fan. */
async function noAddressOpens(
  origin: string,
  phone: Window,
  shop: EveningShop,
  asked: Set<string>,
): Promise<string> {
  const before = new Set(asked)
  for (const mediaId of [shop.single, shop.inBundle, shop.video]) await phone.open(`/media/${mediaId}`)
  await phone.page.getByRole('button', { name: `Play ${VIDEO_TITLE}` }).click()
  await phone.page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.5)
  const fresh = [...asked].filter((url) => !before.has(url))
  const lines = [`${asked.size} addresses, ${fresh.length} of them fresh`]
  const own = await tries(phone.context, fresh)
  lines.push(`the buyer: ${told(own)}`)
  if (![...own.keys()].every((status) => status < 300)) walk.wrong(`the buyer gets ${told(own)}`)
  const person = await joins(origin, 'fan')
  for (const who of ['second fan', 'visitor'] as const) {
    const window = await openWindow(browser, origin, who === 'visitor' ? {} : { person })
    await window.open(`/users/${CREATOR}`)
    const statuses = await tries(window.context, [...asked])
    if (![...statuses.keys()].every((status) => status === 403 || status === 404))
      walk.wrong(`a ${who} gets ${told(statuses)}`)
    lines.push(`${who}: ${told(statuses)}`)
    await window.close()
  }
  return lines.join('; ')
}

function told(statuses: Map<number, number>): string {
  return [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')
}
