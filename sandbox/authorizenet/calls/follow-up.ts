import { findTransaction, type Gateway, setStatus, type TransactionRow } from '../gateway.ts'
import { notice } from '../webhooks.ts'
import { ApiError, at, centsOf, messages, ok, textAt } from '../wire.ts'
import type { Call, Reply } from './call.ts'
import { insertTransaction } from './charge.ts'
import { notTaken, transactionAnswer } from './transaction-response.ts'

const REFUND_WINDOW_MS = 180 * 24 * 3600 * 1000

const VOIDABLE = [
  'authorizedPendingCapture',
  'capturedPendingSettlement',
  'refundPendingSettlement',
  'FDSPendingReview',
  'FDSAuthorizedPendingReview',
]

const original = (gateway: Gateway, call: Call): TransactionRow | undefined =>
  findTransaction(gateway, textAt(call.request, 'transactionRequest', 'refTransId'))

/** `voidTransaction`: the whole transaction, before it settles; keeps its number. */
export function voidTransaction(gateway: Gateway, call: Call): Reply {
  const row = original(gateway, call)
  if (!row) return { body: notTaken(16) }
  const refTransId = String(row.id)
  if (row.status === 'voided') {
    return { body: transactionAnswer({ responseCode: 1, reasonCode: 310, transId: '0', refTransId, row }) }
  }
  if (!voidUnsettled(gateway, row)) return { body: notTaken(327) }
  return { body: transactionAnswer({ responseCode: 1, reasonCode: 1, transId: refTransId, refTransId, row }) }
}

/** Voids a transaction that isn't settled, and tells the merchant; false when it can't be voided. */
export function voidUnsettled(gateway: Gateway, row: TransactionRow): boolean {
  if (!VOIDABLE.includes(row.status)) return false
  setStatus(gateway, row.id, 'voided')
  notice(gateway, 'void.created', row)
  return true
}

/** `priorAuthCaptureTransaction`: takes an authorized amount or less; keeps the number. */
export function captureAuthorised(gateway: Gateway, call: Call): Reply {
  const row = original(gateway, call)
  if (row?.type !== 'authOnlyTransaction') return { body: notTaken(16) }
  const refTransId = String(row.id)
  if (row.status === 'capturedPendingSettlement' || row.status === 'settledSuccessfully') {
    return {
      body: transactionAnswer({ responseCode: 1, reasonCode: 311, transId: refTransId, refTransId, row }),
    }
  }
  if (row.status !== 'authorizedPendingCapture') return { body: notTaken(16) }
  const amount = textAt(call.request, 'transactionRequest', 'amount')
  const amountCents = amount === '' ? row.amountCents : centsOf(amount)
  if (amountCents === null) return { body: notTaken(5) }
  if (amountCents > row.amountCents) return { body: notTaken(47) }
  gateway.db
    .prepare("update transactions set status = 'capturedPendingSettlement', amountCents = ? where id = ?")
    .run(amountCents, row.id)
  notice(gateway, 'priorAuthCapture.created', { ...row, amountCents })
  return { body: transactionAnswer({ responseCode: 1, reasonCode: 1, transId: refTransId, refTransId, row }) }
}

/** `refundTransaction`: part or all of a settled charge, under a new number. */
export function refund(gateway: Gateway, call: Call): Reply {
  const wanted = at(call.request, 'transactionRequest')
  const amountCents = centsOf(textAt(wanted, 'amount'))
  if (amountCents === null) return { body: notTaken(5) }
  const row = original(gateway, call)
  if (!row) return { body: notTaken(16) }
  const submittedAt = gateway.now().getTime()
  const isSettled = row.status === 'settledSuccessfully' && row.type !== 'refundTransaction'
  if (!isSettled || submittedAt - row.submittedAt > REFUND_WINDOW_MS || !namesTheSameCard(wanted, row))
    return { body: notTaken(54) }
  const { refunded } = gateway.db
    .prepare(
      "select coalesce(sum(amountCents), 0) as refunded from transactions where refTransId = ? and status <> 'voided'",
    )
    .get(row.id) as { refunded: number }
  if (refunded + amountCents > row.amountCents) return { body: notTaken(55) }
  const { id: refTransId, ...copied } = row
  const credit = insertTransaction(gateway, {
    ...copied,
    type: 'refundTransaction',
    status: 'refundPendingSettlement',
    amountCents,
    authCode: '',
    networkTransId: '',
    invoiceNumber: textAt(wanted, 'order', 'invoiceNumber') || row.invoiceNumber,
    description: textAt(wanted, 'order', 'description'),
    refId: call.refId,
    recurring: 0,
    details: '{}',
    refTransId,
    fingerprint: '',
    submittedAt,
    visibleAt: submittedAt,
    batchId: null,
    chargedBackAt: null,
    chargebackBatchId: null,
  })
  notice(gateway, 'refund.created', credit)
  return {
    body: transactionAnswer({
      responseCode: 1,
      reasonCode: 1,
      transId: String(credit.id),
      refTransId: String(refTransId),
      row: credit,
    }),
  }
}

function namesTheSameCard(wanted: unknown, row: TransactionRow): boolean {
  const cardNumber = textAt(wanted, 'payment', 'creditCard', 'cardNumber')
  if (cardNumber) return cardNumber.slice(-4) === row.lastFour
  return textAt(wanted, 'profile', 'paymentProfile', 'paymentProfileId') === String(row.paymentProfileId)
}

/** Decides a held transaction; false when it is not held. */
export function decideHeld(gateway: Gateway, row: TransactionRow, action: 'approve' | 'decline'): boolean {
  if (row.status !== 'FDSAuthorizedPendingReview' && row.status !== 'FDSPendingReview') return false
  const pending =
    row.type === 'authOnlyTransaction' ? 'authorizedPendingCapture' : 'capturedPendingSettlement'
  gateway.db
    .prepare('update transactions set status = ?, responseCode = ?, reasonCode = ? where id = ?')
    .run(...(action === 'approve' ? [pending, 1, 1] : ['declined', 2, 254]), row.id)
  const responseCode = action === 'approve' ? 1 : 2
  notice(gateway, action === 'approve' ? 'fraud.approved' : 'fraud.declined', { ...row, responseCode })
  return true
}

/** `updateHeldTransactionRequest`. */
export function updateHeld(gateway: Gateway, call: Call): Reply {
  const row = findTransaction(gateway, textAt(call.request, 'heldTransactionRequest', 'refTransId'))
  const action =
    textAt(call.request, 'heldTransactionRequest', 'action') === 'approve' ? 'approve' : 'decline'
  if (!row || !decideHeld(gateway, row, action)) throw new ApiError('E00040', 'The record cannot be found.')
  const decided = { responseCode: action === 'approve' ? 1 : 2, reasonCode: action === 'approve' ? 1 : 254 }
  const answer = transactionAnswer({ ...decided, transId: String(row.id), refTransId: String(row.id), row })
  return {
    body: { ...answer, messages: action === 'approve' ? ok() : messages('I00001', 'Declined as asked.') },
  }
}
