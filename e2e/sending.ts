import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { routes } from '../contract/index.ts'
import type { Fanfare } from './fanfare.ts'
import { apiOf, type Person } from './people.ts'

/** Files that take long to send, made in `folder`, and what the server has of a person's. */
export function sending(story: () => { fanfare: Fanfare; folder: string }) {
  /** Writes a small picture of six chunks, or of as many as so many comments make: each is another. */
  async function heavyPicture(name: string, background: string, length = 90): Promise<string> {
    const small = await sharp({ create: { width: 320, height: 240, channels: 3, background } })
      .jpeg()
      .toBuffer()
    const comments = Array.from({ length }, (_, index) => {
      const comment = Buffer.alloc(0x10001, index)
      comment.writeUInt32BE(0xfffeffff)
      return comment
    })
    const path = join(story().folder, name)
    await writeFile(path, Buffer.concat([small.subarray(0, 2), ...comments, small.subarray(2)]))
    return path
  }

  const libraryOf = async (person: Person) =>
    (await apiOf(story().fanfare.origin, person).call(routes.manageMedia, { query: { limit: 60 } })).items

  const unfinishedBy = async (person: Pick<Person, 'token'>) =>
    (await apiOf(story().fanfare.origin, person).call(routes.uploads, { query: {} })).items

  return { heavyPicture, libraryOf, unfinishedBy }
}

/** The line of a file in the list of those that are sent. */
export const rowOf = (page: Page, fileName: string) =>
  page.getByRole('region', { name: 'Files' }).getByRole('listitem').filter({ hasText: fileName })

/** Chooses to send files in chunks. */
export async function inChunks(page: Page): Promise<void> {
  await page.getByText('Upload method').click()
  await page.getByRole('radio', { name: /^One at a time/ }).check()
}

/** Lets this many chunks through; the ones behind them never get an answer. Answers how many were asked for. */
export async function letThrough(page: Page, chunks: number): Promise<{ sent: number }> {
  const count = { sent: 0 }
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.route('**/api/media/uploadsingle', async (route) => {
    count.sent += 1
    if (count.sent <= chunks) await route.continue()
  })
  return count
}
