import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { applyLook, axeViolations, looksFinished, overflows, savePictures, TWO_LOOKS } from './looks.ts'
import { CARDS, fillCard, payButton, payByCard } from './paying.ts'
import { apiOf, joins } from './people.ts'
import { movingPicture, picture } from './pictures.ts'
import { describe, openShop, upload } from './shop.ts'
import { openWindow } from './window.ts'

let database: StoryDatabase
let fanfare: Fanfare
let browser: StoryBrowser

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
})

test('a creator sends something locked, the fan buys it in the chat, and both see it', async () => {
  const { creator, inBundle } = await openShop(fanfare.origin)
  const fan = await joins(fanfare.origin, 'fan')
  await apiOf(fanfare.origin, fan).call(routes.toggleFollow, { body: { followingId: creator.id } })

  const seller = await openWindow(browser, fanfare.origin, { person: creator })
  await seller.open(`/dashboard/chat/${fan.id}`)
  // The field stands at the end of the window, below the bar of a sandbox too.
  const beyond = () => document.documentElement.scrollHeight - window.innerHeight
  expect(await seller.page.evaluate(beyond)).toBe(0)
  await seller.page.getByRole('button', { name: 'Attach from your library' }).click()
  const library = seller.page.getByRole('dialog')
  await library.getByRole('checkbox', { name: 'Moving waves' }).check()
  await library.getByRole('checkbox', { name: 'For members' }).check()
  await library.getByRole('button', { name: 'Attach 2 items' }).click()
  await seller.page.getByLabel('Price').fill('12.50')
  // What everyone sees for free can't be chosen for a price, and one that was chosen before says so.
  await seller.page.getByRole('button', { name: 'Attach from your library' }).click()
  await library.getByRole('checkbox', { name: 'Free for all (Free for everyone)' }).waitFor()
  expect(await library.getByRole('checkbox', { name: 'Free for all' }).isDisabled()).toBe(true)
  await library.getByText('Free for everyone', { exact: true }).waitFor()
  await looksFinished(seller, 'library-for-a-price')
  await seller.page.keyboard.press('Escape')
  await seller.page.getByLabel('Price').fill('')
  await seller.page.getByRole('button', { name: 'Attach from your library' }).click()
  await library.getByRole('checkbox', { name: 'Free for all' }).check()
  await library.getByRole('button', { name: 'Attach 3 items' }).click()
  await seller.page.getByLabel('Price').fill('12.50')
  await seller.sees('Everyone can see this for free. Lock it in your library, or remove it or the price.')
  await seller.page.getByRole('button', { name: 'Remove Free for all' }).click()
  await seller.page.getByRole('textbox', { name: `Message ${fan.username}` }).fill('Only for you')
  await seller.page.getByRole('button', { name: 'Send', exact: true }).click()
  await seller.page.getByRole('log').getByText('Locked for $12.50').waitFor()

  const buyer = await openWindow(browser, fanfare.origin, { person: fan, phone: true })
  await buyer.open(`/dashboard/chat/${creator.id}`)
  const log = buyer.page.getByRole('log')
  await log.getByText('Only for you').waitFor()
  const api = apiOf(fanfare.origin, fan)
  const sent = async () => {
    const { messages } = await api.call(routes.messages, { query: { recipientId: creator.id } })
    return messages[0]?.attachments.map(({ url }) => url !== null)
  }
  expect(await sent()).toEqual([false, false])
  expect(await axeViolations(buyer)).toEqual([])
  await buyer.page.getByRole('button', { name: 'Unlock for $12.50' }).click()
  await buyer.sees('1 photo, 1 video')
  await payByCard(buyer.page, CARDS.approved)
  await buyer.sees('Processed Transaction')
  await buyer.page.getByRole('button', { name: 'Done' }).click()
  await log.getByText('Bought for $12.50').waitFor()
  expect(await buyer.page.getByRole('button', { name: /^Unlock/ }).count()).toBe(0)
  expect(await overflows(buyer)).toEqual([])
  await seller.sees('Sold for $12.50')
  expect(await sent()).toEqual([true, true])

  // Nobody else opens what was bought, and the item itself stays locked on the profile.
  const stranger = apiOf(fanfare.origin, await joins(fanfare.origin, 'fan'))
  const { media } = await stranger.call(routes.viewMedia, { params: { mediaId: inBundle } })
  expect([media.locked, media.url]).toEqual([true, null])

  // What is said in short covers nothing that is written or priced in.
  await seller.page.getByRole('button', { name: 'Attach from your library' }).click()
  await library.getByRole('checkbox', { name: 'For members' }).check()
  await library.getByRole('button', { name: 'Attach 1 item' }).click()
  await seller.page.getByLabel('Price').waitFor()
  await seller.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  for (const look of TWO_LOOKS) {
    await applyLook(seller, look)
    await seller.page.getByRole('article').last().click({ button: 'right' })
    const [covered] = await Promise.all([
      seller.page.waitForFunction(coveredByToast),
      seller.page.getByRole('menuitem', { name: 'Copy link' }).click(),
    ])
    expect(await covered.jsonValue()).toEqual([])
  }
  expect([...buyer.complaints(), ...seller.complaints()]).toEqual([])
  await Promise.all([buyer.close(), seller.close()])
})

/** What can be filled in and stands beneath a short message; null until there is one. */
function coveredByToast(): string[] | null {
  const toast = document.querySelector('[data-toast]')?.getBoundingClientRect()
  if (!toast) return null
  return [...document.querySelectorAll('input, textarea')].flatMap((field) => {
    const { top, bottom, left, right, width } = field.getBoundingClientRect()
    const isBeneath =
      width > 1 && top < toast.bottom && bottom > toast.top && left < toast.right && right > toast.left
    return isBeneath ? [field.outerHTML] : []
  })
}

