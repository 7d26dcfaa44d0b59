import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { MAX_SHARED_CODES } from '../../../../contract/constants.ts'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, buildFan, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'

let harness: Harness
let manager: Person
let partner: Person
let stranger: Person

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  manager = await buildCreator(harness)
  partner = await buildCreator(harness)
  stranger = await buildCreator(harness)
})

const api = (person: Person) => harness.api.as(person)
const create = (participants: Person[] = [partner], by = manager) =>
  api(by).call(routes.createSharedCode, {
    body: { title: 'Team', participantIds: participants.map(({ id }) => id) },
  })
const edit = (by: Person, sharedRefId: string, participants: Person[], title = 'Team') =>
  api(by).call(routes.editSharedCode, {
    body: { sharedRefId, title, participantIds: participants.map(({ id }) => id) },
  })
const codesOf = async (person: Person) => (await api(person).call(routes.sharedCodes, { query: {} })).items
const toldOf = async (person: Person) =>
  (await api(person).call(routes.notifications, { query: {} })).items.map(({ event }) => event)

test('whoever makes a code comes first; its people see it and are told, nobody else is', async () => {
  const code = await create([partner, manager])
  expect(code).toMatchObject({
    title: 'Team',
    participantIds: [manager.id, partner.id],
    participants: [{ username: manager.username }, { username: partner.username }],
    lastUpdateBy: { username: manager.username },
    signUps: 0,
  })
  expect(code.referralCode).toMatch(/^[0-9a-z]{10}$/)
  for (const person of [manager, partner]) expect(await codesOf(person)).toEqual([code])
  expect(await codesOf(stranger)).toEqual([])
  expect(await toldOf(partner)).toMatchObject([
    { kind: 'shared-code.changed', data: { state: 'added', title: 'Team', from: manager.username } },
  ])
  expect(await toldOf(manager)).toEqual([])
})

test('only who manages a code changes it; the others can leave, and a stranger finds nothing', async () => {
  const { _id } = await create()
  await expect(edit(stranger, _id, [stranger])).rejects.toMatchObject({ code: 'shared_code_not_found' })
  for (const [participants, title] of [
    [[manager, partner], 'Mine'],
    [[partner], 'Team'],
    [[manager, partner, stranger], 'Team'],
    [[manager], 'Mine'],
  ] as const)
    await expect(edit(partner, _id, [...participants], title)).rejects.toMatchObject({
      code: 'shared_code_not_yours',
    })
  expect(await codesOf(manager)).toMatchObject([{ title: 'Team', participantIds: [manager.id, partner.id] }])
  expect(await edit(partner, _id, [manager])).toEqual({ item: null })
  expect(await codesOf(partner)).toEqual([])
  expect(await codesOf(manager)).toMatchObject([
    { participantIds: [manager.id], lastUpdateBy: { username: partner.username } },
  ])
})

test('the manager adds, takes out, and by leaving passes it on; the last one stays', async () => {
  const { _id } = await create()
  expect(await edit(manager, _id, [stranger, manager], 'Duo')).toMatchObject({
    item: { title: 'Duo', participantIds: [manager.id, stranger.id] },
  })
  expect(await toldOf(partner)).toMatchObject([{ data: { state: 'removed' } }, { data: { state: 'added' } }])
  expect(await edit(manager, _id, [stranger], 'Duo')).toEqual({ item: null })
  expect(await edit(stranger, _id, [stranger, partner], 'Ours')).toMatchObject({ item: { title: 'Ours' } })
  await edit(partner, _id, [stranger], 'Ours')
  await expect(edit(stranger, _id, [], 'Ours')).rejects.toMatchObject({ code: 'shared_code_empty' })
  expect(await codesOf(stranger)).toMatchObject([{ title: 'Ours', participantIds: [stranger.id] }])
})

test('nobody is added who can’t be reached, and then nothing is made', async () => {
  await api(partner).call(routes.block, { body: { blockedId: manager.id } })
  await expect(create()).rejects.toMatchObject({ code: 'user_not_found' })
  const fan = await buildFan(harness)
  // A fan finds only those whose profile is shown to them.
  await expect(create([await buildFan(harness)], fan)).rejects.toMatchObject({ code: 'user_not_found' })
  expect(await codesOf(manager)).toEqual([])
  expect(await codesOf(fan)).toEqual([])
  expect(await toldOf(partner)).toEqual([])
})

test('two who are added at once are both there, and the last of the codes is made once', async () => {
  const { _id } = await create([])
  await Promise.all([edit(manager, _id, [manager, partner]), edit(manager, _id, [manager, stranger])])
  expect((await codesOf(manager))[0]?.participantIds).toHaveLength(2)
  const { db, clock } = harness.context
  const now = clock.now()
  for (let left = MAX_SHARED_CODES - 2; left > 0; left--) {
    const { id } = await db
      .insertInto('shared_codes')
      .values({
        code: crypto.randomUUID(),
        title: 'Team',
        updated_by: manager.id,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('shared_code_participants')
      .values({ code_id: id, user_id: manager.id, place: 0 })
      .execute()
  }
  const made = await Promise.allSettled([create([]), create([])])
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(create([])).rejects.toMatchObject({ code: 'too_many_shared_codes' })
  expect(await codesOf(manager)).toHaveLength(MAX_SHARED_CODES)
})

test('a code says whose it is, without those whom the viewer can’t reach', async () => {
  const { referralCode } = await create()
  const asked = (person: Person) =>
    api(person).call(routes.referrer, { params: { code: referralCode.toUpperCase() } })
  expect(await asked(stranger)).toEqual({ username: manager.username, others: 1 })
  await api(manager).call(routes.block, { body: { blockedId: stranger.id } })
  expect(await asked(stranger)).toEqual({ username: partner.username, others: 1 })
  await api(partner).call(routes.block, { body: { blockedId: stranger.id } })
  await expect(asked(stranger)).rejects.toMatchObject({ code: 'user_not_found' })
})
