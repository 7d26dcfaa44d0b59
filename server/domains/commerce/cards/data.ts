import { sql } from 'kysely'
import type { SubscriptionStatus } from '../../../../contract/subscriptions.ts'
import type { Db, Tx } from '../../../db/client.ts'
import {
  askedPrice,
  isBlocked,
  lacksConsent,
  listPastDue,
  type OwnSubscriptionRow,
} from '../renewals/data.ts'
import { owedNow } from '../renewals/rules.ts'

/** Subscriptions that another period is charged for, or may be once they are resumed. */
export const CHARGED_STATUSES: SubscriptionStatus[] = ['active', 'past_due', 'canceled']

/** A card that can be charged: not removed, and of the money of this installation. */
export const isUsable = sql<boolean>`removed_at is null and livemode = installation_livemode()`

export type CardRow = Awaited<ReturnType<typeof listCards>>[number]

/** A person's cards, the last used first. */
export function listCards(db: Db, userId: string) {
  return db
    .selectFrom('stored_cards')
    .select(['id', 'brand', 'last_four', 'expires', 'created_at'])
    .where('user_id', '=', userId)
    .where(isUsable)
    .orderBy('used_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export type RenewedByCard = Awaited<ReturnType<typeof listRenewedByCard>>[number]

/**
 * A person's subscriptions that are charged to a card, without those that end by a block, a deleted plan, or a price that
 * wasn't agreed to. Those of a suspended creator stay, as they renew once that is over.
 */
export function listRenewedByCard(db: Db, userId: string) {
  return db
    .selectFrom('subscriptions')
    .leftJoinLateral(askedPrice, (join) => join.onTrue())
    .innerJoin('subscription_plans as plan', 'plan.id', 'subscriptions.plan_id')
    .innerJoin('users as creator', 'creator.id', 'subscriptions.creator_id')
    .select(['subscriptions.id', 'stored_card_id', 'plan.title', 'subscriptions.creator_id'])
    .select([
      'creator.username as creatorUsername',
      'creator.hidden_at as creatorHiddenAt',
      'creator.deletion_requested_at as creatorLeavingSince',
    ])
    .where('fan_id', '=', userId)
    .where('subscriptions.status', 'in', ['active', 'past_due'])
    .where('stored_card_id', 'is not', null)
    .where('plan.deleted_at', 'is', null)
    .where(sql<boolean>`not ${isBlocked.expression}`)
    .where(sql<boolean>`not ${lacksConsent.expression}`)
    .orderBy('subscriptions.created_at')
    .orderBy('subscriptions.id')
    .execute()
}

export type LockedCard = NonNullable<Awaited<ReturnType<typeof lockCard>>>

/** One card of this person that can be charged, held so until the transaction ends. */
export function lockCard(db: Tx, userId: string, cardId: string) {
  return db
    .selectFrom('stored_cards')
    .select(['id', 'customer_profile_id', 'payment_profile_id', 'expires'])
    .where('id', '=', cardId)
    .where('user_id', '=', userId)
    .where(isUsable)
    .forShare()
    .executeTakeFirst()
}

/**
 * The ids of a person's stored cards that are the one that paid, locked until the transaction ends: found by its id,
 * or by its number if it was typed or stored again since.
 */
export async function lockSameCards(
  db: Tx,
  userId: string,
  paid: { storedCardId: string | null; brand: string | null; lastFour: string | null },
): Promise<string[]> {
  const rows = await db
    .selectFrom('stored_cards')
    .select('id')
    .where('user_id', '=', userId)
    .where(isUsable)
    .where((eb) =>
      eb.or([
        eb('id', '=', paid.storedCardId),
        eb.and([eb('brand', '=', paid.brand ?? ''), eb('last_four', '=', paid.lastFour ?? '')]),
      ]),
    )
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

/** What a card for renewals is charged for at once. */
export async function listOwed(db: Db, userId: string, now: Date) {
  return owedOfEach(await listPastDue(db, userId), now)
}

function owedOfEach(rows: OwnSubscriptionRow[], now: Date) {
  return rows.flatMap((row) => {
    const owed = owedNow(row, now)
    return owed ? [{ id: row.id, planId: row.plan_id, title: row.title, cents: owed.cents }] : []
  })
}

/** What a person owes by plan, in cents, and the plans of which a payment is still undecided; nothing for null. */
export async function findOwed(db: Db, userId: string | null, now: Date) {
  const rows = userId === null ? [] : await listPastDue(db, userId)
  return {
    owed: new Map(owedOfEach(rows, now).map(({ planId, cents }) => [planId, cents])),
    undecided: new Set(rows.filter(({ isUndecided }) => isUndecided).map((row) => row.plan_id)),
  }
}
