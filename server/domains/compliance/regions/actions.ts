import { writeAudit } from '../../../db/audit.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { regionTarget } from './data.ts'

type AdminAction = { actorId: string; country: string; code: string; reason: string; now: Date }

/** Restricts a region, or changes one that is; written to the audit log. */
export async function setRegion(
  db: Tx,
  adminAction: AdminAction & { name: string; vpnHint: boolean },
): Promise<void> {
  const { country, code, name, vpnHint, actorId, reason, now } = adminAction
  await db
    .insertInto('restricted_regions')
    .values({ country, code, name, vpn_hint: vpnHint })
    .onConflict((conflict) => conflict.columns(['country', 'code']).doUpdateSet({ name, vpn_hint: vpnHint }))
    .execute()
  await writeAudit(db, {
    actorId,
    action: 'region.set',
    targetKind: 'region',
    targetId: regionTarget(adminAction),
    reason,
    detail: { name, vpnHint },
    now,
  })
}

/** Ends a restriction; written to the audit log. Throws `region_not_found`. */
export async function removeRegion(db: Tx, adminAction: AdminAction): Promise<void> {
  const { country, code, actorId, reason, now } = adminAction
  const removed = await db
    .deleteFrom('restricted_regions')
    .where('country', '=', country)
    .where('code', '=', code)
    .returning(['name', 'vpn_hint'])
    .executeTakeFirst()
  if (!removed) throw new AppError('region_not_found')
  await writeAudit(db, {
    actorId,
    action: 'region.removed',
    targetKind: 'region',
    targetId: regionTarget(adminAction),
    reason,
    detail: { name: removed.name, vpnHint: removed.vpn_hint },
    now,
  })
}
