import type { Payments } from '../port.ts'
import { transactionAnswer } from './answers.ts'
import { type Account, send } from './client.ts'
import { classOf } from './reason-codes.ts'

/** Voids a charge that has not settled. One that was voided before counts as voided (reason 310). */
export async function voidCharge(
  account: Account,
  transactionId: string,
): ReturnType<Payments['voidCharge']> {
  const answer = await send(account, 'createTransactionRequest', {
    transactionRequest: { transactionType: 'voidTransaction', refTransId: transactionId },
  })
  if (answer.kind !== 'answered') return { kind: 'unavailable', detail: answer.detail }
  const parsed = transactionAnswer.safeParse(answer.body)
  if (!parsed.success) return { kind: 'unavailable', detail: 'unexpected_answer' }
  const { messages, transactionResponse } = parsed.data
  if (transactionResponse?.responseCode === '1') return { kind: 'voided' }
  const reason = transactionResponse?.errors?.[0]?.errorCode ?? messages.message[0]?.code ?? ''
  const isPassing = classOf(reason) === 'unknown' || ['E00001', 'E00053', 'E00104'].includes(reason)
  return isPassing ? { kind: 'unavailable', detail: reason } : { kind: 'refused', reason }
}
