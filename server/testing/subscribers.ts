import { routes } from '../../contract/index.ts'
import { buildCreator, buildFan, buildMedia, buildPlan, buildSession, type Person } from './builders.ts'
import { cardToken, gatewayCaptures } from './gateway.ts'
import type { Harness } from './harness.ts'
import { emailsTo } from './security.ts'

/** A creator with a plan of $7 that holds one item, a fan who follows them, and what the two can do. */
export type Scene = Awaited<ReturnType<typeof buildScene>>

export async function buildScene(harness: Harness) {
  const creator = await buildCreator(harness)
  const fan = await buildFan(harness)
  const mediaId = await buildMedia(harness, creator)
  const planId = await buildPlan(harness, creator, { title: 'Patrons', mediaIds: [mediaId], priceCents: 700 })
  const api = async (person: Person) => harness.api.as({ token: await buildSession(harness, person.id) })
  const ids = (subscriber: Person) => ({ subscriberId: subscriber.id, subscriptionId: planId })
  const follows = async (person: Person) =>
    (await api(person)).call(routes.toggleFollow, { body: { followingId: creator.id } })
  const subscriptions = (person = fan) =>
    harness.context.db
      .selectFrom('subscriptions')
      .selectAll()
      .where('fan_id', '=', person.id)
      .orderBy('created_at')
      .execute()
  await follows(fan)
  return {
    ...{ creator, fan, mediaId, planId, api, ids, follows, subscriptions },
    pays: async (person = fan) =>
      (await api(person)).call(routes.purchase, {
        body: { kind: 'subscription', itemId: planId, ...(await cardToken(harness)) },
      }),
    giveDays: async (days: number, { by = creator, to = fan } = {}) =>
      (await api(by)).call(routes.giveFreeDays, { body: { ...ids(to), creatorId: creator.id, days } }),
    extend: async (months: 1 | 2 | 3, { by = creator, to = fan } = {}) =>
      (await api(by)).call(routes.extendSubscription, { body: { ...ids(to), months } }),
    list: async (query: { search?: string; showing?: 'ended'; userId?: string } = {}, by = creator) =>
      (await api(by)).call(routes.subscribers, { query }),
    isLocked: async () => (await (await api(fan)).call(routes.media, { params: { mediaId } })).locked,
    /** What a person was mailed, less the receipt of a first period. */
    subjects: async (person = fan) =>
      (await emailsTo(harness, person.email))
        .filter(({ text }) => !text.includes('It renews'))
        .map(({ subject }) => subject),
    async subscription() {
      const last = (await subscriptions()).at(-1)
      if (!last) throw new Error('nobody subscribed')
      return last
    },
    /** The paid periods, and how often the gateway charged this fan. */
    async charged() {
      const rows = await harness.context.db
        .selectFrom('orders')
        .innerJoin('payments', 'payments.order_id', 'orders.id')
        .select(['period', 'reference', 'payments.status'])
        .where('orders.buyer_id', '=', fan.id)
        .orderBy('period')
        .execute()
      const references = new Set(rows.map(({ reference }) => reference))
      const captures = await gatewayCaptures(harness)
      return {
        periods: rows.filter(({ status }) => status === 'captured').map(({ period }) => period),
        captures: captures.filter(({ invoiceNumber }) => references.has(invoiceNumber)).length,
      }
    },
  }
}

/** What `charged` answers once so many periods were paid once each. */
export const once = (periods: number) => ({
  periods: Array.from({ length: periods }, (_, index) => index + 1),
  captures: periods,
})
