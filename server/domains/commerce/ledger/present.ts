import type { z } from 'zod'
import { formatMoney } from '../../../../contract/money.ts'
import type { Transaction } from '../../../../contract/routes/commerce/ledger.ts'
import { absenceOfCreator, presentParty, presentSeller } from '../present.ts'
import type { TransactionRow } from './data.ts'

/** One movement of money as this person may see it: fee and share are the creator's own business. */
export function presentTransaction(
  row: TransactionRow,
  viewerId: string,
  brand: string,
): z.output<typeof Transaction> {
  const sold = row.creator_id === viewerId
  return {
    _id: row.id,
    status: row.status,
    kind: row.kind,
    title: row.title,
    amount: formatMoney(row.amount_cents),
    returned: row.returnedCents ? formatMoney(row.returnedCents) : null,
    byBank: row.status === 'disputed' || row.isLost === true,
    dispute: row.status === 'disputed' ? (row.disputedCents ? 'open' : 'lost') : null,
    fee: sold ? formatMoney(row.feeCents ?? 0) : null,
    share: sold ? formatMoney(row.shareCents ?? 0) : null,
    buyerId: presentParty(row.buyer_id, row.buyerUsername, {
      hiddenAt: row.buyerHiddenAt,
      leavingSince: row.buyerLeavingSince,
    }),
    creatorId: sold
      ? presentParty(row.creator_id, row.creatorUsername, absenceOfCreator(row))
      : presentSeller(row, brand),
    transactionDate: row.dated_at.toISOString(),
  }
}
