import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Routes, routes } from '../../contract/index.ts'
import type { Output } from '../../contract/route.ts'
import { buildClientIfChanged } from '../../scripts/client-build.ts'
import type { Api } from '../../server/testing/api.ts'
import { launchBrowser } from '../browser.ts'
import { type FanfareProcess, startProcess } from '../fanfare.ts'
import { apiOf, freshName } from '../people.ts'
import { picture } from '../pictures.ts'
import { openTab, openWindow, type Window } from '../window.ts'
import { signsUp, tokenOf } from './arriving.ts'
import { addsRedGif, choosesPoster, describes, replacesFile } from './creator/editing.ts'
import * as manage from './creator/managing.ts'
import { creates, isSeenBy, turnsOnWatermark } from './creator/selling.ts'
import * as uploads from './creator/uploading.ts'
import { type DayFile, makeDayFiles, sizeOf, takeFiles } from './files.ts'
import { beginWalk, type Walk } from './walk.ts'

/**
 * A creator's day in a real browser on a fresh installation, as a person does it:
 * `node e2e/walkthroughs/creators-day.ts <folder for pictures> [folder with more files]`.
 */
const [pictures, more] = process.argv.slice(2)
if (!pictures) throw new Error('Name a folder for the pictures.')

/** Bytes a second: what many homes can send. */
const SLOW_LINE = 400_000

const folder = await mkdtemp(join(tmpdir(), 'fanfare-day-'))
const walk = await beginWalk('A creator’s day', pictures)
let fanfare: FanfareProcess | undefined
const browser = await launchBrowser()
try {
  if (!(await buildClientIfChanged())) throw new Error('the client can’t be built')
  fanfare = await startProcess()
  await day(walk, fanfare)
} finally {
  await browser.close()
  await fanfare?.dispose()
  await rm(folder, { recursive: true, force: true })
  process.exitCode = walk.end()
}

async function day(walk: Walk, { origin }: FanfareProcess): Promise<void> {
  const username = freshName('ana')
  let window = await openWindow(browser, origin, { ageConfirmed: false })
  walk.follows(window)
  let files: DayFile[] = []
  await walk.step('makes a hundred files', async () => {
    files = await makeDayFiles(folder)
    return `${files.length} files, ${(await sizeOf(files)) / 1e6} MB`
  })
  await walk.step('comes and signs up', () => signsUp(origin, window, { username, creator: true }))
  window = await uploadsAll(walk, window, files)
  const api = apiOf(origin, { token: await tokenOf(window) })
  const library = () => libraryOf(api)
  if (more) {
    const given = await takeFiles(more)
    await walk.step('uploads the given files', () => uploadsGiven(walk, window, given))
  }
  await managesAll(walk, window, (await library()).length)
  const items = await library()
  const [photo, other] = items.filter(({ type, redGif }) => type === 'image' && redGif === '')
  const video = items.find(({ duration, redGif }) => (duration ?? 0) > 2 && redGif === '')
  if (!photo || !other || !video) throw new Error('there are too few items to go on')
  await walk.step('describes a picture', () => describes(window, photo._id, 'Morning light'))
  await walk.looks(window, 'edit')
  await walk.step('replaces a file', async () => replacesFile(window, other._id, await picture(7, 640, 480)))
  await walk.step('chooses a poster', () => choosesPoster(window, video._id))
  await walk.looks(window, 'poster')
  await walk.step('adds a RedGifs link', () => addsRedGif(window))
  await walk.looks(window, 'redgifs')
  await sells(walk, window, origin, username)
  // Files are refused, and a copy that is ready before it is taken back is deleted instead.
  const foreseen = /status of 400|status of 409.*\/upload\/cancel/
  for (const complaint of window.complaints().filter((line) => !foreseen.test(line)))
    walk.wrong(`the browser says: ${complaint}`)
}

