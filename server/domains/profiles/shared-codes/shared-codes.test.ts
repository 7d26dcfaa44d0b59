import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { MAX_SHARED_CODE_INVITATIONS, MAX_SHARED_CODES } from '../../../../contract/constants.ts'
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
/** Sent a minute after the page was loaded. */
async function edit(
  by: Person,
  sharedRefId: string,
  participants: Person[],
  { title = 'Team', lastUpdateAt = '' } = {},
) {
  const [code] = (await codesOf(by)).filter(({ _id }) => _id === sharedRefId)
  harness.clock.advance(60_000)
  const body = {
    ...{
      sharedRefId,
      title,
      lastUpdateAt: lastUpdateAt || (code?.lastUpdateAt ?? new Date(0).toISOString()),
    },
    participantIds: participants.map(({ id }) => id),
  }
  return api(by).call(routes.editSharedCode, { body })
}
const answer = (by: Person, sharedRefId: string, how: 'accept' | 'leave') => {
  harness.clock.advance(60_000)
  const route = how === 'accept' ? routes.acceptSharedCode : routes.leaveSharedCode
  return api(by).call(route, { body: { sharedRefId } })
}
const list = async (person: Person, query: object) =>
  (await api(person).call(routes.sharedCodes, { query })).items
const codesOf = (person: Person) => list(person, {})
const invitationsOf = (person: Person) => list(person, { showing: 'invitations' })
const toldOf = async (person: Person) =>
  (await api(person).call(routes.notifications, { query: {} })).items.map(({ event }) => event)

test('whoever makes a code comes first; who is invited takes part once they accept, and nobody else sees it', async () => {
  const code = await create([partner, manager])
  expect(code).toMatchObject({
    title: 'Team',
    participantIds: [manager.id, partner.id],
    participants: [{ username: manager.username }, { username: partner.username, accepted: false }],
    lastUpdateBy: { username: manager.username },
    ...{ others: 0, manages: true, accepted: true, signUps: 0 },
  })
  expect(code.referralCode).toMatch(/^[0-9a-z]{10}$/)
  expect(await codesOf(partner)).toEqual([])
  expect(await invitationsOf(partner)).toEqual([{ ...code, manages: false, accepted: false }])
  const sharers = async () =>
    (await api(stranger).call(routes.referrer, { params: { code: code.referralCode } })).others
  expect(await sharers()).toBe(0)
  await answer(partner, code._id, 'accept')
  expect(await invitationsOf(partner)).toEqual([])
  for (const person of [manager, partner])
    expect(await codesOf(person)).toMatchObject([
      { _id: code._id, participants: [{ accepted: true }, { accepted: true }] },
    ])
  expect(await sharers()).toBe(1)
  expect(await codesOf(stranger)).toEqual([])
  const told = await toldOf(partner)
  expect(told).toMatchObject([
    { kind: 'shared-code.changed', data: { state: 'invited', from: manager.username } },
  ])
  expect(JSON.stringify(told)).not.toContain('Team')
  expect(await toldOf(manager)).toEqual([])
  await expect(answer(partner, code._id, 'accept')).rejects.toMatchObject({ code: 'shared_code_not_found' })
})

test('only who manages a code changes it; the others can leave, and a stranger finds nothing', async () => {
  const { _id } = await create()
  for (const attempt of [
    () => edit(stranger, _id, [stranger]),
    () => answer(stranger, _id, 'accept'),
    () => answer(stranger, _id, 'leave'),
  ])
    await expect(attempt()).rejects.toMatchObject({ code: 'shared_code_not_found' })
  await answer(partner, _id, 'accept')
  for (const participants of [[partner], [manager, partner, stranger], [manager]])
    await expect(edit(partner, _id, participants)).rejects.toMatchObject({ code: 'shared_code_not_yours' })
  await answer(partner, _id, 'leave')
  expect(await codesOf(partner)).toEqual([])
  expect(await codesOf(manager)).toMatchObject([
    { participantIds: [manager.id], lastUpdateBy: { username: partner.username } },
  ])
})

test('the manager invites, takes out, and by leaving passes it on; the last one stays', async () => {
  const { _id } = await create()
  await answer(partner, _id, 'accept')
  expect(await edit(manager, _id, [stranger], { title: 'Duo' })).toMatchObject({
    item: { title: 'Duo', participantIds: [manager.id, stranger.id] },
  })
  expect(await toldOf(partner)).toMatchObject([
    { data: { state: 'removed' } },
    { data: { state: 'invited' } },
  ])
  // Somebody who is only invited can't be left as the last one.
  await expect(answer(manager, _id, 'leave')).rejects.toMatchObject({ code: 'shared_code_empty' })
  await answer(stranger, _id, 'accept')
  await answer(manager, _id, 'leave')
  expect(await edit(stranger, _id, [partner], { title: 'Ours' })).toMatchObject({
    item: { title: 'Ours', manages: true },
  })
  await answer(partner, _id, 'leave')
  await expect(answer(stranger, _id, 'leave')).rejects.toMatchObject({ code: 'shared_code_empty' })
  expect(await codesOf(stranger)).toMatchObject([{ title: 'Ours', participantIds: [stranger.id] }])
})

