import { sql } from 'kysely'
import type { Db } from '../../../../db/client.ts'
import { after, type PageRequest, positionOf, skipOf } from '../../../../db/cursor.ts'
import type { PayoutStatus } from '../../../../db/tables/commerce/payouts.ts'

export const PURPOSE = 'exported payout'

export type ExportRow = Awaited<ReturnType<typeof listExports>>[number]

/** The exports for the bank, newest first, one row more than the page holds, with how the payouts of the lines that are there stand. */
export function listExports(db: Db, page: PageRequest) {
  const { cursor } = page
  const rows = db
    .selectFrom('payout_exports')
    .innerJoin('users', 'users.id', 'exported_by')
    .select(['payout_exports.id', 'exported_by', 'reason', 'count', 'amount_cents', 'exported_at'])
    .select(['username', 'deletion_requested_at'])
    .select((eb) => [
      eb
        .selectFrom('exported_payouts')
        .innerJoin('payouts', 'payouts.id', 'payout_id')
        .whereRef('export_id', '=', 'payout_exports.id')
        .select(sql<PayoutStatus[]>`coalesce(json_agg(status), '[]')`.as('statuses'))
        .$asScalar()
        .$notNull()
        .as('statuses'),
      sql<string>`${positionOf(eb.ref('exported_at'), eb.ref('payout_exports.id'))}`.as('position'),
    ])
    .where('livemode', '=', sql<boolean>`installation_livemode()`)
    .orderBy('exported_at', 'desc')
    .orderBy('payout_exports.id', 'desc')
    .limit(page.limit + 1)
    .offset(skipOf(page))
  if (cursor === undefined) return rows.execute()
  return rows.where((eb) => after(cursor, eb.ref('exported_at'), eb.ref('payout_exports.id'))).execute()
}
