import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { NEW_UPLOAD_FLAGS } from '../../../../contract/visibility.ts'
import {
  buildBundle,
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  buildUser,
  type Person,
} from '../../../testing/builders.ts'
import { buildGrant } from '../../../testing/grants.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'

let harness: Harness
let creator: Person
let fan: Person
let operator: Person
let mediaId: string
beforeAll(async () => {
  harness = await startHarness()
  ;[fan, operator] = await Promise.all([buildFan(harness), buildUser(harness, { role: 'superadmin' })])
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  mediaId = await buildMedia(harness, creator, { title: 'Unpublished dunes', published: false })
})

const as = (person: Person) => harness.api.as(person)
const profile = async (api = as(fan)) => {
  const { items } = await api.call(routes.profileMedia, { query: { creatorId: creator.id } })
  return items.map(({ _id }) => _id)
}
const counted = async () => {
  const { photoCount } = await as(fan).call(routes.profileByUsername, {
    params: { username: creator.username },
  })
  return photoCount
}
const knows = (api = as(fan)) =>
  api.call(routes.media, { params: { mediaId } }).then(
    () => true,
    ({ status }) => (status === 404 ? false : status),
  )

test('a new item is known to its owner and the operator alone, wherever one looks', async () => {
  const flags = { ...NEW_UPLOAD_FLAGS, showInSearch: true }
  await as(creator).call(routes.editMedia, { body: { mediaId, title: 'Unpublished dunes', ...flags } })
  for (const api of [as(fan), as(await buildCreator(harness)), harness.api.visitor()]) {
    expect(await profile(api)).toEqual([])
    expect(await knows(api)).toBe(false)
    await expect(api.call(routes.viewMedia, { params: { mediaId } })).rejects.toMatchObject({ status: 404 })
    const { items } = await api.call(routes.search, { query: { query: 'dunes' } })
    expect(items).toEqual([])
  }
  expect(await counted()).toBe(0)
  expect((await fetch(`${harness.origin}/files/preview/${mediaId}`)).status).toBe(404)
  for (const api of [as(creator), as(operator)]) {
    const { items } = await api.call(routes.profileMedia, { query: { creatorId: creator.id } })
    expect(items).toMatchObject([{ _id: mediaId, unpublished: true }])
    expect(await knows(api)).toBe(true)
  }
})

const ways: [string, () => Promise<unknown>][] = [
  ['free', () => edit({ mustUnlock: false })],
  ['in the store', () => edit({ showInStore: true })],
  ['in a bundle', () => buildBundle(harness, creator, { mediaIds: [mediaId] })],
  ['in a subscription', () => buildPlan(harness, creator, { mediaIds: [mediaId] })],
]
const edit = (change: Partial<typeof NEW_UPLOAD_FLAGS>) =>
  as(creator).call(routes.editMedia, {
    body: { mediaId, title: 'Dunes', price: '$4', ...NEW_UPLOAD_FLAGS, ...change },
  })

test.each(ways)('once it was %s everybody knows of it, also after that ended', async (_way, publish) => {
  await publish()
  const { items } = await as(fan).call(routes.profileMedia, { query: { creatorId: creator.id } })
  expect(items.map(({ _id, unpublished }) => ({ _id, unpublished }))).toEqual([{ _id: mediaId }])
  expect(await counted()).toBe(1)
  await edit({})
  expect(await profile()).toEqual([mediaId])
  expect(await knows()).toBe(true)
})

test('what was sent to one person is known to no other, and what is private stays private', async () => {
  const other = await buildFan(harness)
  await buildGrant(harness, fan, [mediaId])
  expect(await knows()).toBe(true)
  expect(await knows(as(other))).toBe(false)
  expect(await profile(as(other))).toEqual([])
  await edit({ mustUnlock: false, directOnly: true })
  expect(await knows(as(other))).toBe(false)
  await edit({ mustUnlock: true })
  expect(await knows(as(other))).toBe(false)
})