/** Everything in the library, in its order. */
async function libraryOf(api: Api) {
  const all: Output<Routes['manageMedia']>['items'] = []
  let cursor: string | null = null
  do {
    const page: Output<Routes['manageMedia']> = await api.call(routes.manageMedia, {
      query: { limit: 60, ...(cursor ? { cursor } : {}) },
    })
    all.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  return all
}

/** Sends the hundred files, through a lost network and a closed tab; answers the tab that is open at the end. */
async function uploadsAll(walk: Walk, first: Window, files: readonly DayFile[]): Promise<Window> {
  let window = first
  const good = files.filter(({ fate }) => fate === 'arrives').length
  await walk.step('drops the folder', async () => {
    await window.open('/dashboard/uploadbulk')
    await uploads.slowsDown(window, SLOW_LINE)
    const listed = await uploads.dropsFolder(window, join(folder, 'shoot'))
    if (listed !== files.length) walk.wrong(`${files.length} files were dropped, ${listed} are listed`)
    await walk.looks(window, 'upload-chosen')
    return `${listed} rows, sent at once`
  })
  await walk.step('loses the network', async () => {
    const before = await uploads.waitUntilSent(window.page, 45)
    const said = await uploads.losesTheNetwork(window, 6_000)
    await walk.picture(window, 'upload-after-the-break')
    await uploads.slowsDown(window, SLOW_LINE)
    return `with ${before} rows through; ${said}`
  })
  await walk.step('closes the tab and comes back', async () => {
    const before = await uploads.waitUntilSent(window.page, 65)
    await walk.picture(window, 'upload-under-way')
    const { context } = window
    window.page.on('dialog', (dialog) => void dialog.accept())
    const closed = window.page.waitForEvent('close')
    await window.page.close({ runBeforeUnload: true })
    await closed
    window = await openTab(context)
    walk.follows(window)
    await window.open('/dashboard/uploadbulk')
    await walk.looks(window, 'upload-came-back')
    const broken = await window.page.getByRole('button', { name: /^Discard / }).count()
    return `with ${before} rows through; ${broken} uploads had broken off`
  })
  await walk.step('drops the folder again', async () => {
    const listed = await uploads.dropsFolder(window, join(folder, 'shoot'))
    const ended = await uploads.endsAll(window.page, 'Skip')
    const giveUp = window.page.getByRole('button', { name: /^Discard / })
    for (let left = await giveUp.count(); left > 0; left--) await giveUp.first().click()
    await walk.looks(window, 'upload-ended')
    return `${listed} rows; ${ended}`
  })
  await walk.step('names ten at once', () => uploads.namesAtOnce(window.page, 10))
  await walk.looks(window, 'upload-named')
  await walk.step('reads what became of each file', async () => {
    const bad = files.filter(({ fate }) => fate instanceof RegExp)
    for (const surprise of uploads.surprises(bad, await uploads.sentences(window.page))) walk.wrong(surprise)
    const api = apiOf(new URL(window.page.url()).origin, { token: await tokenOf(window) })
    const arrived = (await libraryOf(api)).length
    if (arrived !== good) walk.wrong(`${good} good files, ${arrived} in the library`)
    return `${arrived} of ${good} good files are in the library, ${bad.length} refused`
  })
  return window
}

async function uploadsGiven(walk: Walk, window: Window, files: readonly DayFile[]): Promise<string> {
  const { page } = window
  await window.open('/dashboard/uploadbulk')
  await page
    .locator('input[type=file]:not([aria-label^="File for"])')
    .setInputFiles(files.map(({ path }) => path))
  const ended = await uploads.endsAll(page, 'Upload anyway')
  for (const surprise of uploads.surprises(files, await uploads.sentences(page))) walk.wrong(surprise)
  await walk.looks(window, 'upload-given')
  return `${files.length} files; ${ended}`
}

async function managesAll(walk: Walk, window: Window, count: number): Promise<void> {
  const { page } = window
  await walk.step('sees the library', async () => {
    await window.open('/dashboard/manage')
    const shown = await manage.showsAll(page)
    if (shown !== count) walk.wrong(`${count} items, ${shown} cards`)
    await walk.looks(window, 'manage')
    return `${shown} cards`
  })
  await walk.step('tags twelve, then twenty', async () => {
    const said = await manage.selects(page, 0, 11)
    await walk.looks(window, 'manage-selected')
    await manage.tagsSelected(page, 'By the sea')
    await manage.selects(page, 6, 25)
    await manage.tagsSelected(page, 'Evening light')
    return `first ${said}`
  })
  await walk.step('prices, sells and frees', async () => {
    await manage.searches(page, 'seaside')
    await manage.selects(page, 0, 9)
    const sold = await manage.turnsSelected(page, 'Show in shop', 'On')
    await manage.pricesSelected(page, '6.50')
    await manage.searches(page, '')
    await manage.selects(page, 12, 40)
    const freed = await manage.turnsSelected(page, 'Must be unlocked', 'Off')
    await manage.turnsSelected(page, 'Show in search', 'On')
    await page.getByRole('button', { name: 'Done', exact: true }).click()
    return `ten in the store (${sold}), 29 free (${freed})`
  })
  await walk.step('searches and filters', async () => {
    const found = await manage.searches(page, 'evening light')
    await walk.picture(window, 'manage-searched')
    const none = await manage.searches(page, 'zebra')
    await manage.searches(page, '')
    const videos = await manage.filters(page, 'Type', 'Videos')
    await manage.filters(page, 'Type', 'All types')
    const free = await manage.filters(page, 'Visibility', 'Free')
    await walk.looks(window, 'manage-filtered')
    await manage.filters(page, 'Visibility', 'Any visibility')
    if (found === 0 || none !== 0 || videos === 0 || free === 0)
      walk.wrong('a filter finds nothing, or too much')
    return `${found} by the tag’s words, ${none} by others, ${videos} videos, ${free} free ones on the first page`
  })
  await walk.step('moves by mouse and keyboard', () => manage.movesTheFirst(page))
  await walk.step('deletes and takes it back', () => manage.deletesAndUndoes(window, 5))
}

async function sells(walk: Walk, window: Window, origin: string, username: string): Promise<void> {
  await walk.step('makes a subscription', () =>
    creates(window, 'subscription', { title: 'Members club', price: '9.99', items: 12 }),
  )
  await walk.looks(window, 'subscription')
  await walk.step('makes a bundle', () =>
    creates(window, 'bundle', { title: 'Summer set', price: '15', items: 5 }),
  )
  await walk.looks(window, 'bundle')
  await window.open('/dashboard/premiumcontentmanagement')
  await walk.looks(window, 'premium-content')
  await walk.step('turns on the watermark', () => turnsOnWatermark(window))
  const visitor = await openWindow(browser, origin)
  await walk.step('is seen by a visitor', () => isSeenBy(visitor, username))
  await visitor.open(`/users/${username}`)
  await walk.looks(visitor, 'profile')
  for (const complaint of visitor.complaints()) walk.wrong(`a visitor’s browser says: ${complaint}`)
}
