import type { ZodType } from 'zod'
import type { LookupOutcome } from '../port.ts'
import { batchListAnswer, type Details, detailsAnswer, listAnswer } from './answers.ts'
import { type Account, send } from './client.ts'

const PAGE_SIZE = 1000
/** Our clock and the gateway's may differ. */
const CLOCK_MARGIN_MS = 3600 * 1000
/** The longest range that one call for batches may ask for is 31 days. */
const BATCH_RANGE_MS = 30 * 24 * 3600 * 1000

const CAPTURED = [
  'capturedPendingSettlement',
  'pendingSettlement',
  'pendingFinalSettlement',
  'updatingSettlement',
  'settledSuccessfully',
  'approvedReview',
  'returnedItem',
  'chargeback',
  'chargebackReversal',
]
const HELD = ['FDSPendingReview', 'FDSAuthorizedPendingReview', 'underReview', 'authorizedPendingRelease']
const NOT_CHARGED = ['declined', 'generalError', 'communicationError', 'failedReview', 'expired']

type Query = { reference: string; amountCents: number; since: Date }

/** Ends a look-up that cannot be answered now. */
class Unavailable extends Error {}

/**
 * Finds an attempt by its reference: what is unsettled, newest first, then the batches settled since; each
 * candidate is confirmed by its details. A reference found with another amount is `unavailable`, never `absent`.
 */
export async function lookup(account: Account, query: Query): Promise<LookupOutcome> {
  try {
    const found = (await inUnsettled(account, query)) ?? (await inBatches(account, query))
    return found ?? { kind: 'absent' }
  } catch (error) {
    if (error instanceof Unavailable) return { kind: 'unavailable', detail: error.message }
    throw error
  }
}

async function inUnsettled(account: Account, query: Query): Promise<LookupOutcome | null> {
  // Whether `any` covers what is held for review is not documented.
  for (const status of ['any', 'pendingApproval']) {
    const found = await inList(account, query, 'getUnsettledTransactionListRequest', { status })
    if (found) return found
  }
  return null
}

async function inBatches(account: Account, query: Query): Promise<LookupOutcome | null> {
  const { batchList } = await read(account, batchListAnswer, 'getSettledBatchListRequest', {
    includeStatistics: false,
    firstSettlementDate: new Date(query.since.getTime() - CLOCK_MARGIN_MS).toISOString(),
    lastSettlementDate: new Date(query.since.getTime() + BATCH_RANGE_MS).toISOString(),
  })
  for (const { batchId } of batchList) {
    const found = await inList(account, query, 'getTransactionListRequest', { batchId })
    if (found) return found
  }
  return null
}

async function inList(
  account: Account,
  query: Query,
  name: string,
  filter: Record<string, string>,
): Promise<LookupOutcome | null> {
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
  const outcomes: LookupOutcome[] = []
  for (const transId of candidates) {
    const outcome = await confirm(account, query, transId)
    if (outcome) outcomes.push(outcome)
  }
  // One reference may stand for a decline and a charge after it; money that moved counts most.
  const weight = ['approved', 'held', 'voided', 'declined']
  return outcomes.sort((one, other) => weight.indexOf(one.kind) - weight.indexOf(other.kind))[0] ?? null
}

/** Reads the details of a candidate; null when it is not the charge of this attempt. */
async function confirm(account: Account, query: Query, transId: string): Promise<LookupOutcome | null> {
  const { transaction, transrefId } = await read(account, detailsAnswer, 'getTransactionDetailsRequest', {
    transId,
  })
  if (!transaction) throw new Unavailable('details_missing')
  if (transaction.transactionType !== 'authCaptureTransaction') return null
  if ((transrefId ?? transaction.order?.invoiceNumber) !== query.reference) return null
  if (Math.round(transaction.authAmount * 100) !== query.amountCents) throw new Unavailable('amount_differs')
  return outcomeOf(transaction, query.amountCents)
}

function outcomeOf(transaction: Details, amountCents: number): LookupOutcome {
  const { transactionStatus: status, transId, payment, profile } = transaction
  if (HELD.includes(status)) return { kind: 'held', transactionId: transId }
  if (NOT_CHARGED.includes(status))
    return { kind: 'declined', reason: String(transaction.responseReasonCode ?? status) }
  if (status === 'voided') return { kind: 'voided', transactionId: transId }
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
    checks: { avs: transaction.AVSResponse || null, cvv: transaction.cardCodeResponse || null },
  }
}

async function read<T extends { messages: { resultCode: 'Ok' | 'Error'; message: { code: string }[] } }>(
  account: Account,
  schema: ZodType<T>,
  name: string,
  body: Record<string, unknown>,
): Promise<T> {
  const answer = await send(account, name, body)
  if (answer.kind !== 'answered') throw new Unavailable(answer.detail)
  const parsed = schema.safeParse(answer.body)
  if (!parsed.success) throw new Unavailable('unexpected_answer')
  const { messages } = parsed.data
  if (messages.resultCode === 'Error') throw new Unavailable(messages.message[0]?.code ?? 'error')
  return parsed.data
}
