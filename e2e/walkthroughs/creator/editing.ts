import type { MediaFile } from '../../pictures.ts'
import { waitUntil } from '../../waiting.ts'
import type { Window } from '../../window.ts'

/** Says everything about one item, with somebody else depicted, and saves. */
export async function describes(window: Window, mediaId: string, title: string): Promise<string> {
  const { page } = window
  await window.open(`/dashboard/edit/media/${mediaId}`)
  await page.getByLabel('Title').fill(title)
  await page.getByRole('textbox', { name: 'Description' }).fill('By the window, early.\nNo filter.')
  await page.getByLabel('Add another person').fill('Robin')
  await page.getByLabel('Add another person').press('Enter')
  await page.getByRole('checkbox', { name: 'Robin', checked: true }).waitFor()
  await page.getByRole('radio', { name: 'For sale as a single' }).check()
  await page.getByRole('textbox', { name: 'Price' }).fill('4.50')
  await page.getByRole('button', { name: 'Save' }).click()
  await window.sees('Successfully updated!')
  return `“${title}” is described, sold for $4.50, and Robin is depicted`
}

/** Puts another file in the place of the old one; answers what the page said. */
export async function replacesFile(window: Window, mediaId: string, file: MediaFile): Promise<string> {
  const { page } = window
  await window.open(`/dashboard/edit/media/${mediaId}`)
  const input = page.locator('input[type=file]')
  const replace = page.getByRole('dialog').getByRole('button', { name: 'Replace' })
  await input.setInputFiles({
    name: 'broken.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.from('no picture at all'),
  })
  await replace.click()
  await window.sees(/Something went wrong\./)
  await input.setInputFiles(file)
  await replace.click()
  await window.sees('Your media file has been updated!')
  return 'a damaged file was refused, a good one took the place'
}

/** Chooses another frame of a video as its poster. */
export async function choosesPoster(window: Window, mediaId: string): Promise<string> {
  const { page } = window
  await window.open(`/dashboard/edit/media/${mediaId}`)
  await page.getByRole('button', { name: 'Choose a poster' }).click()
  const scrubber = page.getByRole('slider', { name: 'Poster frame' })
  await scrubber.press('End')
  await waitUntil(() => page.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime > 0.5))
  await page.getByRole('button', { name: 'Use this frame' }).click()
  await window.sees('Poster updated.')
  return 'the last frame is the poster'
}

/** Adds a gif of another site by its link, which nothing is fetched from here. */
export async function addsRedGif(window: Window): Promise<string> {
  const { page } = window
  await page.route('https://www.redgifs.com/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>A gif</title>' }),
  )
  await window.open('/dashboard/add/media')
  await page.getByLabel('RedGifs link').fill('https://www.redgifs.com/watch/CalmBrightSea')
  await window.sees('https://www.redgifs.com/ifr/calmbrightsea')
  await page.getByLabel('Duration').fill('12')
  await page.getByRole('button', { name: 'Add Media' }).click()
  await window.sees('Media Updated!')
  return 'https://www.redgifs.com/ifr/calmbrightsea is in the library'
}
