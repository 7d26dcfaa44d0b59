import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { routes } from '../../../contract/index.ts'
import { up as tellAnew } from '../../db/migrations/0141-told-of-creators.ts'
import { buildMedia, buildPlan, type Person } from '../../testing/builders.ts'
import { customRequests } from '../../testing/custom-requests.ts'
import { cardToken } from '../../testing/gateway.ts'
import { tell } from '../../testing/mails/telling.ts'
import { emailsTo } from '../../testing/security.ts'
import { tellOfCreator } from '../../testing/told.ts'

const { scene, askAndPay, deliver, tip } = customRequests()

const change = ({ id }: Person, set: object) =>
  scene.harness.context.db.updateTable('users').set(set).where('id', '=', id).execute()
const suspended = () => ({ suspended_at: scene.harness.clock.now(), suspension_reason: 'Stolen pictures' })
const RESTORED = { suspended_at: null, suspension_reason: null, deletion_requested_at: null }

/** The other person of each subscription and payment, and the titles beside them, as somebody has them listed. */
async function namesFor(person: Person) {
  const api = scene.harness.api.as(person)
  const [own, yours, receipts, cards, transactions] = await Promise.all([
    api.call(routes.ownSubscriptions, { query: {} }),
    api.call(routes.yourSubscriptions, { query: {} }),
    api.call(routes.receipts, { query: {} }),
    api.call(routes.cards, { query: {} }),
    api.call(routes.transactions, { query: {} }),
  ])
  const renewed = cards.items.flatMap(({ renews }) => renews)
  return {
    names: new Set([
      ...[...own.items, ...yours.items, ...renewed, ...receipts.items].map(({ creator }) => creator.username),
      ...transactions.items.map(({ creatorId }) => creatorId.username),
    ]),
    titles: new Set(
      [...own.items, ...renewed, ...receipts.items, ...transactions.items].map(({ title }) => title),
    ),
  }
}

test('a buyer can tell what they paid for and has it, while its creator is suspended: an unavailable account, no deleted one', async () => {
  const { harness, creator, fan } = scene
  const planId = await buildPlan(harness, creator, { title: 'Patrons' })
  const body = { kind: 'subscription' as const, itemId: planId, ...(await cardToken(harness)) }
  await harness.api.as(fan).call(routes.purchase, { body }, { idempotencyKey: crypto.randomUUID() })
  const requestId = await askAndPay()
  const mediaId = await buildMedia(harness, creator, { title: 'A song' })
  expect((await deliver(requestId, [mediaId])).status).toBe(200)
  const before = await namesFor(fan)
  expect([...before.names]).toEqual([creator.username])

  await change(creator, suspended())
  const meanwhile = await namesFor(fan)
  expect([...meanwhile.names]).toEqual(['Unavailable account'])
  expect(meanwhile.titles).toEqual(before.titles)
  const { items } = await harness.api.as(fan).call(routes.premiumContent, { query: {} })
  expect(items.find(({ _id }) => _id === mediaId)?.url).toEqual(expect.any(String))

  await change(creator, { deletion_requested_at: harness.clock.now() })
  expect([...(await namesFor(fan)).names]).toEqual(['Deleted User'])
  await change(creator, RESTORED)
  expect(await namesFor(fan)).toEqual(before)
})

test('a creator sees a suspended fan as unavailable, too', async () => {
  const { harness, creator, fan } = scene
  await buildPlan(harness, creator, { title: 'Patrons' })
  await tip('$5')
  await change(fan, suspended())
  const api = harness.api.as(creator)
  const { items } = await api.call(routes.transactions, { query: {} })
  expect(items.map(({ buyerId }) => buyerId.username)).toEqual(['Unavailable account'])
})

/** What an account was told, as one text, and how many of these kinds it was told of. */
async function toldTo(person: Person, kinds: string[]) {
  const { items } = await scene.harness.api.as(person).call(routes.notifications, { query: {} })
  const told = items.filter(({ event }) => kinds.includes(event.kind))
  return { count: told.length, text: JSON.stringify(told) }
}

test('a fan keeps what they were told of a creator who is suspended or apart by a block, without name or id', async () => {
  const { harness, creator, fan } = scene
  const kinds = await tellOfCreator(harness, { person: fan, creator, title: 'Patrons' })
  const all = (text: unknown) => ({ count: kinds.length, text })
  const named = all(expect.stringContaining(creator.username))
  const nameless = all(expect.not.stringMatching(new RegExp(`${creator.username}|"creatorId":"`)))
  expect(await toldTo(fan, kinds)).toEqual(named)

  await change(creator, suspended())
  expect(await toldTo(fan, kinds)).toEqual(nameless)
  await change(creator, RESTORED)
  expect(await toldTo(fan, kinds)).toEqual(named)
  const block = (by: Person, blockedId: string) =>
    harness.api.as(by).call(routes.block, { body: { blockedId } })
  await block(creator, fan.id)
  expect(await toldTo(fan, kinds)).toEqual(nameless)
  await harness.api.as(creator).call(routes.unblock, { body: { blockedId: fan.id } })
  await block(fan, creator.id)
  expect(await toldTo(fan, kinds)).toEqual(nameless)
})

test('what is mailed of a creator who blocked the fan meanwhile has no name of them', async () => {
  const { harness, creator, fan } = scene
  const kinds = await tellOfCreator(harness, { person: fan, creator, title: 'Patrons' })
  await harness.api.as(creator).call(routes.block, { body: { blockedId: fan.id } })
  const mails = await emailsTo(harness, fan.email)
  expect(mails).toHaveLength(kinds.length)
  expect(JSON.stringify(mails)).not.toContain(creator.username)
})

test('what was told before it had the id of its creator is the creator’s all the same, also after another name', async () => {
  const { harness, creator, fan } = scene
  const planId = await buildPlan(harness, creator, { title: 'Patrons' })
  const body = { kind: 'subscription' as const, itemId: planId, ...(await cardToken(harness)) }
  await harness.api.as(fan).call(routes.purchase, { body }, { idempotencyKey: crypto.randomUUID() })
  const { id } = await harness.context.db
    .selectFrom('subscriptions')
    .select('id')
    .where('fan_id', '=', fan.id)
    .executeTakeFirstOrThrow()
  const kinds = await tellOfCreator(harness, { person: fan, creator, title: 'Patrons' })
  const told = harness.context.db
    .updateTable('notifications')
    .where('user_id', '=', fan.id)
    .where('kind', 'in', kinds)
  await told.set({ actor_id: null, data: sql`data - 'creatorId'` }).execute()
  await told
    .where('kind', '=', 'creator.leaving')
    .set({ once_key: `creator.leaving ${creator.id} 2030-01-01` })
    .execute()
  await told
    .where('kind', '=', 'subscription.ended')
    .set({ once_key: `subscription.ended ${id}` })
    .execute()
  const strange = {
    creator: 'of-nobody',
    creatorId: null,
    title: 'Never sold',
    until: '2030-01-01',
    renews: true,
  }
  await tell(harness, { kind: 'subscription.extended', person: fan.id, data: strange })
  await change(creator, { username: `${creator.username}x` })

  await harness.context.db.transaction().execute((tx) => tellAnew(tx as unknown as Kysely<unknown>))
  const { count, text } = await toldTo(fan, kinds)
  expect([count, text.split(`${creator.username}x`).length - 1]).toEqual([kinds.length + 1, kinds.length])
  expect(text).not.toContain('of-nobody')
  await change(creator, suspended())
  expect((await toldTo(fan, kinds)).text).not.toContain(creator.username)
})