test('a page from before somebody left brings nobody back, and a stale page can still leave', async () => {
  const { _id } = await create([partner, stranger])
  await answer(partner, _id, 'accept')
  await answer(stranger, _id, 'accept')
  const [{ lastUpdateAt } = { lastUpdateAt: '' }] = await codesOf(manager)
  await answer(partner, _id, 'leave')
  await expect(edit(manager, _id, [partner, stranger], { lastUpdateAt })).rejects.toMatchObject({
    code: 'shared_code_changed',
  })
  await edit(manager, _id, [stranger], { title: 'Renamed' })
  await answer(stranger, _id, 'leave')
  expect(await codesOf(manager)).toMatchObject([{ title: 'Renamed', participantIds: [manager.id] }])
})

test('strangers can’t fill a person’s codes: invitations are apart, few, and every code is found by paging', async () => {
  const own = await create([], partner)
  const makers = await Promise.all(
    Array.from({ length: Math.ceil(MAX_SHARED_CODE_INVITATIONS / 4) }, () => buildCreator(harness)),
  )
  for (const maker of makers) for (let left = 4; left > 0; left--) await create([partner], maker)
  await expect(create()).rejects.toMatchObject({ code: 'too_many_invitations' })
  expect(await codesOf(partner)).toMatchObject([{ _id: own._id }])
  const first = await api(partner).call(routes.sharedCodes, { query: { showing: 'invitations', limit: 15 } })
  const rest = await list(partner, { showing: 'invitations', limit: 15, cursor: first.nextCursor })
  expect(first.items.length + rest.length).toBe(MAX_SHARED_CODE_INVITATIONS)
  await answer(partner, rest[0]?._id ?? '', 'leave')
  await create()
})

test('who shares a code is shown only to those who may see them, and stays when its manager saves', async () => {
  const fan = await buildFan(harness)
  const { _id } = await create([fan, partner])
  for (const person of [fan, partner]) await answer(person, _id, 'accept')
  const seen = async (person: Person) => {
    const [code] = await codesOf(person)
    return { ids: code?.participantIds, others: code?.others }
  }
  // A private person is known to the creator who typed their name, and to nobody else.
  expect(await seen(manager)).toEqual({ ids: [manager.id, fan.id, partner.id], others: 0 })
  expect(await seen(partner)).toEqual({ ids: [manager.id, partner.id], others: 1 })
  expect(JSON.stringify(await codesOf(partner))).not.toContain(fan.username)
  await api(partner).call(routes.block, { body: { blockedId: fan.id } })
  expect(await seen(fan)).toEqual({ ids: [manager.id, fan.id], others: 1 })
  await api(partner).call(routes.block, { body: { blockedId: manager.id } })
  await edit(manager, _id, [fan], { title: 'Still' })
  expect(await codesOf(partner)).toMatchObject([{ title: 'Still', accepted: true }])
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

test('of two edits at once one counts, and the last of the codes is made once', async () => {
  const { _id } = await create([])
  const lastUpdateAt = (await codesOf(manager))[0]?.lastUpdateAt ?? ''
  const edits = await Promise.allSettled(
    [partner, stranger].map((person) => edit(manager, _id, [person], { lastUpdateAt })),
  )
  expect(edits.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
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
      .values({ code_id: id, user_id: manager.id, place: 0, accepted_at: now })
      .execute()
  }
  const made = await Promise.allSettled([create([]), create([])])
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(create([])).rejects.toMatchObject({ code: 'too_many_shared_codes' })
  expect(await list(manager, { limit: 60 })).toHaveLength(MAX_SHARED_CODES)
})

test('a code says whose it is, without those whom the viewer can’t reach', async () => {
  const { referralCode, _id } = await create()
  await answer(partner, _id, 'accept')
  const asked = (person: Person) =>
    api(person).call(routes.referrer, { params: { code: referralCode.toUpperCase() } })
  expect(await asked(stranger)).toEqual({ username: manager.username, others: 1 })
  await api(manager).call(routes.block, { body: { blockedId: stranger.id } })
  expect(await asked(stranger)).toEqual({ username: partner.username, others: 1 })
  await api(partner).call(routes.block, { body: { blockedId: stranger.id } })
  await expect(asked(stranger)).rejects.toMatchObject({ code: 'user_not_found' })
})
