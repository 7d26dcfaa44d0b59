import type { Page } from 'playwright-core'
import { waitUntil } from '../../waiting.ts'
import type { Window } from '../../window.ts'
import type { DayFile } from '../files.ts'

const PREPARED_WITHIN = { timeout: 420_000, interval: 500 }

const rows = (page: Page) => page.getByRole('region', { name: 'Files' }).getByRole('listitem')
const summary = (page: Page) => page.getByRole('region', { name: 'Files' }).getByRole('status').first()

/** Drops a whole folder, as from a file manager, and answers how many files are listed. */
export async function dropsFolder({ page, context }: Window, path: string): Promise<number> {
  const before = await rows(page).count()
  const box = await page.getByText('Choose files, or drop them here').boundingBox()
  if (!box) throw new Error('there is no place to drop files')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const devTools = await context.newCDPSession(page)
  const data = { items: [], files: [path], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devTools.send('Input.dispatchDragEvent', { type, x, y, data })
  await devTools.detach()
  return waitUntil(async () => {
    const now = await rows(page).count()
    return now > before && now
  }, PREPARED_WITHIN)
}

/** Lets so many bytes a second leave, as a line at home does; answers how to end that. */
export async function slowsDown({ page, context }: Window, uploadThroughput: number): Promise<void> {
  const devTools = await context.newCDPSession(page)
  const rest = { offline: false, latency: 20, downloadThroughput: -1 }
  await devTools.send('Network.emulateNetworkConditions', { ...rest, uploadThroughput })
}

/** Waits until the bytes of so many files have left this device. */
export async function waitUntilSent(page: Page, count: number): Promise<number> {
  return waitUntil(async () => {
    const texts = await rows(page).locator('p[data-tone]').allInnerTexts()
    const left = texts.filter((text) => !/Ready|Waiting|Processing|Uploading/.test(text)).length
    return left >= count && left
  }, PREPARED_WITHIN)
}

/** The network goes away for so long in the middle; answers what the rows said meanwhile. */
export async function losesTheNetwork({ page, context }: Window, milliseconds: number): Promise<string> {
  await context.setOffline(true)
  await page.waitForTimeout(milliseconds)
  const said = await page.getByRole('region', { name: 'Files' }).innerText()
  await context.setOffline(false)
  const count = (text: RegExp) => said.match(text)?.length ?? 0
  return `${count(/Uploading\.\.\./g)} rows were on their way, ${count(/Network error/g)} gave up`
}

/** Waits until nothing is on its way, answers each question about a duplicate, and tells how it stands. */
export async function endsAll(page: Page, onDouble: 'Skip' | 'Upload anyway'): Promise<string> {
  const asked = page.getByRole('region', { name: /is a duplicate$/ })
  let answered = 0
  await waitUntil(async () => {
    while ((await asked.count()) > 0) {
      answered += 1
      await asked.first().getByRole('button', { name: onDouble }).click()
    }
    const text = await summary(page).innerText()
    return (
      /done|failed/.test(text) && !/processing|already uploaded/.test(text) && (await asked.count()) === 0
    )
  }, PREPARED_WITHIN)
  return `${await summary(page).innerText()}; “${onDouble}” pressed ${answered} times`
}

/** What the rows say of these files, by name; a name that is not there says nothing. */
export async function sentences(page: Page): Promise<{ name: string; text: string; done: boolean }[]> {
  return rows(page).evaluateAll((found) =>
    found.map((row) => {
      const status = row.querySelector<HTMLElement>('p[data-tone]')
      return {
        name: row.querySelector('p > span')?.textContent ?? row.textContent ?? '',
        text: status?.innerText.trim() ?? '',
        done: status?.dataset.tone === 'done',
      }
    }),
  )
}

/** Which files had another fate than they must have, in words. */
export function surprises(files: readonly DayFile[], seen: Awaited<ReturnType<typeof sentences>>): string[] {
  return files.flatMap(({ name, fate }) => {
    const row = seen.find((one) => one.name === name)
    if (fate === 'duplicate') return row?.done ? [`${name} arrived although it is a copy`] : []
    if (!row) return [`nothing is said of ${name}`]
    if (fate === 'arrives') return row.done ? [] : [`${name}: “${row.text}”`]
    if (row.done) return [`${name} arrived`]
    return fate.test(row.text) ? [] : [`${name} is refused with “${row.text}”`]
  })
}

/** Names the first so many finished items right on the upload page: `Seaside 1` and on. */
export async function namesAtOnce(page: Page, count: number): Promise<string> {
  const forms = page.getByRole('form', { name: /^About / })
  for (let at = 0; at < count; at++) {
    await forms
      .nth(at)
      .getByLabel('Title')
      .fill(`Seaside ${at + 1}`)
    await forms.nth(at).getByRole('button', { name: 'Save' }).click()
    await forms.nth(at).getByText('Media Updated!').waitFor()
  }
  return `${count} of ${await forms.count()} have a title`
}
