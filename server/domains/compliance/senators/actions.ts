import { writeAudit } from '../../../db/audit.ts'
import type { Tx } from '../../../db/client.ts'

type Correction = {
  actorId: string
  code: string
  senators: { name: string; telephone: string }[]
  reason: string
  now: Date
}

/** Puts these two senators in the seats of a state, correct from today; written to the audit log. */
export async function setSenators(db: Tx, correction: Correction): Promise<void> {
  const { actorId, code, senators, reason, now } = correction
  const correctOn = now.toISOString().slice(0, 10)
  await db
    .insertInto('senators')
    .values(
      senators.map((senator, index) => ({ state: code, seat: index + 1, ...senator, correct_on: correctOn })),
    )
    .onConflict((conflict) =>
      conflict.columns(['state', 'seat']).doUpdateSet((eb) => ({
        name: eb.ref('excluded.name'),
        telephone: eb.ref('excluded.telephone'),
        correct_on: eb.ref('excluded.correct_on'),
      })),
    )
    .execute()
  await writeAudit(db, {
    actorId,
    action: 'senators.set',
    targetKind: 'state',
    targetId: code,
    reason,
    detail: { senators },
    now,
  })
}
