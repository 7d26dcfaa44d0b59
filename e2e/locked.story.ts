import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Routes } from '../contract/index.ts'
import { sourcesOf, streamOf } from '../contract/media-links.ts'
import type { Output } from '../contract/route.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { CARDS, payByCard } from './paying.ts'
import { joins, type Person } from './people.ts'
import { openShop, type Shop } from './shop.ts'
import { waitUntil } from './waiting.ts'
import { openWindow, type Window } from './window.ts'

let database: StoryDatabase
let fanfare: Fanfare
let browser: StoryBrowser
let shop: Shop

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), openBrowser({ fresh: true })])
  shop = await openShop(fanfare.origin)
})

afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
})

/** Every address that a window asked for, and every answer's text or size, from its first moment. */
function record({ page }: Window) {
  const addresses: string[] = []
  const bodies: Promise<string>[] = []
  page.on('response', (response) => {
    addresses.push(response.url())
    bodies.push(response.text().catch(() => ''))
  })
  return { addresses, text: async () => (await Promise.all(bodies)).join('\n') }
}

const lockedIds = () => [shop.single, shop.inBundle, shop.inSubscription]

/** Everywhere that locked items are shown. */
const places = (): string[] => [
  '/',
  '/discover',
  ...['subscriptions', 'bundles', 'singles'].map((tab) => `/users/${shop.creator.username}?tab=${tab}`),
  `/users/${shop.creator.username}/buy`,
  ...lockedIds().map((mediaId) => `/media/${mediaId}`),
  '/yourcontent',
]

test.each(['visitor', 'fan who bought nothing'])(
  'a %s walks past everything and gets no locked byte',
  async (who) => {
    const person = who === 'visitor' ? null : await joins(fanfare.origin, 'fan')
    const window = await openWindow(browser, fanfare.origin, person ? { person } : {})
    const { page } = window
    const recorded = record(window)
    let source = ''
    for (const place of places()) {
      await window.open(place)
      const inside = page.getByRole('button', { name: 'See what’s inside' })
      if ((await inside.count()) > 0) {
        await inside.first().click()
        await window.settled()
      }
      source += await page.content()
    }
    const received = recorded.addresses.join('\n') + (await recorded.text()) + source
    // The walk met the locked items, and the free one's picture came: so silence about the others means something.
    expect(received).toContain('Morning light')
    expect(received).toContain(`/files/media/${shop.free}/`)
    for (const mediaId of lockedIds()) {
      expect(received).toContain(mediaId)
      expect(received).not.toContain(`/files/media/${mediaId}`)
    }
    await window.close()
  },
)

test('a locked item’s page says what unlocks it, and keeps the wish of a visitor', async () => {
  const window = await openWindow(browser, fanfare.origin)
  const { page } = window
  await window.open(`/media/${shop.single}`)
  const offers = page.getByRole('region', { name: 'Unlock this photo' })
  expect(await offers.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/^This photo\s+Yours to keep\s+\$4\.50\s+Buy$/),
    expect.stringMatching(/^Summer set\s+1 photo, 1 video.*\s+\$15\s+Buy bundle$/),
  ])
  await window.open(`/media/${shop.inSubscription}`)
  await offers.getByText('$9.99/mo').waitFor()
  await offers.getByRole('button', { name: 'Subscribe to Members club' }).click()
  await page.waitForURL('**/signup')
  await window.sees(`Subscribe to ${shop.creator.username} · $9.99/mo`)
  await window.close()
})

test('addresses from a buyer’s page open for that buyer alone, and no longer after logging out', async () => {
  const buyer = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person: buyer })
  const { page } = window
  await window.open(`/users/${shop.creator.username}/buy`)
  await page.getByRole('button', { name: 'Buy Morning light' }).click()
  await payByCard(page, CARDS.approved)
  await window.sees('Processed Transaction')
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Buy bundle Summer set' }).click()
  await payByCard(page, CARDS.approved)
  await dialog.getByText('Processed Transaction').first().waitFor()

  const addresses = await boughtAddresses(buyer, window)
  const statuses = (of: Window) =>
    Promise.all(
      addresses.map(async (address) =>
        (await of.context.request.get(address, { headers: { range: 'bytes=0-99' } })).status(),
      ),
    )
  expect(new Set(await statuses(window))).toEqual(new Set([206]))

  const visitor = await openWindow(browser, fanfare.origin)
  const other = await openWindow(browser, fanfare.origin, { person: await joins(fanfare.origin, 'fan') })
  for (const stranger of [visitor, other]) {
    await stranger.open(`/users/${shop.creator.username}`)
    expect(new Set(await statuses(stranger))).toEqual(new Set([403]))
    expect(new Set(await asPictures(stranger, addresses))).toEqual(new Set(['refused']))
    await stranger.close()
  }

  await window.open('/dashboard')
  await page.getByRole('button', { name: 'Log Out' }).first().click()
  await page.getByRole('link', { name: 'Log in' }).first().waitFor()
  await waitUntil(async () => (await statuses(window)).every((status) => status === 403))
  await window.open('/discover')
  expect(new Set(await asPictures(window, addresses))).toEqual(new Set(['refused']))
  await window.close()
})

/** The addresses of every variant that the buyer is handed, and those that their page asked for. */
async function boughtAddresses(buyer: Person, window: Window): Promise<string[]> {
  const recorded = record(window)
  for (const mediaId of [shop.single, shop.inBundle]) await window.open(`/media/${mediaId}`)
  const shown = recorded.addresses.filter((address) => address.includes('/files/media/'))
  expect(shown.length).toBeGreaterThan(1)
  const handed = await window.page.evaluate(
    async ({ mediaIds, token }) => {
      const items = await Promise.all(
        mediaIds.map(async (mediaId) => {
          const answer = await fetch(`/api/media/${mediaId}`, {
            headers: { authorization: `Bearer ${token}` },
          })
          return answer.json()
        }),
      )
      return items as Output<Routes['media']>[]
    },
    { mediaIds: [shop.single, shop.inBundle], token: buyer.token },
  )
  const links = handed.flatMap((media) => [
    media.url ?? '',
    streamOf(media) ?? '',
    ...sourcesOf(media).map(({ url }) => url),
  ])
  return [...new Set([...shown, ...links.filter(Boolean).map((path) => new URL(path, fanfare.origin).href)])]
}

/** What a browser makes of the addresses when a page shows them, its own cache included. */
async function asPictures({ page }: Window, addresses: string[]): Promise<string[]> {
  return page.evaluate(
    (sources) =>
      Promise.all(
        sources.map(
          (source) =>
            new Promise<string>((resolve) => {
              const image = new Image()
              image.onload = () => resolve('shown')
              image.onerror = () => resolve('refused')
              image.src = source
            }),
        ),
      ),
    addresses.filter((address) => address.includes('.webp')),
  )
}
