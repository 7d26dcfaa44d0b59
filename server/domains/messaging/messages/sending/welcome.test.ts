import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { buildCreator, buildFan, buildOffer, buildPlan, type Person } from '../../../../testing/builders.ts'
import { conversation } from '../../../../testing/chat.ts'
import { cardToken } from '../../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'

let harness: Harness
let creator: Person

beforeAll(async () => {
  harness = await startHarness()
  creator = await buildCreator(harness)
  const body = { audience: 'everyone' as const, welcomeMessage: 'So glad you’re here!' }
  await harness.api.as(creator).call(routes.setChatSettings, { body })
})
afterAll(() => harness?.stop())

async function subscribe(fan: Person, of = creator): Promise<string> {
  const itemId = await buildPlan(harness, of)
  const body = { kind: 'subscription' as const, itemId, ...(await cardToken(harness)) }
  await harness.api.as(fan).call(routes.purchase, { body })
  const { id } = await harness.context.db
    .selectFrom('subscriptions')
    .select('id')
    .where('fan_id', '=', fan.id)
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow()
  return id
}
const texts = async (fan: Person, of = creator) =>
  (await conversation(harness, fan, of)).messages.map(({ content }) => content)
const welcomes = async (subscriptionId: string) =>
  harness.server.jobs['messages.welcome']({ subscriptionId }, { attempt: 1, lastAttempt: false })

test('a new subscriber is welcomed once, however often they subscribe or the job runs', async () => {
  const fan = await buildFan(harness)
  const first = await subscribe(fan)
  await harness.runJobs()
  const second = await subscribe(fan)
  for (const id of [first, second, first]) await welcomes(id)
  expect(await texts(fan)).toEqual(['So glad you’re here!'])
})

test('a welcome alone does not let who gets it answer past the creator’s setting', async () => {
  const careful = await buildCreator(harness)
  const fan = await buildFan(harness)
  const body = { audience: 'chat' as const, welcomeMessage: 'Hello' }
  await harness.api.as(careful).call(routes.setChatSettings, { body })
  await subscribe(fan, careful)
  await harness.runJobs()
  const { messages, refusal } = await conversation(harness, fan, careful)
  expect(messages).toHaveLength(1)
  expect(refusal).toMatchObject({ code: 'chat_subscribers_only' })
})

test('who redeems a free trial is welcomed as well', async () => {
  const fan = await buildFan(harness)
  const offerId = await buildOffer(harness, creator, { type: 'freeTrial' })
  await harness.api.as(fan).call(routes.redeemOffer, { body: { offerId } })
  await harness.runJobs()
  expect(await texts(fan)).toEqual(['So glad you’re here!'])
})

test('nothing is sent where the creator wrote no welcome, or to somebody who blocked them', async () => {
  const silent = await buildCreator(harness)
  const fan = await buildFan(harness)
  await welcomes(await subscribe(fan, silent))
  expect(await texts(fan, silent)).toEqual([])
  const careful = await buildFan(harness)
  await harness.context.db
    .insertInto('blocks')
    .values({ blocker_id: careful.id, blocked_id: silent.id, created_at: harness.clock.now() })
    .execute()
  const body = { audience: 'everyone' as const, welcomeMessage: 'Hello' }
  await harness.api.as(silent).call(routes.setChatSettings, { body })
  const { id } = await harness.context.db
    .selectFrom('subscriptions')
    .select('id')
    .where('fan_id', '=', fan.id)
    .executeTakeFirstOrThrow()
  await harness.context.db
    .updateTable('subscriptions')
    .set({ fan_id: careful.id })
    .where('id', '=', id)
    .execute()
  await welcomes(id)
  const sent = await harness.context.db
    .selectFrom('messages')
    .select('id')
    .where('sender_id', '=', silent.id)
    .execute()
  expect(sent).toEqual([])
})
