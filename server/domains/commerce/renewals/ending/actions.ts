import type { Tx } from '../../../../db/client.ts'
import { notify } from '../../../notifications/actions.ts'
import { tellOfSubscriptions } from '../../sellers/actions.ts'
import { endSubscriptions } from '../../subscriptions/actions.ts'
import type { DueRow } from '../charging/data.ts'

/** Ends a subscription that isn't charged anymore, with what it owes, and tells both sides. The caller has locked it. */
export async function endRenewing(
  db: Tx,
  row: DueRow,
  why: 'unavailable' | 'unpaid' | 'price',
  now: Date,
): Promise<void> {
  await endSubscriptions(db, [row.id], why === 'unpaid' ? 'uncollectible' : 'void', now)
  await tellOfSubscriptions(db, [row.id], 'ended', now)
  const noCard = row.stored_card_id === null
  const data = { title: row.title, unpaid: why === 'unpaid', price: why === 'price', noCard }
  await notify(
    db,
    { kind: 'subscription.ended', person: row.fan_id, data },
    { now, once: `subscription.ended ${row.id}` },
  )
}
