import type { Tx } from '../db/client.ts'
import { decideDispute, openDispute } from '../domains/commerce/disputes/actions.ts'
import { sampleId } from './content.ts'
import { OPERATOR } from './people.ts'

const DAY_MS = 24 * 3600 * 1000
/** How disputes of three sales of two weeks ago and before stand. */
const DISPUTES = [
  { caseNumber: 'CB-10427', cause: 'not_received', openedDaysAgo: 3, outcome: null },
  { caseNumber: 'CB-10391', cause: 'not_as_described', openedDaysAgo: 9, outcome: 'won' },
  { caseNumber: 'CB-10388', cause: 'duplicate', openedDaysAgo: 11, outcome: 'lost' },
] as const

/** Sales that a bank took back: one undecided, one won, one lost. */
export async function insertDisputes(db: Tx, now: Date): Promise<void> {
  const at = (daysAgo: number) => new Date(now.getTime() - daysAgo * DAY_MS)
  const operatorId = sampleId(OPERATOR.username)
  const sold = await db
    .selectFrom('orders')
    .select(['id', 'amount_cents'])
    .where('kind', '=', 'single')
    .where('status', '=', 'paid')
    .where('created_at', '<', at(14))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(DISPUTES.length)
    .execute()
  for (const [index, { id: orderId, amount_cents: cents }] of sold.entries()) {
    const sample = DISPUTES[index]
    if (!sample) break
    const { caseNumber, cause, openedDaysAgo, outcome } = sample
    const disputeId = await openDispute(db, {
      ...{ orderId, cents, feeCents: 1500, cause, caseNumber, operatorId, reason: 'The bank’s letter' },
      respondBy: at(openedDaysAgo - 14)
        .toISOString()
        .slice(0, 10),
      now: at(openedDaysAgo),
    })
    if (outcome === null) continue
    const decided = { disputeId, outcome, operatorId, reason: 'The bank’s decision', now: at(1) }
    await decideDispute(db, decided)
  }
}
