import type { ZodType } from 'zod'
import type { LookupOutcome, Payments } from '../port.ts'
import { batchListAnswer, type Details, detailsAnswer, listAnswer } from './answers.ts'
import { type Account, send } from './client.ts'
import { classOf } from './reason-codes.ts'

export const PAGE_SIZE = 1000
/** Our clock and the gateway's may differ. */
export const CLOCK_MARGIN_MS = 3600 * 1000
/** The longest range that one call for batches may ask for is 31 days. */
export const BATCH_RANGE_MS = 30 * 24 * 3600 * 1000

/** Of a charge that was captured, whatever becomes of it later but a void: one that failed changes nothing. */
export const CAPTURED = [
  'capturedPendingSettlement',
  'pendingSettlement',
  'pendingFinalSettlement',
  'updatingSettlement',
  'settledSuccessfully',
  'approvedReview',
  'returnedItem',
  'chargeback',
  'chargebackReversal',
  'couldNotVoid',
]
const HELD = ['FDSPendingReview', 'FDSAuthorizedPendingReview', 'underReview', 'authorizedPendingRelease']
const NOT_CHARGED = ['declined', 'generalError', 'communicationError', 'failedReview', 'expired']

/** Response codes of a charge that was declined or failed; also where the gateway couldn't void what its issuer approved. */
const NOT_APPROVED = [2, 3]

/** Of a refund that gave nothing back, and never will; in any other status it may. */
export const NOT_REFUNDED = ['voided', 'settlementError', ...NOT_CHARGED]

/** Whether it is a charge of any type that its issuer approved, whatever became of it then. */
export const isCharge = ({ transactionType, responseCode }: Details) =>
  transactionType !== 'refundTransaction' && !NOT_APPROVED.includes(responseCode ?? 0)

type Query = { reference: string; amountCents: number; since: Date }

/** The outcome of a transaction with the wanted reference and amount; null when it is another one. */
type Reader<T> = (transaction: Details) => T | null

/** Ends a look-up that cannot be answered now. */
class Unavailable extends Error {}

/**
 * Finds an attempt by its reference: what is unsettled, newest first, then the batches settled since; each
 * candidate is confirmed by its details. A reference found with another amount is `unavailable`, never `absent`.
 */
export async function lookup(account: Account, query: Query): Promise<LookupOutcome> {
  return orUnavailable(async () => {
    const outcomes = await find(account, query, (transaction) =>
      transaction.transactionType === 'authCaptureTransaction' ? outcomeOf(transaction, query) : null,
    )
    // One reference may stand for a decline and a charge after it; money that moved counts most.
    const weight = ['approved', 'held', 'voided', 'unsettled', 'declined']
    outcomes.sort((one, other) => weight.indexOf(one.kind) - weight.indexOf(other.kind))
    return outcomes[0] ?? { kind: 'absent' }
  })
}

/** Finds what became of a charge that was to be given back: the charge itself, or a refund under this reference. */
export async function lookupRefund(
  account: Account,
  query: Parameters<Payments['lookupRefund']>[0],
): ReturnType<Payments['lookupRefund']> {
  const { transactionId } = query
  return orUnavailable(async () => {
    const { transaction } = await details(account, transactionId)
    if (transaction.transactionStatus === 'voided') return { kind: 'voided', transactionId }
    const [refund] = await find(account, query, ({ transactionType, transactionStatus, transId }) =>
      transactionType === 'refundTransaction' && !NOT_REFUNDED.includes(transactionStatus)
        ? { kind: 'refunded' as const, transactionId: transId }
        : null,
    )
    return refund ?? { kind: 'absent' }
  })
}

/** An answer, or that the gateway gave none. */
export async function orUnavailable<T>(
  work: () => Promise<T>,
): Promise<T | { kind: 'unavailable'; detail: string }> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Unavailable) return { kind: 'unavailable', detail: error.message }
    throw error
  }
}

/** All of this reference in the first list that has any. */
async function find<T>(account: Account, query: Query, read: Reader<T>): Promise<T[]> {
  // Whether `any` covers what is held for review is not documented.
  for (const status of ['any', 'pendingApproval']) {
    const found = await inList(account, query, read, ['getUnsettledTransactionListRequest', { status }])
    if (found.length > 0) return found
  }
  return inBatches(account, query, read)
}

