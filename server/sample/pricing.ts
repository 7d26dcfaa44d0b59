import { LONGER_TERMS, PRICE_NOTICE_DAYS } from '../../contract/subscriptions.ts'
import type { Tx } from '../db/client.ts'
import { sampleId, termsVersionAt } from './content.ts'
import { CREATORS } from './people.ts'

const DAY_MS = 24 * 3600 * 1000
/** The discounts of the first creator's longer terms, in percent. */
const DISCOUNTS = { 3: 10, 6: 15, 12: 25 } as const
/** How much more the second creator asks of subscribers, in cents. */
const RAISE_CENTS = 150

/** One creator who sells longer terms, and one whose subscribers are asked for a higher price; every other one agreed. */
export async function insertPricing(db: Tx, now: Date): Promise<void> {
  const [withTerms, raising] = CREATORS
  if (!withTerms || !raising) return
  const planOf = ({ username }: { username: string }) => sampleId(`${username} plan`)
  await db
    .insertInto('subscription_plan_terms')
    .values(
      LONGER_TERMS.map((months) => ({
        plan_id: planOf(withTerms),
        months,
        discount_percent: DISCOUNTS[months],
      })),
    )
    .execute()
  const askedAt = new Date(now.getTime() - 2 * DAY_MS)
  const price_cents = raising.plan.priceCents + RAISE_CENTS
  await db.updateTable('subscription_plans').set({ price_cents }).where('id', '=', planOf(raising)).execute()
  const { id: changeId } = await db
    .insertInto('price_changes')
    .values({ plan_id: planOf(raising), price_cents, created_at: askedAt })
    .returning('id')
    .executeTakeFirstOrThrow()
  const subscribers = await db
    .selectFrom('subscriptions')
    .select('id')
    .where('plan_id', '=', planOf(raising))
    .where('status', '=', 'active')
    .orderBy('created_at')
    .execute()
  const from = new Date(askedAt.getTime() + PRICE_NOTICE_DAYS * DAY_MS)
  for (const [index, { id }] of subscribers.entries())
    await ask(db, {
      ...{ changeId, subscriptionId: id, price_cents, askedAt, from },
      agreedAt: index % 2 === 1 ? now : null,
    })
}

async function ask(
  db: Tx,
  asked: {
    changeId: string
    subscriptionId: string
    price_cents: number
    askedAt: Date
    from: Date
    agreedAt: Date | null
  },
): Promise<void> {
  const { changeId, subscriptionId, price_cents, askedAt, from, agreedAt } = asked
  const terms = { subscription_id: subscriptionId, months: 1 as const, price_cents, effective_from: from }
  await db
    .insertInto('price_change_notices')
    .values({ change_id: changeId, ...terms, told_at: askedAt, agreed_at: agreedAt })
    .execute()
  if (agreedAt === null) return
  await db
    .insertInto('subscription_agreements')
    .values({
      ...terms,
      price_change_id: changeId,
      terms_version: termsVersionAt(agreedAt),
      consented_at: agreedAt,
      created_at: agreedAt,
    })
    .execute()
}
