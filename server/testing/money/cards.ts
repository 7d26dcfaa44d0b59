import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { routes } from '../../../contract/index.ts'
import type { Checkpoint } from '../../context.ts'
import { buildCreator, buildFan, buildMedia, buildPlan, buildSession, type Person } from '../builders.ts'
import { cardToken, gatewayCaptures, TEST_CARDS } from '../gateway.ts'
import { type Harness, startHarness } from '../harness.ts'

export const MINUTE_MS = 60_000
export const DAY_MS = 24 * 60 * MINUTE_MS
export const MASTERCARD = { cardNumber: '5424000000000015', cardCode: '900' }

type TestCard = { cardNumber: string; cardCode: string }

/** A fan and their stored cards, new for each test of the calling file. */
export function storedCards() {
  let harness: Harness
  const scene = {
    harness: undefined as unknown as Harness,
    fan: undefined as unknown as Person,
    /** The checkpoint at which the process crashes. */
    breakAt: null as Checkpoint | null,
    /** What happens at a named moment. */
    meanwhile: null as [Checkpoint, () => Promise<unknown>] | null,
  }

  beforeAll(async () => {
    harness = await startHarness({
      checkpoint: async (name) => {
        if (name === scene.meanwhile?.[0]) await scene.meanwhile[1]()
        if (name === scene.breakAt) throw new Error('broken down on purpose')
      },
    })
    scene.harness = harness
  })
  afterAll(() => harness?.stop())
  beforeEach(async () => {
    // What other tests left is not due in this one.
    await harness.context.db
      .updateTable('subscriptions')
      .set({ status: 'expired', ended_at: harness.clock.now(), renewal_due_at: null })
      .where('status', 'in', ['active', 'past_due'])
      .execute()
    scene.fan = await buildFan(harness)
  })
  afterEach(() => {
    scene.breakAt = null
    scene.meanwhile = null
  })

  const run = { attempt: 1, lastAttempt: false }
  const renew = () => harness.server.jobs['renewals.charge']({}, run)
  const recover = () => harness.server.jobs['cards.recover']({}, run)
  const forget = () => harness.server.jobs['cards.forget']({}, run)
  const api = async (person = scene.fan) => harness.api.as({ token: await buildSession(harness, person.id) })

  const add = async (
    card: TestCard = TEST_CARDS.approved,
    { key, replaces, person = scene.fan }: { key?: string; replaces?: string; person?: Person } = {},
  ) => {
    const token = await cardToken(harness, card)
    return (await api(person)).send('POST', '/users/cards', {
      body: { ...token, replaces },
      headers: key ? { 'idempotency-key': key } : {},
    })
  }
  const added = async (card?: TestCard, replaces?: string): Promise<string> => {
    const answer = await add(card, replaces ? { replaces } : {})
    expect(answer.status).toBe(200)
    return (answer.body as { card: { _id: string } }).card._id
  }
  const cardsOf = async (person = scene.fan) =>
    (await (await api(person)).call(routes.cards, { query: {} })).items
  const shown = async () => (await cardsOf()).map(({ brand, lastFour }) => `${brand} ${lastFour}`)
  /** The cards that the gateway itself keeps. */
  const kept = async (person = scene.fan): Promise<string[]> => {
    const listed = await harness.context.payments.listCards({ customerId: person.id })
    return listed.kind === 'listed' ? listed.cards.map(({ lastFour }) => lastFour) : ['unavailable']
  }

  /** Buys a subscription by a card; the id of what it unlocks. */
  const subscribes = async (): Promise<string> => {
    const creator = await buildCreator(harness)
    const mediaId = await buildMedia(harness, creator)
    const planId = await buildPlan(harness, creator, { mediaIds: [mediaId], priceCents: 700 })
    const body = { kind: 'subscription' as const, itemId: planId, ...(await cardToken(harness)) }
    await (await api()).call(routes.purchase, { body })
    return mediaId
  }
  const subscription = async () => {
    const { items } = await (await api()).call(routes.ownSubscriptions, { query: {} })
    return items[0]
  }
  /** To the end of the paid month and a minute more. */
  const toRenewal = async (): Promise<void> => {
    const end = new Date((await subscription())?.expiration ?? 0)
    harness.clock.advance(end.getTime() - harness.clock.now().getTime() + MINUTE_MS)
  }
  /** How often the gateway has charged the fan. */
  const charges = async (): Promise<number> => {
    const payments = await harness.context.db
      .selectFrom('payments')
      .select('reference')
      .where('buyer_id', '=', scene.fan.id)
      .execute()
    const captures = await gatewayCaptures(harness)
    const references = new Set(payments.map(({ reference }) => reference))
    return captures.filter(({ invoiceNumber }) => references.has(invoiceNumber)).length
  }

  return Object.assign(scene, {
    ...{ renew, recover, forget, api, add, added, cardsOf, shown, kept },
    ...{ subscribes, subscription, toRenewal, charges },
  })
}