async function inBatches<T>(account: Account, query: Query, reader: Reader<T>): Promise<T[]> {
  const { batchList } = await read(account, batchListAnswer, 'getSettledBatchListRequest', {
    includeStatistics: false,
    firstSettlementDate: new Date(query.since.getTime() - CLOCK_MARGIN_MS).toISOString(),
    lastSettlementDate: new Date(query.since.getTime() + BATCH_RANGE_MS).toISOString(),
  })
  for (const { batchId } of batchList) {
    const found = await inList(account, query, reader, ['getTransactionListRequest', { batchId }])
    if (found.length > 0) return found
  }
  return []
}

async function inList<T>(
  account: Account,
  query: Query,
  reader: Reader<T>,
  [name, filter]: [string, Record<string, string>],
): Promise<T[]> {
  const oldest = query.since.getTime() - CLOCK_MARGIN_MS
  const candidates: string[] = []
  for (let page = 1; ; page += 1) {
    const { transactions } = await read(account, listAnswer, name, {
      ...filter,
      sorting: { orderBy: 'submitTimeUTC', orderDescending: true },
      paging: { limit: PAGE_SIZE, offset: page },
    })
    candidates.push(
      ...transactions.filter((row) => row.invoiceNumber === query.reference).map((row) => row.transId),
    )
    const last = transactions.at(-1)
    if (transactions.length < PAGE_SIZE || (last && Date.parse(last.submitTimeUTC) < oldest)) break
  }
  const found: T[] = []
  for (const transId of candidates) {
    const { transaction, transrefId } = await details(account, transId)
    if ((transrefId ?? transaction.order?.invoiceNumber) !== query.reference) continue
    const meaning = reader(transaction)
    if (meaning === null) continue
    if (Math.round(transaction.authAmount * 100) !== query.amountCents)
      throw new Unavailable('amount_differs')
    found.push(meaning)
  }
  return found
}

/** A transaction of this number as the gateway tells it; throws `Unavailable` where it tells none. */
export async function details(account: Account, transId: string) {
  const { transaction, transrefId } = await read(account, detailsAnswer, 'getTransactionDetailsRequest', {
    transId,
  })
  if (!transaction) throw new Unavailable('details_missing')
  return { transaction, transrefId }
}

function outcomeOf(
  transaction: Details,
  { amountCents }: Query,
): Exclude<LookupOutcome, { kind: 'absent' | 'unavailable' }> {
  const { transactionStatus: status, transId, payment, profile } = transaction
  if (HELD.includes(status)) return { kind: 'held', transactionId: transId }
  const checks = { avs: transaction.AVSResponse || null, cvv: transaction.cardCodeResponse || null }
  const isDeclined = status === 'couldNotVoid' && NOT_APPROVED.includes(transaction.responseCode ?? 0)
  if (isDeclined || NOT_CHARGED.includes(status)) {
    const reason = String(transaction.responseReasonCode ?? status)
    // A card that the merchant's review rejected must not be tried again, whatever reason it was held for.
    const hard = status === 'failedReview' || classOf(reason) === 'hardDecline'
    return { kind: 'declined', reason, hard, checks }
  }
  if (status === 'voided') return { kind: 'voided', transactionId: transId }
  if (status === 'settlementError') return { kind: 'unsettled' }
  if (!CAPTURED.includes(status)) throw new Unavailable(`status_${status}`)
  return {
    kind: 'approved',
    amountCents,
    transactionId: transId,
    networkTransactionId: transaction.networkTransId || null,
    card: {
      brand: payment?.creditCard?.cardType ?? '',
      lastFour: (payment?.creditCard?.cardNumber ?? '').slice(-4),
    },
    storedCard: profile?.customerPaymentProfileId
      ? { customerProfileId: profile.customerProfileId, paymentProfileId: profile.customerPaymentProfileId }
      : null,
    checks,
  }
}

/** Calls the gateway and reads its answer; throws what `orUnavailable` catches. */
export async function read<
  T extends { messages: { resultCode: 'Ok' | 'Error'; message: { code: string }[] } },
>(account: Account, schema: ZodType<T>, name: string, body: Record<string, unknown>): Promise<T> {
  const answer = await send(account, name, body)
  if (answer.kind !== 'answered') throw new Unavailable(answer.detail)
  const parsed = schema.safeParse(answer.body)
  if (!parsed.success) throw new Unavailable('unexpected_answer')
  const { messages } = parsed.data
  if (messages.resultCode === 'Error') throw new Unavailable(messages.message[0]?.code ?? 'error')
  return parsed.data
}
