import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { buildCreator, buildMedia, buildUser, type Person } from '../../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'
import { waitingForLocks } from '../../../../testing/locks.ts'
import { reorderMedia } from './actions.ts'

let harness: Harness
let creator: Person

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
})

/** So many items of the creator; returns them in the order of the library, newest first. */
async function fill(count: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into media (creator_id, type, title, width, height, thumbhash, variants, bytes, created_at)
    select ${creator.id}, 'image', 'T', 1, 1, 'x', '[]', 0, ${harness.clock.now()}::timestamptz - make_interval(secs => n)
    from generate_series(1, ${count}::int) n returning id`.execute(harness.context.db)
  return rows.map(({ id }) => id)
}

const move = (mediaId: string, beforeMediaId: string | null, person = creator) =>
  harness.api.as(person).call(routes.reorderMedia, { body: { mediaId, beforeMediaId } })

/** The whole library page by page. */
async function library(limit = 60): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await harness.api.as(creator).call(routes.manageMedia, { query: { limit, cursor } })
    ids.push(...page.items.map(({ _id }) => _id))
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return ids
}

const placed = (ids: string[], mediaId: string, beforeMediaId: string | null): string[] => {
  const others = ids.filter((id) => id !== mediaId)
  const at = beforeMediaId === null ? others.length : others.indexOf(beforeMediaId)
  return others.toSpliced(at, 0, mediaId)
}

describe('moving an item', () => {
  it('puts it right before another one, first, last, or where it is already', async () => {
    const [a = '', b = '', c = '', d = ''] = await fill(4)
    for (const [mediaId, before, expected] of [
      [d, b, [a, d, b, c]],
      [c, a, [c, a, d, b]],
      [c, null, [a, d, b, c]],
      [d, b, [a, d, b, c]],
      [a, a, [a, d, b, c]],
      [c, null, [a, d, b, c]],
    ] as const) {
      await move(mediaId, before)
      expect(await library()).toEqual(expected)
    }
  })

  it('follows any sequence of moves, page by page', async () => {
    const step = fc.tuple(fc.nat({ max: 5 }), fc.option(fc.nat({ max: 5 })))
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        creator = await buildCreator(harness)
        let expected = await fill(6)
        for (const [which, before] of steps) {
          const mediaId = expected[which] ?? ''
          const beforeMediaId = before === null ? null : (expected[before] ?? null)
          await move(mediaId, beforeMediaId)
          if (mediaId !== beforeMediaId) expected = placed(expected, mediaId, beforeMediaId)
        }
        expect(await library(2)).toEqual(expected)
      }),
      { numRuns: 10 },
    )
  })

  it('is seen on profile and in the pickers, and what is uploaded later still comes first', async () => {
    const [a = '', b = ''] = await fill(2)
    await move(b, a)
    const later = await buildMedia(harness, creator)
    const expected = [later, b, a]
    const query = { creatorId: creator.id }
    const api = harness.api.as(creator)
    for (const route of [routes.profileMedia, routes.subscriptionMediaPicker, routes.bundleMediaPicker]) {
      const { items } = await api.call(route, { query })
      expect(items.map(({ _id }) => _id)).toEqual(expected)
    }
    await api.call(routes.bulkEditMedia, { body: { mediaIds: expected, showInStore: true } })
    const { items } = await api.call(routes.purchasableMedia, { query })
    expect(items.map(({ _id }) => _id)).toEqual(expected)
  })

  it('finds room between items of the same moment', async () => {
    const ids = await fill(5)
    await sql`update media set rank = 1 where creator_id = ${creator.id}`.execute(harness.context.db)
    const before = await library()
    expect(before.toSorted()).toEqual(ids.toSorted())
    await move(before[4] ?? '', before[1] ?? '')
    expect(await library()).toEqual(placed(before, before[4] ?? '', before[1] ?? ''))
  })

  it('finds room however often the same gap is moved into, and its cursors stay short', async () => {
    const [top = '', ...rest] = await fill(3)
    let expected = [top, ...rest]
    for (let n = 0; n < 70; n++) {
      const [, second = '', third = ''] = expected
      await move(third, second)
      expected = placed(expected, third, second)
    }
    expect(await library(1)).toEqual(expected)
    const { rows } = await sql<{ places: number }>`
      select max(scale(rank)) as places from media where creator_id = ${creator.id}`.execute(
      harness.context.db,
    )
    expect(rows[0]?.places).toBeLessThanOrEqual(60)
  })

  it('keeps the place of what is deleted and restored', async () => {
    const [a = '', b = '', c = '', d = ''] = await fill(4)
    const api = harness.api.as(creator)
    await api.call(routes.deleteMedia, { body: { mediaId: b } })
    await sql`update media set rank = 1 where id in (${c}, ${d})`.execute(harness.context.db)
    const [third = '', fourth = ''] = (await library()).slice(1)
    await move(fourth, third)
    await api.call(routes.restoreMedia, { body: { mediaIds: [b] } })
    expect(await library()).toEqual([a, b, fourth, third])
  })

  it.each([
    ['another’s item', (own: string, foreign: string) => [foreign, own]],
    ['to before another’s item', (own: string, foreign: string) => [own, foreign]],
    ['an item that is not there', (own: string) => [crypto.randomUUID(), own]],
  ])('refuses %s and moves nothing', async (_, named) => {
    const foreign = await buildMedia(harness, await buildCreator(harness))
    const ids = await fill(2)
    const [mediaId = '', before = ''] = named(ids[1] ?? '', foreign)
    const operator = await buildUser(harness, { role: 'superadmin' })
    for (const person of [creator, operator])
      await expect(move(mediaId, before, person)).rejects.toMatchObject({
        status: 404,
        code: 'media_not_found',
      })
    expect(await library()).toEqual(ids)
  })

  it('refuses what is deleted', async () => {
    const [a = '', b = '', c = ''] = await fill(3)
    await harness.api.as(creator).call(routes.deleteMedia, { body: { mediaId: b } })
    for (const [mediaId, before] of [
      [b, a],
      [c, b],
    ] as const)
      await expect(move(mediaId, before)).rejects.toMatchObject({ code: 'media_not_found' })
    expect(await library()).toEqual([a, c])
  })
})

it('a move waits for another one of the same library, and sees where that went', async () => {
  const { db, clock } = harness.context
  const [a = '', b = '', c = '', d = ''] = await fill(4)
  let second: Promise<unknown> | undefined
  await db.transaction().execute(async (first) => {
    await reorderMedia(first, creator.id, { mediaId: d, beforeMediaId: b }, clock.now())
    second = move(c, b)
    await expect.poll(() => waitingForLocks(db)).toBe(1)
  })
  await second
  expect(await library()).toEqual([a, d, c, b])
})

it('20 parallel moves leave every item once, each somewhere of its own', async () => {
  const ids = await fill(12)
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      // Half of them want to be before the same item.
      move(ids[(n * 5) % 12] ?? '', n % 4 === 3 ? null : (ids[n % 2 ? 0 : (n * 7) % 12] ?? null)),
    ),
  )
  const after = await library(5)
  expect(after.toSorted()).toEqual(ids.toSorted())
  const { rows } = await sql<{ ranks: number }>`
    select count(distinct rank) as ranks from media where creator_id = ${creator.id}`.execute(
    harness.context.db,
  )
  expect(rows[0]?.ranks).toBe(12)
})

it('moves while others edit and delete, and nothing is lost', async () => {
  const ids = await fill(10)
  await sql`update media set rank = 1 where creator_id = ${creator.id}`.execute(harness.context.db)
  const api = harness.api.as(creator)
  const [deleted = ''] = ids.slice(8)
  const calls = await Promise.allSettled([
    ...ids.slice(0, 6).map((id, n) => move(id, ids[9 - n] ?? null)),
    ...['$1', '$2', '$3'].map((price) =>
      api.call(routes.bulkEditMedia, { body: { mediaIds: ids.toReversed(), price } }),
    ),
    api.call(routes.deleteMedia, { body: { mediaId: deleted } }),
  ])
  for (const call of calls)
    if (call.status === 'rejected') expect(call.reason).toMatchObject({ code: 'media_not_found' })
  expect((await library()).toSorted()).toEqual(ids.filter((id) => id !== deleted).toSorted())
})
