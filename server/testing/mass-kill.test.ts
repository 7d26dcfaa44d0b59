import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../contract/index.ts'
import { buildFollowed } from './audiences.ts'
import { buildMedia } from './builders.ts'
import { type Harness, startHarness } from './harness.ts'
import { FROM_OUTSIDE, prepareVictims, type Victims } from './victims.ts'

const PEOPLE = Number(process.env.MASS_PEOPLE ?? 2000)
const KILLS = Number(process.env.MASS_KILLS ?? 2)

let harness: Harness
let victims: Victims
beforeAll(async () => {
  harness = await startHarness()
  victims = await prepareVictims(harness)
})
afterAll(async () => {
  await victims?.dispose()
  await harness?.stop()
})

test(`a mass message to ${PEOPLE} whose worker is killed ${KILLS} times reaches each of them once`, async () => {
  const { creator, followerIds } = await buildFollowed(harness, PEOPLE)
  const mediaId = await buildMedia(harness, creator)
  const api = harness.api.as(creator)
  const body = { content: 'To everybody', audience: 'followers' as const, mediaIds: [mediaId] }
  const { _id: massMessageId } = await api.call(routes.saveMassMessage, { body })
  const shown = async () => (await api.call(routes.massMessages, { query: {} })).items[0]
  let reached = 0
  await harness.context.db.transaction().execute(async (holding) => {
    // None finishes before it is killed: each waits for the last recipient, whose row is locked.
    const [last = ''] = followerIds.toSorted()
    await holding.selectFrom('users').select('id').where('id', '=', last).forUpdate().execute()
    for (let kill = 1; kill <= KILLS; kill++) {
      const victim = victims.start({ ...FROM_OUTSIDE, massMessageId })
      await victim.address
      // Somewhere in a batch or between two, at another moment each time.
      await wait(kill * 37)
      victim.kill()
      await victim.ended
      const sent = (await shown())?.sent ?? 0
      expect(sent).toBeGreaterThanOrEqual(reached)
      reached = sent
    }
  })
  expect(reached).toBeLessThan(PEOPLE)
  const last = [1, 2].map(() => victims.start({ ...FROM_OUTSIDE, massMessageId }))
  expect(await Promise.all(last.map(({ ended }) => ended))).toEqual([null, null])
  expect(await shown()).toMatchObject({ status: 'sent', sent: PEOPLE, expected: PEOPLE })
  const got = await harness.context.db
    .selectFrom('messages')
    .innerJoin('conversation_members as me', 'me.conversation_id', 'messages.conversation_id')
    .innerJoin('entitlements', 'entitlements.source_id', 'messages.id')
    .select(['me.user_id', 'me.unread'])
    .where('mass_message_id', '=', massMessageId)
    .whereRef('me.user_id', '=', 'entitlements.user_id')
    .execute()
  expect(got.map(({ user_id }) => user_id).sort()).toEqual(followerIds.toSorted())
  expect(got.every(({ unread }) => unread === 1)).toBe(true)
}, 600_000)