test('a free video among those for a price says that it is free, how long it is, and that it was chosen', async () => {
  const { origin } = fanfare
  const [creator, fan] = [await joins(origin, 'creator'), await joins(origin, 'fan')]
  await apiOf(origin, fan).call(routes.toggleFollow, { body: { followingId: creator.id } })
  const [video = ''] = await upload(origin, creator, [await movingPicture()])
  await describe(origin, creator, video, { title: 'Free waves', mustUnlock: false })
  const window = await openWindow(browser, origin, { person: creator, phone: true })
  const { page } = window
  await window.open(`/dashboard/chat/${fan.id}`)
  const library = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Attach from your library' }).tap()
  await library.getByRole('checkbox', { name: 'Free waves' }).check()
  await library.getByRole('button', { name: 'Attach 1 item' }).tap()
  await page.getByLabel('Price').fill('5')
  await page.getByRole('button', { name: 'Attach from your library' }).tap()
  const tile = library.getByRole('group', { name: 'Your library' }).locator(':scope > *')
  const marks = [
    tile.getByText('Free for everyone', { exact: true }),
    tile.getByText(/^0:0\d$/),
    tile.locator('svg').last(),
  ]
  const overlapping = async () => {
    const boxes = await Promise.all(marks.map((mark) => mark.boundingBox()))
    return boxes.flatMap((one, at) =>
      boxes.slice(at + 1).filter((other) => {
        if (!one || !other) throw new Error('Each stands on the tile.')
        const [right, bottom] = [one.x + one.width, one.y + one.height]
        const isBeside = right <= other.x || other.x + other.width <= one.x
        return !isBeside && bottom > other.y && other.y + other.height > one.y
      }),
    )
  }
  for (const look of TWO_LOOKS) {
    await applyLook(window, look)
    expect(await overlapping()).toEqual([])
  }
  await looksFinished(window, 'library-free-video')
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('the pictures of a message fill its width, however many they are', async () => {
  const { origin } = fanfare
  const [creator, fan] = [await joins(origin, 'creator'), await joins(origin, 'fan')]
  await apiOf(origin, fan).call(routes.toggleFollow, { body: { followingId: creator.id } })
  await upload(origin, creator, await Promise.all([1, 2, 3, 4, 5, 6, 7, 8, 9].map((seed) => picture(seed))))
  const window = await openWindow(browser, origin, { person: creator })
  const { page } = window
  await window.open(`/dashboard/chat/${fan.id}`)
  const library = page.getByRole('dialog')
  // The log draws what is near alone: each message is looked at while it is the newest.
  const newest = page
    .getByRole('log')
    .getByRole('group', { name: 'Photos and videos in this message' })
    .last()
  // Each line ends where the group ends, and is of one height.
  const holes = () =>
    newest.evaluate((group) => {
      const { right } = group.getBoundingClientRect()
      const tiles = [...group.children].map((tile) => tile.getBoundingClientRect())
      const lines = Map.groupBy(tiles, ({ top }) => Math.round(top))
      return [...lines.values()].flatMap((line, place) => {
        const heights = line.map(({ height }) => Math.round(height))
        const isWhole = Math.abs((line.at(-1)?.right ?? 0) - right) < 2 && new Set(heights).size === 1
        return isWhole ? [] : [`line ${place} of ${tiles.length} pictures: ${heights}`]
      })
    })
  for (const count of [2, 3, 4, 5, 7, 9]) {
    await page.getByRole('button', { name: 'Attach from your library' }).click()
    for (let at = 0; at < count; at += 1) await library.getByRole('checkbox').nth(at).check()
    await library.getByRole('button', { name: `Attach ${count} items` }).click()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect.poll(() => newest.locator(':scope > *').count()).toBe(count)
    for (const look of TWO_LOOKS) {
      await applyLook(window, look)
      await expect.poll(holes).toEqual([])
    }
    await savePictures(window, `chat-pictures-${count}`)
  }
  await looksFinished(window, 'chat-pictures')
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('a fan tips a creator from the profile and from the chat; a card that is declined gives nothing', async () => {
  const { creator } = await openShop(fanfare.origin)
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person: fan, phone: true })
  const { page } = window
  await window.open(`/users/${creator.username}`)
  await page.getByRole('button', { name: 'Tip', exact: true }).click()
  await page.getByRole('button', { name: 'Other', exact: true }).click()
  await page.getByRole('button', { name: 'Send a tip' }).click()
  await window.sees('Choose $1 to $500.')
  await page.getByLabel('Other amount').fill('7.25')
  await page.getByRole('button', { name: 'Tip $7.25' }).click()
  await payByCard(page, CARDS.declined)
  await page.getByRole('dialog').getByRole('alert').waitFor()
  await fillCard(page, CARDS.approved)
  await payButton(page).click()
  await window.sees(`Thank you! ${creator.username} got your tip.`)
  await page.getByRole('button', { name: 'Done' }).click()

  await window.open(`/dashboard/chat/${creator.id}`)
  await page.getByRole('button', { name: 'Send a tip' }).click()
  await page.getByRole('button', { name: '$20', exact: true }).click()
  expect(await axeViolations(window)).toEqual([])
  await page.getByRole('button', { name: 'Tip $20' }).click()
  await payByCard(page, CARDS.approved)
  await window.sees(`Thank you! ${creator.username} got your tip.`)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('log').getByText('You sent a $20.00 tip').waitFor()
  await page.getByRole('log').getByText('You sent a $7.25 tip').waitFor()
  const balance = await apiOf(fanfare.origin, creator).call(routes.balance, { query: {} })
  expect(balance.pending).toBe('$21.80')
  await window.close()
})
