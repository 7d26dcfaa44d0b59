import { writeAudit } from '../db/audit.ts'
import type { Db } from '../db/client.ts'
import {
  countPromotion,
  deletePromotion,
  type PromotionCounts,
} from '../domains/promotion/sandbox/actions.ts'

/** What there is of the sandbox's forum, by kind; `forum` says which one this database belongs to. */
export type Clearing =
  | { forum: 'real' | null }
  | { forum: 'sandbox'; found: PromotionCounts; cleared: boolean }

/**
 * Deletes what trying the sandbox's forum left and records that in the audit log, once it is `confirmed`; else only
 * counts it. A database of the real forum stays as it is.
 */
export async function clearForum(
  db: Db,
  { confirmed, now }: { confirmed: boolean; now: Date },
): Promise<Clearing> {
  return db.transaction().execute(async (tx) => {
    // Locked, so that no start decides meanwhile which forum this database belongs to.
    const { forum } = await tx
      .selectFrom('installation')
      .select('forum')
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (forum !== 'sandbox') return { forum }
    const found = await countPromotion(tx)
    if (!confirmed) return { forum, found, cleared: false }
    await deletePromotion(tx)
    await writeAudit(tx, {
      actorId: null,
      action: 'forum.cleared',
      targetKind: 'installation',
      targetId: 'installation',
      reason: 'The operator ran clear-forum.',
      detail: found,
      now,
    })
    return { forum, found, cleared: true }
  })
}
