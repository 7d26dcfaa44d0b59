import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../db/client.ts'
import { after, ahead, type PageRequest, positionOf, skipOf, timeAndId } from '../../../db/cursor.ts'
import type { PayoutStatus } from '../../../db/tables/commerce/payouts.ts'
import { others } from '../../identity/roles/data.ts'
import { changedBy } from '../bank-details/rules.ts'
import { findBalances, findDuePending } from '../ledger/data.ts'
import { findingsSince } from '../reconciliation/data.ts'
import { askAgainSince, OPEN, UNPAID } from './rules.ts'

export type PayoutRow = Awaited<ReturnType<typeof listPayouts>>[number]

export type AnyPayoutRow = Awaited<ReturnType<typeof listAllPayouts>>[number]

/** A person's payouts, newest first, one row more than the page holds. */
export function listPayouts(db: Db, userId: string, page: PageRequest) {
  return pageOf(payoutsOf(db), page).where('payouts.user_id', '=', userId).execute()
}

/** An operator's entry about a payout; moments as JSON has them. */
export type Recovery = {
  status: 'failed' | 'returned'
  at: string
  reason: string
  cents: number
  operatorId: string
  operatorUsername: string
  operatorLeavingSince: string | null
}

/**
 * Everybody's payouts, those that wait, the longest first, or all as `listPayouts`, with what is said to have come back of whom
 * they are of, and whether it was this operator who said so.
 */
export function listAllPayouts(
  db: Db,
  { actorId, showing, page }: { actorId: string; showing: 'open' | 'all'; page: PageRequest },
) {
  const isOpen = showing === 'open'
  let rows = (isOpen ? pageOfOldest : pageOf)(payoutsOf(db), page)
    .leftJoinLateral(
      () =>
        recoveries(db)
          .innerJoin('users as operator', 'operator.id', 'said.actor_id')
          .where(sql<boolean>`earlier.user_id = payouts.user_id and payouts.status = 'requested'`)
          .select(
            sql<Recovery[] | null>`json_agg(json_build_object('status', said.status, 'at', said.occurred_at,
              'reason', said.reason, 'cents', earlier.amount_cents, 'operatorId', operator.id,
              'operatorUsername', operator.username, 'operatorLeavingSince', operator.deletion_requested_at)
              order by said.occurred_at desc)`.as('recovered'),
          )
          .as('recovered'),
      (join) => join.onTrue(),
    )
    .select('recovered')
    .select(
      sql<boolean>`case when payouts.status = 'requested' then ${isRecovery(db, actorId)} else false end`.as(
        'isRecovery',
      ),
    )
    .select((eb) =>
      eb
        .selectFrom('ledger_balances')
        .innerJoin('ledger_accounts', 'ledger_accounts.id', 'account_id')
        .whereRef('ledger_accounts.user_id', '=', 'payouts.user_id')
        .where('kind', 'in', ['creator_available', 'referrer_available'])
        .where('ledger_accounts.livemode', '=', sql<boolean>`installation_livemode()`)
        .select(sql<number | null>`sum(balance_cents)::bigint`.as('cents'))
        .as('availableCents'),
    )
  if (isOpen) rows = rows.where('payouts.status', 'in', OPEN)
  return rows.execute()
}

/**
 * Operators' entries about payouts that failed or came back, of people for whom nobody else has approved one since.
 */
function recoveries(db: Db) {
  return db
    .selectFrom('payout_events as said')
    .innerJoin('payouts as earlier', 'earlier.id', 'said.payout_id')
    .where('said.status', 'in', ['failed', 'returned'])
    .where('earlier.livemode', '=', sql<boolean>`installation_livemode()`)
    .where(
      sql<boolean>`not exists (
        select from payouts as later join payout_events as approval on approval.payout_id = later.id
        where later.user_id = earlier.user_id and approval.status = 'approved'
          and approval.actor_id <> said.actor_id and approval.occurred_at > said.occurred_at)`,
    )
}

/** The operators who said so of payouts of that person. */
export async function findRecoverers(db: Db, userId: string): Promise<string[]> {
  const rows = await recoveries(db)
    .select('said.actor_id')
    .distinct()
    .where('earlier.user_id', '=', userId)
    .execute()
  return rows.flatMap(({ actor_id }) => actor_id ?? [])
}

/** Whether it is this operator who said so of a payout of the person whom `payouts` is of, and somebody else could approve it. */
function isRecovery(db: Db, operatorId: string) {
  const recoverers = recoveries(db)
    .select('said.actor_id')
    .where(sql<boolean>`earlier.user_id = payouts.user_id`)
    .where('said.actor_id', 'is not', null)
  const besides = sql`array(${recoverers}) || payouts.user_id`
  return sql<boolean>`(${operatorId} in (${recoverers}) and exists (${others(db, 'payouts.approve', besides)}))`
}

/** When payouts were requested that wait for this operator's decision, as nobody else has to approve them. */
export function payoutsToApprove(db: Db, operatorId: string) {
  return db
    .selectFrom('payouts')
    .innerJoin('users as payee', 'payee.id', 'user_id')
    .select('requested_at as since')
    .where('payouts.status', '=', 'requested')
    .where('user_id', '<>', operatorId)
    .where('payee.suspended_at', 'is', null)
    .where('payouts.livemode', '=', sql<boolean>`installation_livemode()`)
    .where((eb) => eb.not(isRecovery(db, operatorId)))
}

