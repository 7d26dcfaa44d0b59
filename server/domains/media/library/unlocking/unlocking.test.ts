import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import {
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  buildUser,
  type Person,
} from '../../../../testing/builders.ts'
import { cardToken } from '../../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'
import { waitingForLocks } from '../../../../testing/locks.ts'
import { unlockMedia } from './actions.ts'

let harness: Harness
let creator: Person
let operator: Person

beforeAll(async () => {
  harness = await startHarness()
  operator = await buildUser(harness, { role: 'superadmin' })
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
})

const as = (person: Person) => harness.api.as(person)
const unlock = (customer: Person, mediaId: string, reason?: string) =>
  as(operator).call(routes.unlockMedia, { body: { customerId: customer.id, mediaId, reason } })
const buySingle = async (fan: Person, itemId: string) =>
  as(fan).call(routes.purchase, { body: { kind: 'single', itemId, ...(await cardToken(harness)) } })

describe('the list of what can be unlocked', () => {
  it('has a creator’s locked items in their order, by pages, without what the customer has', async () => {
    const fan = await buildFan(harness)
    const locked = [
      await buildMedia(harness, creator, { title: 'First' }),
      await buildMedia(harness, creator, { title: 'Second' }),
      await buildMedia(harness, creator, { title: 'Third' }),
    ]
    await buildMedia(harness, creator, { mustUnlock: false })
    await buildMedia(harness, await buildCreator(harness))
    const list = (query: { limit?: number; cursor?: string | undefined; customerId?: string }) =>
      as(operator).call(routes.unlockableMedia, { query: { creatorId: creator.id, ...query } })
    const first = await list({ limit: 2 })
    const second = await list({ limit: 2, cursor: first.nextCursor ?? undefined })
    expect([...first.items, ...second.items].map(({ _id }) => _id)).toEqual(locked.toReversed())
    expect(second).toMatchObject({ hasMore: false, items: [{ title: 'First' }] })
    await unlock(fan, locked[1] ?? '')
    const left = await list({ customerId: fan.id })
    expect(left.items.map(({ title }) => title)).toEqual(['Third', 'First'])
    expect(JSON.stringify(left)).not.toContain('url')
  })

  it('is for operators who may unlock', async () => {
    const query = { creatorId: creator.id }
    await expect(as(creator).call(routes.unlockableMedia, { query })).rejects.toMatchObject({
      code: 'permission_required',
    })
    const support = await buildUser(harness, { role: 'support' })
    expect((await as(support).call(routes.unlockableMedia, { query })).items).toEqual([])
  })
})

