import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { routes } from '../../contract/index.ts'
import type { Checkpoint } from '../context.ts'
import { buildCreator, buildFan, buildSession, buildUser, type Person } from './builders.ts'
import { cardToken } from './gateway.ts'
import { type Harness, startHarness } from './harness.ts'
import { refundPayment } from './refunds.ts'
import { emailsTo } from './security.ts'

/** What is asked for. */
export const WISH = { requestMessage: 'A birthday song for Sam', maxMinutes: 5, pricePerMinute: '$3' }

type Scene = {
  harness: Harness
  /** New for each test, as the two below. */
  creator: Person
  fan: Person
  stranger: Person
  /** Where the process of the next purchase fails. */
  breakAt: Checkpoint | null
}

/** A server for a file of tests of custom requests, its people, and what they do. */
export function customRequests() {
  const scene = { breakAt: null } as Partial<Scene> as Scene
  beforeAll(async () => {
    scene.harness = await startHarness({
      checkpoint: async (name) => {
        if (name === scene.breakAt) throw new Error('broken down on purpose')
      },
    })
  })
  afterAll(() => scene.harness?.stop())
  beforeEach(async () => {
    scene.creator = await buildCreator(scene.harness)
    scene.fan = await buildFan(scene.harness)
    scene.stranger = await buildCreator(scene.harness)
  })

  const as = (person: Person) => scene.harness.api.as(person)

  async function ask(by = scene.fan, of = scene.creator): Promise<string> {
    const { _id } = await as(by).call(routes.createCustomRequest, { body: { ...WISH, creatorId: of.id } })
    return _id
  }

  const accept = (requestId: string, body: object = {}, by = scene.creator) =>
    as(by).send('POST', '/users/customrequest/accept', { body: { requestId, ...body } })
  const decline = (requestId: string, by = scene.creator) =>
    as(by).send('POST', '/users/customrequest/decline', { body: { requestId, reason: 'Not my style' } })
  const remove = (requestId: string, by = scene.fan) =>
    as(by).send('POST', '/users/delete/customrequest', { body: { requestId } })
  const deliver = (requestId: string, mediaIds: string[], by = scene.creator) =>
    as(by).send('POST', '/users/customrequest/deliver', { body: { requestId, mediaIds } })

  async function pay(
    requestId: string,
    { by = scene.fan, ...body }: { by?: Person; price?: string; deliveryDays?: number } = {},
  ) {
    const api = as({ ...by, token: await buildSession(scene.harness, by.id) })
    const card = await cardToken(scene.harness)
    return api.send('POST', '/users/purchase', {
      body: { kind: 'custom', itemId: requestId, ...card, ...body },
    })
  }

  /** A request that is accepted for $20 and paid. */
  async function askAndPay(): Promise<string> {
    const requestId = await ask()
    await accept(requestId, { price: '$20', deliveryDays: 3 })
    expect((await pay(requestId, { price: '$20' })).status).toBe(200)
    return requestId
  }

  async function tip(amount: string) {
    const card = await cardToken(scene.harness)
    const api = as({ ...scene.fan, token: await buildSession(scene.harness, scene.fan.id) })
    return api.send('POST', '/users/purchase', {
      body: { kind: 'tip', itemId: scene.creator.id, amount, ...card },
    })
  }

  /** The conversation as one of the two sees it. */
  async function conversation(by = scene.fan, other = scene.creator, since?: number) {
    const query = { recipientId: other.id, ...(since === undefined ? {} : { since }) }
    return as({ ...by, token: await buildSession(scene.harness, by.id) }).call(routes.messages, { query })
  }

  const cardOf = async (by = scene.fan, other = scene.creator) =>
    (await conversation(by, other)).messages[0]?.customRequest
  const stateOf = async () => (await cardOf())?.state
  const openOf = async (by = scene.fan, other = scene.creator) =>
    (await conversation(by, other)).messages
      .flatMap(({ attachments }) => attachments)
      .filter(({ url }) => url !== null).length

  async function listed(by: Person, query: { isCreator?: 'true'; filterType?: 'all' | 'creators' } = {}) {
    const { body } = await as(by).send('GET', '/users/customs', { query })
    return (body as { items: { _id: string }[] }).items.map(({ _id }) => _id)
  }

  /** The subjects of the emails that somebody received. */
  async function mailsTo({ email }: Person): Promise<string[]> {
    return (await emailsTo(scene.harness, email)).map(({ subject }) => subject.replace(/ · .*/, ''))
  }

  const giveBack = () =>
    scene.harness.server.jobs['custom-requests.refund']({}, { attempt: 1, lastAttempt: false })

  async function refund(orderId: string, amount: string) {
    const operator = await buildUser(scene.harness, { role: 'superadmin' })
    const token = await buildSession(scene.harness, operator.id, {
      reauthenticatedAt: scene.harness.clock.now(),
    })
    return refundPayment(scene.harness.api.as({ token }), { transactionId: orderId, amount })
  }

  return {
    scene,
    as,
    ask,
    accept,
    decline,
    remove,
    deliver,
    pay,
    askAndPay,
    tip,
    conversation,
    cardOf,
    stateOf,
    openOf,
    listed,
    mailsTo,
    giveBack,
    refund,
  }
}