function pageOf(payouts: ReturnType<typeof payoutsOf>, page: PageRequest) {
  const { cursor } = page
  const rows = payouts
    .orderBy('requested_at', 'desc')
    .orderBy('payouts.id', 'desc')
    .limit(page.limit + 1)
    .offset(skipOf(page))
  if (cursor === undefined) return rows
  return rows.where((eb) => after(cursor, eb.ref('requested_at'), eb.ref('payouts.id')))
}

function pageOfOldest(payouts: ReturnType<typeof payoutsOf>, page: PageRequest) {
  const { cursor } = page
  const rows = payouts
    .orderBy('requested_at')
    .orderBy('payouts.id')
    .limit(page.limit + 1)
    .offset(skipOf(page))
  if (cursor === undefined) return rows
  return rows.where((eb) => ahead(timeAndId(cursor), eb.ref('requested_at'), eb.ref('payouts.id')))
}

/** One payout as it now stands; throws where there is none. */
export function payoutRow(db: Db, payoutId: string) {
  return payoutsOf(db).where('payouts.id', '=', payoutId).executeTakeFirstOrThrow()
}

function payoutsOf(db: Db) {
  return db
    .selectFrom('payouts')
    .innerJoin('users', 'users.id', 'user_id')
    .leftJoin('bank_details', 'bank_details.user_id', 'payouts.user_id')
    .innerJoin('payout_events', (join) =>
      join.onRef('payout_id', '=', 'payouts.id').onRef('payout_events.status', '=', 'payouts.status'),
    )
    .select(['payouts.id', 'amount_cents', 'payouts.status', 'requested_at', 'payouts.changed_at', 'reason'])
    .select(['payouts.user_id', 'username', 'suspended_at', 'deletion_requested_at'])
    .select(['bank_details.last_four as bankLastFour', 'bank_details.changed_at as bankChangedAt'])
    .select((eb) => sql<string>`${positionOf(eb.ref('requested_at'), eb.ref('payouts.id'))}`.as('position'))
    .select(findingsSince.as('findingsSince'))
    .where('payouts.livemode', '=', sql<boolean>`installation_livemode()`)
}

/** Whether a payout of the person that this names is open, or ended unpaid so late that they can still ask for it again; as SQL. */
export function needsAccount(user: RawBuilder<unknown>, now: Date) {
  return sql<boolean>`exists (
    select from payouts where user_id = ${user} and livemode = installation_livemode()
      and (status in (${sql.join(OPEN)}) or status in (${sql.join(UNPAID)}) and changed_at > ${askAgainSince(now)}))`
}

/** A person's earnings in cents, by where they are; a share that is due counts as available. */
export async function findBalance(db: Db, userId: string, now: Date) {
  const kept = await findBalances(db, userId)
  const due = (await findDuePending(db, userId, now)).reduce((sum, { cents }) => sum + cents, 0)
  const { onTheWay, paidOut } = await db
    .selectFrom('payouts')
    .where('user_id', '=', userId)
    .where('livemode', '=', sql<boolean>`installation_livemode()`)
    .select((eb) => [
      eb.fn.coalesce(sumOf(OPEN), eb.lit(0)).as('onTheWay'),
      eb.fn.coalesce(sumOf(['paid']), eb.lit(0)).as('paidOut'),
    ])
    .executeTakeFirstOrThrow()
  return {
    pending: (kept.creator_pending ?? 0) + (kept.referrer_pending ?? 0) - due,
    available: (kept.creator_available ?? 0) + (kept.referrer_available ?? 0) + due,
    reserved: (kept.creator_reserve ?? 0) + (kept.referrer_reserve ?? 0),
    onTheWay,
    paidOut,
  }
}

const sumOf = (statuses: readonly PayoutStatus[]) =>
  sql<number>`(sum(amount_cents) filter (where status in (${sql.join(statuses)})))::bigint`

/** The approved payouts of who isn't suspended and has bank details that can be paid to now. */
export function payoutsForBank(db: Db, now: Date) {
  return db
    .selectFrom('payouts')
    .innerJoin('users', 'users.id', 'user_id')
    .innerJoin('bank_details', 'bank_details.user_id', 'payouts.user_id')
    .where('users.suspended_at', 'is', null)
    .where('bank_details.changed_at', '<=', changedBy(now))
    .where('payouts.status', '=', 'approved')
    .where('payouts.livemode', '=', sql<boolean>`installation_livemode()`)
}

export type ExportedPayout = Awaited<ReturnType<typeof findForBank>>[number]

/** Those payouts with what a bank needs to know of them; locked, the oldest first. */
export function findForBank(db: Tx, now: Date) {
  return payoutsForBank(db, now)
    .select(['payouts.id', 'payouts.user_id', 'amount_cents', 'currency', 'requested_at'])
    .select(['username', 'first_name', 'last_name', 'email', 'sealed_details'])
    .orderBy('requested_at')
    .orderBy('payouts.id')
    .forUpdate(['payouts', 'bank_details'])
    .execute()
}

/** How many approved payouts wait for an export. */
export async function countApproved(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('payouts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('status', '=', 'approved')
    .where('livemode', '=', sql<boolean>`installation_livemode()`)
    .executeTakeFirstOrThrow()
  return Number(count)
}
