import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { sourcesOf } from '../../../../contract/media-links.ts'
import { buildCreator, buildFan, buildMedia, type Person } from '../../../testing/builders.ts'
import { buildGrant } from '../../../testing/grants.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { storeFiles } from '../../../testing/media-files.ts'
import { beginNoon } from '../../../testing/schedule.ts'

const DAY_MS = 24 * 3600 * 1000

let harness: Harness
let creator: Person
let fan: Person
let locked: string
let free: string

beforeAll(async () => {
  harness = await startHarness()
  beginNoon(harness)
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
  locked = await buildMedia(harness, creator)
  free = await buildMedia(harness, creator, { mustUnlock: false })
  for (const mediaId of [locked, free])
    await storeFiles(harness, mediaId, [
      { name: 'w320.webp', mime: 'image/webp', body: Buffer.from('a picture'), width: 320 },
    ])
  await buildGrant(harness, fan, [locked])
})
afterAll(() => harness?.stop())

/** Looks at an item as its page shows it; answers whether its picture came. */
async function looksAt(person: Person, mediaId: string): Promise<boolean> {
  const api = harness.api.as(person)
  const media = await api.call(routes.media, { params: { mediaId } })
  const response = await api.fetch(sourcesOf(media)[0]?.url ?? '/files/nothing')
  await response.arrayBuffer()
  return response.ok
}

const written = () =>
  harness.context.db
    .selectFrom('media_deliveries')
    .select(['user_id', 'media_id', 'first_at', 'last_at', 'days', 'first_network'])
    .execute()

test('what is locked is written down once a day for who bought it, and nothing else is', async () => {
  const first = harness.clock.now()
  for (let time = 0; time < 3; time++) expect(await looksAt(fan, locked)).toBe(true)
  expect(await looksAt(creator, locked)).toBe(true)
  expect(await looksAt(fan, free)).toBe(true)
  expect(await looksAt(await buildFan(harness), locked)).toBe(false)
  const [row, ...others] = await written()
  expect(others).toEqual([])
  expect(row).toMatchObject({ user_id: fan.id, media_id: locked, days: 1, first_network: '127.0.0.0/24' })
  harness.clock.advance(DAY_MS)
  expect(await looksAt(fan, locked)).toBe(true)
  const [later] = await written()
  expect(later?.days).toBe(2)
  expect(later?.first_at.getTime()).toBeGreaterThanOrEqual(first.getTime())
  expect(later?.last_at.getTime()).toBeGreaterThan(first.getTime() + DAY_MS - 1)
})

test('it is forgotten when no dispute can be about it anymore', async () => {
  await looksAt(fan, locked)
  harness.clock.advance(539 * DAY_MS)
  await harness.server.jobs['media.sweep']({}, { attempt: 1, lastAttempt: false })
  expect(await written()).toHaveLength(1)
  harness.clock.advance(2 * DAY_MS)
  await harness.server.jobs['media.sweep']({}, { attempt: 1, lastAttempt: false })
  expect(await written()).toEqual([])
})
