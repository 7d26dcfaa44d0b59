import { afterAll, beforeAll, expect, it } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { buildCreator, buildFan, buildMedia, buildPlan, type Person } from '../../../../testing/builders.ts'
import { cardToken } from '../../../../testing/gateway.ts'
import { buildGrant, revokeGrant } from '../../../../testing/grants.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'

/** Unlocked items, narrowed to a creator or by words. */
let harness: Harness
let fan: Person
const people: Person[] = []
const items = { harbor: '', hills: '', lent: '', video: '', others: '' }

beforeAll(async () => {
  harness = await startHarness()
  fan = await buildFan(harness)
  for (const username of ['zoe_wide', 'Ada.North', 'mistral'])
    people.push(await buildCreator(harness, { username }))
  const [zoe, ada, mistral] = people as [Person, Person, Person]
  items.harbor = await unlocked(zoe, { title: 'Harbor at 100%' })
  items.hills = await unlocked(zoe, { title: 'Hills and harbor' })
  items.video = await unlocked(ada, { title: 'Harbor walk', type: 'video' })
  await buildMedia(harness, ada, { title: 'Harbor nobody bought' })
  items.lent = await buildMedia(harness, mistral, { title: 'Winter' })
  const plan = await buildPlan(harness, mistral, { mediaIds: [items.lent] })
  await harness.api
    .as(fan)
    .call(routes.purchase, { body: { kind: 'subscription', itemId: plan, ...(await cardToken(harness)) } })
  const other = await buildFan(harness)
  items.others = await buildMedia(harness, zoe, { title: 'Harbor of another' })
  await buildGrant(harness, other, [items.others])
})
afterAll(() => harness?.stop())

async function unlocked(of: Person, options: Parameters<typeof buildMedia>[2]): Promise<string> {
  const id = await buildMedia(harness, of, options)
  harness.clock.advance(1000)
  await buildGrant(harness, fan, [id])
  return id
}

type Query = { creator?: string; search?: string; showing?: 'videos'; limit?: number; cursor?: string }
const list = (query: Query) => harness.api.as(fan).call(routes.premiumContent, { query })
const ids = async (query: Query) => (await list(query)).items.map(({ _id }) => _id)
const creators = async () => (await harness.api.as(fan).call(routes.premiumCreators, { query: {} })).items

it('of one creator is what is theirs, bought or lent, newest first and page by page', async () => {
  expect(await ids({ creator: 'zoe_wide' })).toEqual([items.hills, items.harbor])
  expect(await ids({ creator: 'MISTRAL' })).toEqual([items.lent])
  expect(await ids({ creator: 'unknown' })).toEqual([])
  const first = await list({ creator: 'zoe_wide', limit: 1 })
  expect(first).toMatchObject({ items: [{ _id: items.hills }], hasMore: true })
  const rest = await list({ creator: 'zoe_wide', limit: 1, cursor: first.nextCursor ?? '' })
  expect(rest).toMatchObject({ items: [{ _id: items.harbor }], hasMore: false })
})

it.each<[string, (keyof typeof items)[]]>([
  ['harb', ['video', 'hills', 'harbor']],
  ['HARBOR hills', ['hills']],
  ['harbor zoe', ['hills', 'harbor']],
  ['100%', ['harbor']],
  ['mistral', ['lent']],
  ['wint', ['lent']],
  ['nobody', []],
  ['another', []],
])('by “%s” is what has the words in title or creator’s name', async (search, wanted) => {
  expect(await ids({ search })).toEqual(wanted.map((name) => items[name]))
})

it('by words, kind and creator at once, and in pages', async () => {
  expect(await ids({ search: 'harbor', showing: 'videos' })).toEqual([items.video])
  expect(await ids({ search: 'harbor', creator: 'ada.north' })).toEqual([items.video])
  const first = await list({ search: 'harbor', limit: 2 })
  expect(first).toMatchObject({ items: [{ _id: items.video }, { _id: items.hills }], hasMore: true })
  expect(await ids({ search: 'harbor', limit: 2, cursor: first.nextCursor ?? '' })).toEqual([items.harbor])
})

it('its creators come by their names, without those of whom everything was taken back', async () => {
  const named = () => creators().then((found) => found.map(({ username }) => username))
  expect(await named()).toEqual(['Ada.North', 'mistral', 'zoe_wide'])
  const late = await buildCreator(harness, { username: 'later' })
  const grant = await buildGrant(harness, fan, [await buildMedia(harness, late)])
  expect(await named()).toContain('later')
  await revokeGrant(harness, grant)
  expect(await named()).toEqual(['Ada.North', 'mistral', 'zoe_wide'])
  const stranger = harness.api.as(await buildFan(harness))
  expect((await stranger.call(routes.premiumCreators, { query: {} })).items).toEqual([])
  const foreign = stranger.call(routes.premiumCreators, { query: { userId: fan.id } })
  await expect(foreign).rejects.toMatchObject({ status: 403, code: 'not_yourself' })
})
