import type { Payments } from '../port.ts'
import { transactionAnswer } from './answers.ts'
import { type Account, send } from './client.ts'
import { details, orUnavailable } from './lookup.ts'
import { classOf } from './reason-codes.ts'

/** Refunds exceed the charge. */
const EXCEEDED = ['51', '55']
/** Errors of the service itself, and a charge that is about to settle. */
const PASSING = ['E00001', 'E00053', 'E00104', '50']

/** Gives a settled charge back, whole or in part. The gateway gives back no more than it took. */
export async function refundCharge(
  account: Account,
  refund: Parameters<Payments['refundCharge']>[0],
): ReturnType<Payments['refundCharge']> {
  const { transactionId, amountCents, lastFour, reference } = refund
  const answer = await send(account, 'createTransactionRequest', {
    refId: reference,
    transactionRequest: {
      transactionType: 'refundTransaction',
      amount: (amountCents / 100).toFixed(2),
      payment: { creditCard: { cardNumber: lastFour, expirationDate: 'XXXX' } },
      refTransId: transactionId,
      order: { invoiceNumber: reference },
    },
  })
  if (answer.kind !== 'answered') return { kind: 'unavailable', detail: answer.detail }
  const parsed = transactionAnswer.safeParse(answer.body)
  if (!parsed.success) return { kind: 'unavailable', detail: 'unexpected_answer' }
  const { messages, transactionResponse } = parsed.data
  if (transactionResponse?.responseCode === '1')
    return { kind: 'refunded', transactionId: transactionResponse.transId ?? '' }
  const reason = transactionResponse?.errors?.[0]?.errorCode ?? messages.message[0]?.code ?? ''
  if (EXCEEDED.includes(reason)) return { kind: 'exceeded' }
  const isPassing = PASSING.includes(reason) || classOf(reason) === 'unknown'
  if (isPassing) return { kind: 'unavailable', detail: reason }
  return { kind: 'refused', reason, failedBatch: await findFailedBatch(account, transactionId) }
}

/** The number of the batch that a charge wasn't settled with; null where it was, or the gateway doesn't say. */
async function findFailedBatch(account: Account, transactionId: string): Promise<string | null> {
  const found = await orUnavailable(async () => (await details(account, transactionId)).transaction)
  if ('kind' in found || found.transactionStatus !== 'settlementError') return null
  return found.batch?.batchId ?? null
}
