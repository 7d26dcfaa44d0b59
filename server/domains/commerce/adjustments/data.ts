import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { after, type PageRequest, positionOf, skipOf, toPage } from '../../../db/cursor.ts'

export type AdjustmentRow = Awaited<ReturnType<typeof listAdjustments>>[number]

/** Adjustments of the books, newest first, one row more than the page holds: those that wait, or all. */
export function listAdjustments(db: Db, showing: 'open' | 'all', page: PageRequest) {
  let rows = adjustmentsOf(db)
    .orderBy('proposed_at', 'desc')
    .orderBy('adjustments.id', 'desc')
    .limit(page.limit + 1)
    .offset(skipOf(page))
  if (showing === 'open') rows = rows.where('adjustments.status', '=', 'proposed')
  const { cursor } = page
  if (cursor !== undefined)
    rows = rows.where((eb) => after(cursor, eb.ref('proposed_at'), eb.ref('adjustments.id')))
  return rows.execute()
}

/** One adjustment as it now stands; throws where there is none. */
export function adjustmentRow(db: Db, id: string) {
  return adjustmentsOf(db).where('adjustments.id', '=', id).executeTakeFirstOrThrow()
}

const AT_ONCE = 500

/** All adjustments, newest first, batch by batch. */
export async function* eachAdjustment(db: Db): AsyncGenerator<AdjustmentRow[]> {
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page: PageRequest = { limit: AT_ONCE, cursor }
    const { items, nextCursor } = toPage(await listAdjustments(db, 'all', page), page, (row) => row)
    yield items
    cursor = nextCursor
  }
}

function adjustmentsOf(db: Db) {
  return db
    .selectFrom('adjustments')
    .innerJoin('users as proposer', 'proposer.id', 'proposed_by')
    .leftJoin('users as decider', 'decider.id', 'decided_by')
    .select(['adjustments.id', 'from_account', 'to_account', 'amount_cents', 'currency', 'reference'])
    .select(['adjustments.reason', 'adjustments.status', 'proposed_at', 'decided_at', 'decision_reason'])
    .select(['proposer.id as proposerId', 'proposer.username as proposerName'])
    .select([
      'proposer.deletion_requested_at as proposerLeavingSince',
      'decider.deletion_requested_at as deciderLeavingSince',
    ])
    .select(['decider.id as deciderId', 'decider.username as deciderName'])
    .select(sql<string>`to_char(dated, 'YYYY-MM-DD')`.as('dated'))
    .select((eb) =>
      sql<string>`${positionOf(eb.ref('proposed_at'), eb.ref('adjustments.id'))}`.as('position'),
    )
    .where('adjustments.livemode', '=', sql<boolean>`installation_livemode()`)
}

export type OwnAccounts = Awaited<ReturnType<typeof findOwnAccounts>>

/**
 * Balances of the platform's own accounts in cents, and the part of suspense that is set aside for moderators. Leaves
 * out the gateway's, in which every sale has a line.
 */
export async function findOwnAccounts(db: Db) {
  const { rows } = await sql<{ kind: string; cents: number; heldCents: number }>`
    select account.kind, coalesce(sum(amount_cents), 0)::bigint as cents,
      coalesce(sum(amount_cents) filter (where journals.source_type = 'commission'), 0)::bigint as "heldCents"
    from ledger_accounts as account join postings on account_id = account.id join journals on journals.id = journal_id
    where account.kind in ('bank', 'processor_fees', 'dispute_fees', 'suspense') and user_id is null
      and currency = 'usd' and account.livemode = installation_livemode()
    group by account.kind`.execute(db)
  const of = (kind: string) => rows.find((row) => row.kind === kind)
  return {
    bankCents: of('bank')?.cents ?? 0,
    processorFeesCents: of('processor_fees')?.cents ?? 0,
    disputeFeesCents: of('dispute_fees')?.cents ?? 0,
    suspenseCents: of('suspense')?.cents ?? 0,
    suspenseHeldCents: of('suspense')?.heldCents ?? 0,
  }
}
