import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { DECIDING, Permission } from '../../../../contract/permissions.ts'
import type { Waiting } from '../../../../contract/routes/site.ts'
import type { Db } from '../../../db/client.ts'
import { disputesFor } from '../../commerce/disputes/data.ts'
import { payoutsForBank, payoutsToApprove } from '../../commerce/payouts/data.ts'
import { reviewableBy } from '../../messaging/reports/data.ts'

const HOUR_MS = 3600 * 1000
/** A post that goes up a few minutes late needs nobody. */
const LATE_MS = HOUR_MS
/** An older failure was seen, or is no longer worth a look. */
const FAILED_MS = 7 * 24 * HOUR_MS

export type WaitingThing = z.output<typeof Waiting>
type Kind = WaitingThing['kind']

type Source = RawBuilder<{ since: Date | null; due: string | null }>

const own = sql`livemode = installation_livemode()`

type Operator = { operatorId: string; now: Date }

/** Work that operators decide, with the permission for each. Their own cases and proposals wait for somebody else. */
const DECISIONS: {
  kind: Kind
  permission: (typeof DECIDING)[number]
  of: (db: Db, operator: Operator) => Source
}[] = [
  {
    kind: 'dispute',
    permission: 'refunds.issue',
    of: (db, { operatorId }) => sql`${disputesFor(db, operatorId)}`,
  },
  {
    kind: 'report',
    permission: 'reports.review',
    of: (db, { operatorId }) => sql`select created_at as since, null::date as due from message_reports
      where closed_at is null and ${reviewableBy(db, operatorId, 'message_reports')}`,
  },
  {
    kind: 'finding',
    permission: 'refunds.issue',
    of: () =>
      sql`select found_at as since, null::date as due from findings where resolved_at is null and ${own}`,
  },
  {
    kind: 'stuck_payment',
    permission: 'refunds.issue',
    of: () => sql`select stuck_at as since, null::date as due from payments where stuck_at is not null`,
  },
  {
    kind: 'payout',
    permission: 'payouts.approve',
    of: (db, { operatorId }) => sql`${payoutsToApprove(db, operatorId).select(sql`null::date`.as('due'))}`,
  },
  {
    kind: 'payout_to_export',
    permission: 'payouts.approve',
    of: (db, { now }) =>
      sql`${payoutsForBank(db, now).select(['payouts.changed_at as since', sql`null::date`.as('due')])}`,
  },
  {
    kind: 'adjustment',
    permission: 'ledger.adjust',
    of: (_db, { operatorId }) => sql`select proposed_at as since, null::date as due from adjustments
      where status = 'proposed' and proposed_by <> ${operatorId} and ${own}`,
  },
  {
    kind: 'subreddit',
    permission: 'payouts.approve',
    of: (
      _db,
      { operatorId },
    ) => sql`select applied_at as since, null::date as due from subreddit_affiliates as affiliate
      where status = 'applied' and user_id <> ${operatorId} and ${own} and not exists (
        select from subreddit_proposals where affiliate_id = affiliate.id and proposed_by = ${operatorId})`,
  },
]

/** The decisions that wait for an operator who is allowed this. */
export function findDecisions(
  db: Db,
  { permissions, ...operator }: Operator & { permissions: readonly Permission[] },
): Promise<WaitingThing[]> {
  return countEach(
    db,
    DECISIONS.filter(({ permission }) => permissions.includes(permission)).map(({ kind, of }) => ({
      kind,
      source: of(db, operator),
    })),
  )
}

/** Of a creator's promotion: accounts to connect or resume, posts that failed or are late, and those to post by hand. */
export function findPromotion(db: Db, creatorId: string, now: Date): Promise<WaitingThing[]> {
  const posts = (where: RawBuilder<unknown>): Source =>
    sql`select post_at as since, null::date as due from scheduled_posts where user_id = ${creatorId} and ${where}`
  const before = (ms: number) => new Date(now.getTime() - ms)
  return countEach(db, [
    {
      kind: 'forum_account',
      source: sql`select revoked_at as since, null::date as due from forum_accounts
        where user_id = ${creatorId} and (revoked_at is not null or stopped_by = 'forum')`,
    },
    { kind: 'post_failed', source: posts(sql`state = 'failed' and post_at > ${before(FAILED_MS)}`) },
    { kind: 'post_overdue', source: posts(sql`state = 'scheduled' and post_at < ${before(LATE_MS)}`) },
    { kind: 'post_by_hand', source: posts(sql`state = 'waiting'`) },
  ])
}

/** How many rows each of these has, with the oldest and what is due first; one statement, what has none is left out. */
async function countEach(db: Db, sources: { kind: Kind; source: Source }[]): Promise<WaitingThing[]> {
  if (sources.length === 0) return []
  const counts = sources.map(
    ({ kind, source }) => sql`
      select ${kind}::text as kind, count(*)::int as count, min(since) as since, to_char(min(due), 'YYYY-MM-DD') as due
      from (${source}) as waiting having count(*) > 0`,
  )
  const { rows } = await sql<{ kind: Kind; count: number; since: Date | null; due: string | null }>`
    ${sql.join(counts, sql` union all `)}`.execute(db)
  return rows.map(({ since, ...row }) => ({
    ...row,
    since: since?.toISOString() ?? null,
    amount: null,
    name: null,
  }))
}
