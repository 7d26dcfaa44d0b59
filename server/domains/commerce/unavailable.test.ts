import { expect, test } from 'vitest'
import { routes } from '../../../contract/index.ts'
import { buildMedia, buildPlan, type Person } from '../../testing/builders.ts'
import { customRequests } from '../../testing/custom-requests.ts'
import { cardToken } from '../../testing/gateway.ts'

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
