import type { CardChecks, ChargeOutcome, StoredCard } from '../port.ts'
import { type TransactionAnswer, transactionAnswer } from './answers.ts'
import type { Answer } from './client.ts'
import { classOf } from './reason-codes.ts'

/** The meaning of each response code and reason code of the gateway. */
export function chargeOutcome(answer: Answer): ChargeOutcome {
  if (answer.kind === 'unsent') return { kind: 'refused', reason: 'gateway_unreachable', tokenExpired: false }
  if (answer.kind === 'broken') return { kind: 'unknown', detail: answer.detail }
  const parsed = transactionAnswer.safeParse(answer.body)
  return parsed.success ? outcomeOf(parsed.data) : { kind: 'unknown', detail: 'unexpected_answer' }
}

function outcomeOf(answer: TransactionAnswer): ChargeOutcome {
  const { responseCode, transId, accountNumber, accountType, networkTransId, errors } =
    answer.transactionResponse ?? {}
  const { avsResultCode, cvvResultCode } = answer.transactionResponse ?? {}
  const checks = { avs: avsResultCode || null, cvv: cvvResultCode || null }
  const reason = errors?.[0]?.errorCode ?? ''
  switch (responseCode) {
    case undefined:
    case '':
      return withoutTransaction(answer)
    case '1':
      // An account in test mode approves everything under this number and charges nothing.
      if (!transId || transId === '0') return { kind: 'refused', reason: 'test_mode', tokenExpired: false }
      return {
        kind: 'approved',
        transactionId: transId,
        networkTransactionId: networkTransId || null,
        card: { brand: accountType ?? '', lastFour: (accountNumber ?? '').slice(-4) },
        storedCard: createdProfile(answer),
        checks,
      }
    case '2':
      return { kind: 'declined', reason, hard: classOf(reason) === 'hardDecline', checks }
    case '3':
      return failed(reason, checks)
    case '4':
      return { kind: 'held', transactionId: transId ?? '' }
    default:
      return { kind: 'unknown', detail: `response_code_${responseCode}` }
  }
}

function failed(reason: string, checks: CardChecks): ChargeOutcome {
  const reasonClass = classOf(reason)
  if (reason === '' || reasonClass === 'unknown') return { kind: 'unknown', detail: `reason_${reason}` }
  if (reasonClass === 'refused') return { kind: 'refused', reason, tokenExpired: false }
  return { kind: 'declined', reason, hard: reasonClass === 'hardDecline', checks }
}

/** No transaction came about: the request was refused, unless the gateway itself failed in the middle (E00001). */
function withoutTransaction({ messages }: TransactionAnswer): ChargeOutcome {
  const reason = messages.message[0]?.code ?? ''
  if (messages.resultCode === 'Ok' || reason === 'E00001' || reason === '')
    return { kind: 'unknown', detail: `no_transaction_${reason}` }
  return { kind: 'refused', reason, tokenExpired: reason === 'E00114' || reason === 'E00115' }
}

function createdProfile({ profileResponse }: TransactionAnswer): StoredCard | null {
  const customerProfileId = profileResponse?.customerProfileId
  const paymentProfileId = profileResponse?.customerPaymentProfileIdList?.[0]
  if (profileResponse?.messages.resultCode !== 'Ok' || !customerProfileId || !paymentProfileId) return null
  return { customerProfileId, paymentProfileId }
}