describe('unlocking by the operator', () => {
  const grants = async (person: Person) => {
    return harness.context.db
      .selectFrom('entitlements')
      .leftJoin('entitlement_media', 'entitlement_media.entitlement_id', 'entitlements.id')
      .select(['source_kind', 'media_id', 'revoked_at'])
      .where('entitlements.user_id', '=', person.id)
      .execute()
  }
  const audited = (mediaId: string) =>
    harness.context.db
      .selectFrom('audit_log')
      .select(['actor_id', 'action', 'reason', 'detail'])
      .where('target_id', '=', mediaId)
      .execute()

  it('gives the item for good, wherever media is shown, and says why in the log', async () => {
    const fan = await buildFan(harness)
    const mediaId = await buildMedia(harness, creator)
    const show = () => as(fan).call(routes.media, { params: { mediaId } })
    expect(await show()).toMatchObject({ locked: true, url: null })
    expect(await unlock(fan, mediaId, 'Paid outside')).toEqual({ success: true })
    const api = as(fan)
    const mine = await api.call(routes.media, { params: { mediaId } })
    expect(mine).toMatchObject({ locked: false, owned: true })
    expect((await api.fetch(mine.url ?? '')).status).toBe(200)
    const { items } = await api.call(routes.premiumContent, { query: {} })
    expect(items.map(({ _id }) => _id)).toEqual([mediaId])
    expect(await audited(mediaId)).toEqual([
      {
        actor_id: operator.id,
        action: 'media.unlocked',
        reason: 'Paid outside',
        detail: { customerId: fan.id },
      },
    ])
    await harness.context.db
      .updateTable('entitlements')
      .set({ revoked_at: harness.clock.now() })
      .where('user_id', '=', fan.id)
      .execute()
    expect(await show()).toMatchObject({ locked: true, owned: false, url: null })
    await unlock(fan, mediaId)
    expect(await show()).toMatchObject({ locked: false, owned: true })
  })

  it('refuses what they have already, and gives nothing more', async () => {
    const fan = await buildFan(harness)
    const mediaId = await buildMedia(harness, creator, { showInStore: true })
    await buySingle(fan, mediaId)
    const before = await grants(fan)
    const refusal = {
      status: 409,
      code: 'already_unlocked',
      body: { error: 'Error. User probably has this media already.' },
    }
    await expect(unlock(fan, mediaId)).rejects.toMatchObject(refusal)
    await expect(unlock(creator, mediaId)).rejects.toMatchObject(refusal)
    expect(await grants(fan)).toEqual(before)
    expect(await grants(creator)).toEqual([])
    expect(await audited(mediaId)).toEqual([])
  })

  it('refuses people and items that are not there', async () => {
    const fan = await buildFan(harness)
    const [mediaId, deleted] = [await buildMedia(harness, creator), await buildMedia(harness, creator)]
    await as(creator).call(routes.deleteMedia, { body: { mediaId: deleted } })
    const nobody = { ...fan, id: crypto.randomUUID() }
    await expect(unlock(nobody, mediaId)).rejects.toMatchObject({ status: 404, code: 'user_not_found' })
    for (const id of [deleted, crypto.randomUUID()])
      await expect(unlock(fan, id)).rejects.toMatchObject({ status: 404, code: 'media_not_found' })
    expect(await grants(fan)).toEqual([])
  })

  it('gives for good what a subscription only lends', async () => {
    const fan = await buildFan(harness)
    const mediaId = await buildMedia(harness, creator)
    const itemId = await buildPlan(harness, creator, { mediaIds: [mediaId] })
    const body = { kind: 'subscription' as const, itemId, ...(await cardToken(harness)) }
    await as(fan).call(routes.purchase, { body })
    await unlock(fan, mediaId)
    await harness.context.db
      .updateTable('entitlements')
      .set({ valid_until: harness.clock.now() })
      .where('user_id', '=', fan.id)
      .where('source_kind', '=', 'subscription')
      .execute()
    expect(await as(fan).call(routes.media, { params: { mediaId } })).toMatchObject({ owned: true })
  })

  it('waits for another unlock of the same person, and finds what that gave', async () => {
    const { db, clock } = harness.context
    const fan = await buildFan(harness)
    const mediaId = await buildMedia(harness, creator)
    let second: Promise<unknown> | undefined
    await db.transaction().execute(async (first) => {
      const given = {
        operatorId: operator.id,
        customerId: fan.id,
        mediaId,
        reason: 'Paid outside',
        now: clock.now(),
      }
      await unlockMedia(first, given)
      second = unlock(fan, mediaId).catch((error: unknown) => error)
      await expect.poll(() => waitingForLocks(db)).toBe(1)
    })
    expect(await second).toMatchObject({ code: 'already_unlocked' })
    expect(await grants(fan)).toHaveLength(1)
  })

  it('in parallel gives once', async () => {
    const fan = await buildFan(harness)
    const mediaId = await buildMedia(harness, creator)
    const calls = await Promise.allSettled(Array.from({ length: 10 }, () => unlock(fan, mediaId)))
    expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const call of calls)
      if (call.status === 'rejected') expect(call.reason).toMatchObject({ code: 'already_unlocked' })
    expect(await grants(fan)).toMatchObject([{ source_kind: 'manual', media_id: mediaId }])
    expect(await audited(mediaId)).toHaveLength(1)
  })
})
