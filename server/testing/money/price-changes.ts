import { afterAll, beforeAll, beforeEach } from 'vitest'
import { routes } from '../../../contract/index.ts'
import type { TermMonths } from '../../../contract/subscriptions.ts'
import { periodEnd } from '../../domains/commerce/subscriptions/rules.ts'
import { buildCreator, buildFan, buildMedia, buildPlan, buildSession, type Person } from '../builders.ts'
import { cardToken, gatewayCaptures, gatewayThatIsDown, planFault } from '../gateway.ts'
import { type Harness, startHarness } from '../harness.ts'
import { emailsTo } from '../security.ts'

export const MINUTE_MS = 60_000
export const DAY_MS = 24 * 60 * MINUTE_MS

type Edit = { askSubscribers?: boolean; title?: string; terms?: { months: 3; discountPercent: number }[] }

/** A creator who changes the price of a plan of $10, and its fan, new for each test of the calling file. */
export function priceChanges() {
  let harness: Harness
  const scene = {
    harness: undefined as unknown as Harness,
    creator: undefined as unknown as Person,
    fan: undefined as unknown as Person,
    planId: '',
    /** What happens between the gateway's answer to a renewal and its record. */
    meanwhile: null as (() => Promise<unknown>) | null,
    /** What happens before the capture of a renewal is committed. */
    beforeCommit: null as (() => Promise<unknown>) | null,
  }
  let mediaId: string

  beforeAll(async () => {
    harness = await startHarness({
      checkpoint: async (name) => {
        if (name === 'renewal.gateway-answered') await scene.meanwhile?.()
        if (name === 'purchase.before-capture-commit') await scene.beforeCommit?.()
      },
    })
    scene.harness = harness
  })
  afterAll(() => harness?.stop())
  beforeEach(async () => {
    scene.meanwhile = null
    scene.beforeCommit = null
    inDays(20)
    await renew()
    scene.creator = await buildCreator(harness)
    scene.fan = await buildFan(harness)
    mediaId = await buildMedia(harness, scene.creator)
    scene.planId = await buildPlan(harness, scene.creator, { mediaIds: [mediaId], priceCents: 1000 })
  })

  const api = async (person = scene.fan) => harness.api.as({ token: await buildSession(harness, person.id) })
  const run = { attempt: 1, lastAttempt: false }
  const renew = () => harness.server.jobs['renewals.charge']({}, run)
  const remind = () => harness.server.jobs['renewals.remind']({}, run)
  const recover = () => harness.server.jobs['purchases.recover']({}, run)
  const moveTo = (moment: Date) => harness.clock.advance(moment.getTime() - harness.clock.now().getTime())
  const justAfter = (moment: Date) => moveTo(new Date(moment.getTime() + MINUTE_MS))
  const inDays = (days: number) => moveTo(new Date(harness.clock.now().getTime() + days * DAY_MS))

  const saves = async (price: string, more: Edit = {}) => {
    const body = {
      subscriptionId: scene.planId,
      title: 'All',
      price,
      chatEnabled: false,
      mediaIds: [mediaId],
    }
    return (await api(scene.creator)).call(routes.editSubscription, { body: { ...body, ...more } })
  }
  /** Saves a price, and everybody is told who is to be. */
  const edits = async (...edit: Parameters<typeof saves>) => {
    await saves(...edit)
    await harness.runJobs()
  }
  const asks = (price: string) => edits(price, { askSubscribers: true })
  const answers = async () =>
    (await api(scene.creator)).call(routes.priceChange, { params: { id: scene.planId } })

  /** When the subscription that is bought now began. */
  const subscribes = async (months: TermMonths = 1): Promise<Date> => {
    const body = { kind: 'subscription' as const, itemId: scene.planId, months }
    await (await api()).call(routes.purchase, { body: { ...body, ...(await cardToken(harness)) } })
    return new Date((await own()).startedAt)
  }
  const own = async (showing: 'current' | 'ended' = 'current') => {
    const { items } = await (await api()).call(routes.ownSubscriptions, { query: { showing } })
    if (!items[0]) throw new Error('no subscription')
    return items[0]
  }
  const says = async (agree: boolean, price: string) => {
    const { _id: subscriptionId } = await own()
    return (await api()).call(routes.answerPriceChange, { body: { subscriptionId, agree, price } })
  }
  const paid = async () =>
    (await (await api()).call(routes.receipts, { query: {} })).items.map(({ amount }) => amount)
  const subjects = async () => (await emailsTo(harness, scene.fan.email)).map(({ subject }) => subject)

  /** Subscribes, agrees to $15, and is charged it for the first time, with all this prepared. */
  const isChargedTheNewPrice = async (prepare: () => Promise<unknown>): Promise<void> => {
    const start = await subscribes()
    await asks('$15')
    await says(true, '$15')
    const on = new Date((await own()).priceChange?.on ?? 0)
    for (let period = 1; periodEnd(start, period) < on; period++) {
      justAfter(periodEnd(start, period))
      await renew()
    }
    await isChargedAt(on, prepare)
  }
  /** The renewal at this end is charged, with all this prepared, and none that other tests left due. */
  const isChargedAt = async (end: Date, prepare: () => Promise<unknown>): Promise<void> => {
    moveTo(new Date(end.getTime() - MINUTE_MS))
    await renew()
    await prepare()
    justAfter(end)
    await renew()
  }
  const isDeclined = () => planFault(harness, { call: 'createTransactionRequest', effect: 'declined' })
  /** What is due at this end can't be sent, as the gateway is down. */
  const isUnreachableAt = async (end: Date): Promise<void> => {
    const gateway = harness.context.payments
    await isChargedAt(end, async () => {
      harness.context.payments = gatewayThatIsDown(harness)
    })
    harness.context.payments = gateway
  }
  /** The renewal at this end is charged, but the gateway shows nothing of it until it was called not made. */
  const isChargedUnseenAt = async (end: Date): Promise<void> => {
    const gateway = harness.context.payments
    harness.context.payments = { ...gateway, lookup: async () => ({ kind: 'absent' }) }
    await isChargedAt(end, () =>
      planFault(harness, { call: 'createTransactionRequest', effect: 'resetAfter' }),
    )
    harness.clock.advance(16 * MINUTE_MS)
    for (let looks = 0; looks < 3; looks++) await recover()
    harness.context.payments = gateway
  }
  /** How each attempt to charge the fan ended, and how many of these charges the gateway has. */
  const attempts = async () => {
    const rows = await harness.context.db
      .selectFrom('payments')
      .select(['status', 'reference'])
      .where('buyer_id', '=', scene.fan.id)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    const references = new Set(rows.map(({ reference }) => reference))
    const captures = (await gatewayCaptures(harness)).filter((charge) => references.has(charge.invoiceNumber))
    return { statuses: rows.map(({ status }) => status), captures: captures.length }
  }

  return Object.assign(scene, {
    ...{ api, run, renew, remind, recover, moveTo, justAfter, inDays, saves, edits, asks, answers },
    ...{ subscribes, own, says, paid, subjects, isChargedTheNewPrice, isChargedAt, isDeclined },
    ...{ isUnreachableAt, isChargedUnseenAt, attempts },
  })
}
