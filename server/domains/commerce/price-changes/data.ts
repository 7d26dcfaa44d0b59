import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/client.ts'
import { agreedLast } from '../renewals/data.ts'
import { offeredTerms } from '../subscriptions/data.ts'
import type { PlanPrices } from '../subscriptions/rules.ts'

/** The subscriptions to a plan that renew, held until the transaction ends: charges come before it or after it. */
export async function lockRenewing(db: Tx, planId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select('id')
    .where('plan_id', '=', planId)
    .where('status', 'in', ['active', 'past_due'])
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

/** What a plan costs, until the transaction ends: edits come before it or after it. */
export async function holdPrices(db: Tx, planId: string): Promise<PlanPrices> {
  const plan = db.selectFrom('subscription_plans').where('id', '=', planId)
  await plan.select('id').forShare().execute()
  return plan.select(['price_cents', offeredTerms(sql`subscription_plans.id`)]).executeTakeFirstOrThrow()
}

/**
 * These subscribers' current prices, and the last agreed ones, also for later periods; the caller has locked them.
 */
export function listPaying(db: Tx, subscriptionIds: string[]) {
  return db
    .selectFrom('subscriptions')
    .leftJoinLateral(agreedLast, (join) => join.onTrue())
    .select(['subscriptions.id', 'subscriptions.months', 'subscriptions.price_cents'])
    .select(['ahead.months as nextMonths', 'ahead.price_cents as nextCents'])
    .where('subscriptions.id', '=', sql<string>`any(${subscriptionIds}::uuid[])`)
    .execute()
}

/** The open price change of a plan with how many agreed, declined, have yet to answer, and left without an answer; undefined without one. */
export function findOpenChange(db: Db, planId: string) {
  return db
    .selectFrom('price_changes as change')
    .innerJoin('price_change_notices as notice', 'notice.change_id', 'change.id')
    .innerJoin('subscriptions', 'subscriptions.id', 'notice.subscription_id')
    .select(['change.price_cents', 'change.created_at'])
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('notice.agreed_at', 'is not', null).as('agreed'),
      fn.countAll<number>().filterWhere('notice.declined_at', 'is not', null).as('declined'),
      fn
        .countAll<number>()
        .filterWhere('notice.agreed_at', 'is', null)
        .filterWhere('notice.declined_at', 'is', null)
        .filterWhere('subscriptions.status', 'in', ['active', 'past_due'])
        .as('waiting'),
      fn
        .countAll<number>()
        .filterWhere('notice.agreed_at', 'is', null)
        .filterWhere('notice.declined_at', 'is', null)
        .filterWhere('subscriptions.status', 'in', ['canceled', 'expired'])
        .as('left'),
    ])
    .where('change.plan_id', '=', planId)
    .where('change.closed_at', 'is', null)
    .groupBy('change.id')
    .executeTakeFirst()
}
