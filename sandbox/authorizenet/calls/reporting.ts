import { findTransaction, type Gateway, type TransactionRow } from '../gateway.ts'
import { ApiError, dollars, messages, ok, textAt, timeLocal, timeUtc } from '../wire.ts'
import type { Call, Reply } from './call.ts'
import { reasonText } from './transaction-response.ts'

const DAY_MS = 24 * 3600 * 1000
const LONGEST_RANGE_MS = 31 * DAY_MS

type BatchRow = { id: number; settledAt: number; state: string }

/** `getTransactionDetailsRequest`. */
export function getTransactionDetails(gateway: Gateway, call: Call): Reply {
  const row = findTransaction(gateway, textAt(call.request, 'transId'))
  if (!row || row.visibleAt > gateway.now().getTime())
    throw new ApiError('E00040', 'The record cannot be found.')
  const batch = row.batchId === null ? undefined : findBatch(gateway, row.batchId)
  return {
    body: {
      transaction: {
        transId: String(row.id),
        ...(row.refTransId === null ? {} : { refTransId: String(row.refTransId) }),
        submitTimeUTC: timeUtc(row.submittedAt),
        submitTimeLocal: timeLocal(row.submittedAt),
        transactionType: row.type,
        transactionStatus: row.status,
        responseCode: row.responseCode,
        responseReasonCode: row.reasonCode,
        responseReasonDescription: reasonText(row.reasonCode),
        authCode: row.authCode,
        AVSResponse: row.addressResult,
        cardCodeResponse: row.cardCodeResult,
        ...(batch ? { batch: batchElement(batch) } : {}),
        order: {
          invoiceNumber: row.invoiceNumber,
          description: row.description,
          discountAmount: 0.0,
          taxIsAfterDiscount: false,
        },
        authAmount: dollars(row.amountCents),
        settleAmount: dollars(row.amountCents),
        taxExempt: false,
        payment: {
          creditCard: { cardNumber: `XXXX${row.lastFour}`, expirationDate: 'XXXX', cardType: row.brand },
        },
        customer: { id: row.customerId, email: row.customerEmail },
        ...(row.billTo === '{}' ? {} : { billTo: JSON.parse(row.billTo) as unknown }),
        recurringBilling: row.recurring === 1,
        product: 'Card Not Present',
        marketType: 'eCommerce',
        ...profileElement(row),
        ...(row.networkTransId ? { networkTransId: row.networkTransId } : {}),
        taxExemptSpecified: true,
      },
      ...(row.refId ? { transrefId: row.refId } : {}),
      messages: ok(),
    },
  }
}

function profileElement(row: TransactionRow): Record<string, unknown> {
  if (row.profileId === null) return {}
  return {
    profile: {
      customerProfileId: String(row.profileId),
      customerPaymentProfileId: String(row.paymentProfileId),
    },
  }
}

const held = "('FDSPendingReview', 'FDSAuthorizedPendingReview')"

/** `getUnsettledTransactionListRequest`: everything in no batch yet, or what is held. */
export function getUnsettledTransactionList(gateway: Gateway, call: Call): Reply {
  const isHeldOnly = textAt(call.request, 'status') === 'pendingApproval'
  return transactionList(
    gateway,
    call,
    isHeldOnly ? `batchId is null and status in ${held}` : 'batchId is null',
    [],
  )
}

/** `getTransactionListRequest`: the transactions of one batch. */
export function getTransactionList(gateway: Gateway, call: Call): Reply {
  const batchId = Number(textAt(call.request, 'batchId'))
  if (!findBatch(gateway, batchId)) throw new ApiError('E00040', 'The record cannot be found.')
  return transactionList(gateway, call, 'batchId = ?', [batchId])
}

function transactionList(gateway: Gateway, call: Call, condition: string, values: number[]): Reply {
  const limit = Number(textAt(call.request, 'paging', 'limit') || '1000')
  const page = Number(textAt(call.request, 'paging', 'offset') || '1')
  if (limit < 1 || limit > 1000 || page < 1 || page > 100_000)
    throw new ApiError('E00013', 'The paging is invalid.')
  const column = textAt(call.request, 'sorting', 'orderBy') === 'submitTimeUTC' ? 'submittedAt' : 'id'
  const direction = textAt(call.request, 'sorting', 'orderDescending') === 'true' ? 'desc' : 'asc'
  const rows = gateway.db
    .prepare(
      `select * from transactions where ${condition} and visibleAt <= ?
       order by ${column} ${direction}, id ${direction} limit ? offset ?`,
    )
    .all(...values, gateway.now().getTime(), limit, (page - 1) * limit) as TransactionRow[]
  if (rows.length === 0)
    return { body: { messages: messages('I00004', 'No records found.'), totalNumInResultSet: 0 } }
  return { body: { transactions: rows.map(summary), totalNumInResultSet: rows.length, messages: ok() } }
}

