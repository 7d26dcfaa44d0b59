import type { FoundTransaction, Payments } from '../port.ts'
import type { Details } from './answers.ts'
import type { Account } from './client.ts'
import { CAPTURED, details, NOT_REFUNDED, orUnavailable } from './lookup.ts'

/** The gateway knows no such record. */
const ABSENT = 'E00040'

/** Reads one transaction by the gateway's own number. */
export async function findTransaction(
  account: Account,
  transactionId: string,
): ReturnType<Payments['findTransaction']> {
  const found = await orUnavailable(async () => {
    const { transaction, transrefId } = await details(account, transactionId)
    return {
      kind: 'found' as const,
      transactionId,
      reference: transrefId ?? transaction.order?.invoiceNumber ?? '',
      amountCents: Math.round(transaction.authAmount * 100),
      submittedAt: new Date(transaction.submitTimeUTC),
      chargeId: transaction.refTransId ?? null,
      is: meaningOf(transaction),
    }
  })
  return found.kind === 'unavailable' && found.detail === ABSENT ? { kind: 'absent' } : found
}

function meaningOf({ transactionType, transactionStatus }: Details): FoundTransaction['is'] {
  if (transactionType === 'refundTransaction')
    return NOT_REFUNDED.includes(transactionStatus) ? 'unmade refund' : 'refund'
  if (transactionType !== 'authCaptureTransaction') return 'other'
  if (transactionStatus === 'voided') return 'voided'
  return CAPTURED.includes(transactionStatus) ? 'captured' : 'other'
}
