import type { Vault } from '../crypto/vault.ts'
import type { Tx } from '../db/client.ts'
import { saveBankDetails } from '../domains/commerce/bank-details/actions.ts'
import { releaseDue } from '../domains/commerce/ledger/actions.ts'
import { decidePayout, exportPayouts, requestPayout } from '../domains/commerce/payouts/actions.ts'
import { findBalance } from '../domains/commerce/payouts/data.ts'
import { MIN_PAYOUT_CENTS } from '../domains/commerce/payouts/rules.ts'
import { sampleId } from './content.ts'
import { CREATORS, OPERATOR } from './people.ts'

const DAY_MS = 24 * 3600 * 1000
/** The second creator's first payout came back; the third's is still with the bank, which refused the fourth's. */
const RETURNED = 1
const IN_TRANSIT = 2
const FAILED = 3

const ACCOUNT = {
  ...{ accountHolder: 'Sample Creator', country: 'US' },
  ...{ routingNumber: '021000021', accountNumber: '000123456789' },
}

/** Where creators are paid, what they were paid, two months ago and lately, and what some of them ask for now. */
export async function insertPayouts(db: Tx, vault: Vault, now: Date): Promise<void> {
  const actorId = sampleId(OPERATOR.username)
  const by = (days: number, reason: string) => ({
    actorId,
    reason,
    now: new Date(now.getTime() - days * DAY_MS),
  })
  for (const [index, { username }] of CREATORS.entries()) {
    const userId = sampleId(username)
    const entered = new Date(now.getTime() - 100 * DAY_MS)
    await saveBankDetails(db, vault, { userId, ...ACCOUNT, now: entered })
    const first = await request(db, userId, 60, now)
    if (first) {
      await decidePayout(db, { payoutId: first, decision: 'approve', ...by(59, 'Checked') })
      await exportPayouts(db, vault, by(58, 'Monthly run'))
      await decidePayout(db, { payoutId: first, decision: 'paid', ...by(56, 'Confirmed by the bank') })
    }
    if (first && index === RETURNED)
      await decidePayout(db, { payoutId: first, decision: 'returned', ...by(51, 'The account is closed.') })
    const second = await request(db, userId, index + 3, now)
    if (second && (index === IN_TRANSIT || index === FAILED)) {
      await decidePayout(db, { payoutId: second, decision: 'approve', ...by(4, 'Checked') })
      await exportPayouts(db, vault, by(3, 'Monthly run'))
    }
    if (second && index === FAILED)
      await decidePayout(db, {
        ...{ payoutId: second, decision: 'failed' },
        ...by(2, 'Your bank couldn’t find this account.'),
      })
    await releaseDue(db, userId, now)
  }
}

/** Half of what was available at that time; null when that is less than the smallest payout. */
async function request(db: Tx, userId: string, daysAgo: number, now: Date): Promise<string | null> {
  const then = new Date(now.getTime() - daysAgo * DAY_MS)
  const { available } = await findBalance(db, userId, then)
  const cents = Math.floor(available / 2)
  if (cents < MIN_PAYOUT_CENTS) return null
  return (await requestPayout(db, { userId, cents, now: then })).id
}