function summary(row: TransactionRow): Record<string, unknown> {
  const settles = row.responseCode === 1 && row.status !== 'voided'
  return {
    transId: String(row.id),
    submitTimeUTC: timeUtc(row.submittedAt),
    submitTimeLocal: timeLocal(row.submittedAt),
    transactionStatus: row.status,
    ...(row.invoiceNumber ? { invoiceNumber: row.invoiceNumber } : {}),
    accountType: row.brand,
    accountNumber: `XXXX${row.lastFour}`,
    settleAmount: settles ? dollars(row.amountCents) : 0,
    marketType: 'eCommerce',
    product: 'Card Not Present',
    hasReturnedItemsSpecified: false,
    ...profileElement(row),
  }
}

function findBatch(gateway: Gateway, id: number): BatchRow | undefined {
  return gateway.db.prepare('select * from batches where id = ?').get(id) as BatchRow | undefined
}

/** `getSettledBatchListRequest`: batches settled in a range of at most 31 days, by default the last day. */
export function getSettledBatchList(gateway: Gateway, call: Call): Reply {
  const now = gateway.now().getTime()
  const first = instant(textAt(call.request, 'firstSettlementDate')) ?? now - DAY_MS
  const last = instant(textAt(call.request, 'lastSettlementDate')) ?? now
  if (last < first || last - first > LONGEST_RANGE_MS)
    throw new ApiError('E00013', 'The range of dates is invalid.')
  const batches = gateway.db
    .prepare('select * from batches where settledAt between ? and ? order by id')
    .all(first, last) as BatchRow[]
  if (batches.length === 0) return { body: { messages: messages('I00004', 'No records found.') } }
  const withStatistics = textAt(call.request, 'includeStatistics') === 'true'
  const batchList = batches.map((batch) => ({
    ...batchElement(batch),
    ...(withStatistics ? { statistics: statistics(gateway, batch) } : {}),
  }))
  return { body: { batchList, messages: ok() } }
}

/** A time without a zone is UTC. */
function instant(value: string): number | null {
  return value ? Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(value) ? value : `${value}Z`) : null
}

/** `getBatchStatisticsRequest`: sums and counts by brand; a chargeback comes off the batch after it. */
export function getBatchStatistics(gateway: Gateway, call: Call): Reply {
  const batch = findBatch(gateway, Number(textAt(call.request, 'batchId')))
  if (!batch) throw new ApiError('E00040', 'The record cannot be found.')
  return {
    body: { batch: { ...batchElement(batch), statistics: statistics(gateway, batch) }, messages: ok() },
  }
}

function batchElement(batch: BatchRow): Record<string, unknown> {
  return {
    batchId: String(batch.id),
    settlementTimeUTC: timeUtc(batch.settledAt),
    settlementTimeUTCSpecified: true,
    settlementTimeLocal: timeLocal(batch.settledAt),
    settlementTimeLocalSpecified: true,
    settlementState: batch.state,
    paymentMethod: 'creditCard',
    marketType: 'eCommerce',
    product: 'Card Not Present',
  }
}

function statistics(gateway: Gateway, { id, state }: BatchRow): Record<string, unknown>[] {
  // Of a batch that failed, the gateway has its own totals of what it sent.
  const failed = state === 'settlementError' ? `'settlementError'` : 'null'
  const settled = `batchId = :batch and type <> 'refundTransaction' and status in ('settledSuccessfully', 'chargeback', ${failed})`
  const refunded = `batchId = :batch and type = 'refundTransaction' and status in ('refundSettledSuccessfully', ${failed})`
  const isIn = (status: string) => `batchId = :batch and status = '${status}'`
  const chargedBack = '(chargedBackAt is not null and chargebackBatchId = :batch)'
  const rows = gateway.db
    .prepare(
      `select brand as accountType,
         coalesce(sum(amountCents) filter (where ${settled}), 0) as chargeAmount, count(*) filter (where ${settled}) as chargeCount,
         coalesce(sum(amountCents) filter (where ${refunded}), 0) as refundAmount,
         count(*) filter (where ${refunded}) as refundCount,
         count(*) filter (where ${isIn('voided')}) as voidCount, count(*) filter (where ${isIn('declined')}) as declineCount,
         count(*) filter (where ${isIn('generalError')}) as errorCount,
         coalesce(sum(amountCents) filter (where ${chargedBack}), 0) as chargebackAmount,
         count(*) filter (where ${chargedBack}) as chargebackCount
       from transactions where batchId = :batch or ${chargedBack} group by brand order by brand`,
    )
    .all({ batch: id }) as { chargeAmount: number; refundAmount: number; chargebackAmount: number }[]
  return rows.map((row) => ({
    ...row,
    chargeAmount: dollars(row.chargeAmount),
    refundAmount: dollars(row.refundAmount),
    chargebackAmount: dollars(row.chargebackAmount),
  }))
}
