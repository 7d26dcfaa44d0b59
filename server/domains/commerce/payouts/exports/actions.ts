import { sql } from 'kysely'
import type { Vault } from '../../../../crypto/vault.ts'
import { writeAudit } from '../../../../db/audit.ts'
import type { Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import type { ExportedPayout } from '../data.ts'
import { endedOf, filesKeptSince, isFileKept } from '../rules.ts'
import { PURPOSE } from './data.ts'

type Exported = {
  payouts: ExportedPayout[]
  /** One for each payout. */
  lines: string[][]
  cents: number
  actorId: string
  reason: string
  now: Date
}

/** Keeps what was handed to the bank, sealed (decision 078); an export of nothing isn't one. */
export async function keepExport(db: Tx, vault: Vault, exported: Exported): Promise<void> {
  const { payouts, lines, cents, actorId, reason, now } = exported
  if (payouts.length === 0) return
  const { id } = await db
    .insertInto('payout_exports')
    .values({
      ...{ exported_by: actorId, reason, exported_at: now },
      ...{ count: payouts.length, amount_cents: cents },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const sealed = payouts.map((payout, at) => vault.seal(PURPOSE, payout.id, JSON.stringify(lines[at])))
  await sql`
    insert into exported_payouts (payout_id, export_id, user_id, position, sealed_line)
    select payout_id, ${id}::uuid, user_id, position, sealed_line
    from unnest(${payouts.map((payout) => payout.id)}::uuid[], ${payouts.map((payout) => payout.user_id)}::uuid[],
      ${sealed}::bytea[]) with ordinality as line (payout_id, user_id, sealed_line, position)`.execute(db)
}

/** Forgets the lines of files that are too old to be had again. */
export async function forgetExports(db: Tx, now: Date): Promise<void> {
  await db
    .deleteFrom('exported_payouts')
    .where('export_id', 'in', (eb) =>
      eb.selectFrom('payout_exports').select('id').where('exported_at', '<', filesKeptSince(now)),
    )
    .execute()
}

type Downloading = { exportId: string; actorId: string; reason: string; now: Date }

/**
 * The lines of a file as it was exported, once more; the audit log says who had them. Throws `export_not_found`, and `export_outdated`
 * where a payout of it failed or came back.
 */
export async function downloadExport(db: Tx, vault: Vault, asked: Downloading): Promise<string[][]> {
  const { exportId, actorId, reason, now } = asked
  const kept = await db
    .selectFrom('payout_exports')
    .select(['exported_at', 'count'])
    .where('id', '=', exportId)
    .where('livemode', '=', sql<boolean>`installation_livemode()`)
    .executeTakeFirst()
  const lines = await db
    .selectFrom('exported_payouts')
    .innerJoin('payouts', 'payouts.id', 'payout_id')
    .select(['payout_id', 'sealed_line', 'status'])
    .where('export_id', '=', exportId)
    .orderBy('position')
    .execute()
  if (!kept || !isFileKept(kept, lines.length, now)) throw new AppError('export_not_found')
  if (endedOf(lines.map(({ status }) => status)).unpaid > 0) throw new AppError('export_outdated')
  const target = { targetKind: 'payout_export' as const, targetId: exportId }
  await writeAudit(db, { actorId, action: 'payouts.downloaded', ...target, reason, detail: {}, now })
  return lines.map(({ payout_id, sealed_line }) => JSON.parse(vault.open(PURPOSE, payout_id, sealed_line)))
}

/** Seals the lines of all files with the newest secret; answers how many were sealed with another one. */
export async function resealExports(tx: Tx, vault: Vault): Promise<number> {
  const rows = await tx
    .selectFrom('exported_payouts')
    .select(['payout_id', 'sealed_line'])
    .forUpdate()
    .execute()
  const old = rows.filter(({ sealed_line }) => !vault.isCurrent(sealed_line))
  for (const { payout_id, sealed_line } of old)
    await tx
      .updateTable('exported_payouts')
      .set({ sealed_line: vault.seal(PURPOSE, payout_id, vault.open(PURPOSE, payout_id, sealed_line)) })
      .where('payout_id', '=', payout_id)
      .execute()
  return old.length
}
