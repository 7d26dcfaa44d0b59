import type { Payments } from '../port.ts'
import { charge } from './charge.ts'
import { checkToken } from './check-token.ts'
import type { Account } from './client.ts'
import { deleteCard, listCards, storeCard } from './customer-cards.ts'
import { deleteCustomer } from './delete-customer.ts'
import { findTransaction } from './find-transaction.ts'
import { listBatch, listBatches } from './list-batches.ts'
import { listCharges } from './list-charges.ts'
import { listRefunds } from './list-refunds.ts'
import { lookup, lookupRefund } from './lookup.ts'
import { refundCharge } from './refund-charge.ts'
import { storeCardOf } from './stored-card.ts'
import { voidCharge } from './void-charge.ts'
import { readWebhook } from './webhook.ts'

/** The vendor's own clients wait about this long. */
const DEFAULT_TIMEOUT_MS = 30_000

/**
 * Card payments by Authorize.Net. `apiUrl` is the address of `request.api` and `scriptUrl` that of Accept.js, of the
 * real gateway or of its sandbox; `timeoutMs` bounds each call to the gateway. Without `signatureKey` no webhook is read.
 */
export function authorizenet(options: {
  apiUrl: string
  scriptUrl: string
  apiLoginID: string
  transactionKey: string
  clientKey: string
  signatureKey?: string | undefined
  sandbox: boolean
  timeoutMs?: number
}): Payments {
  const { apiUrl, scriptUrl, apiLoginID, transactionKey, clientKey, signatureKey, sandbox } = options
  const account: Account = {
    apiUrl,
    apiLoginID,
    transactionKey,
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
  }
  return {
    charge: (wanted) => charge(account, wanted),
    keepCardOf: (charged) => storeCardOf(account, charged),
    lookup: (query) => lookup(account, query),
    voidCharge: (transactionId) => voidCharge(account, transactionId),
    refundCharge: (refund) => refundCharge(account, refund),
    findTransaction: (transactionId) => findTransaction(account, transactionId),
    readWebhook: signatureKey === undefined ? null : (message) => readWebhook(signatureKey, message),
    listBatches: (range) => listBatches(account, range),
    listBatch: (batchId) => listBatch(account, batchId),
    listCharges: (since) => listCharges(account, since),
    listRefunds: (range) => listRefunds(account, range),
    lookupRefund: (query) => lookupRefund(account, query),
    storeCard: (wanted) => storeCard(account, wanted),
    listCards: (of) => listCards(account, of),
    deleteCard: (card) => deleteCard(account, card),
    deleteCustomer: (id) => deleteCustomer(account, id),
    checkToken: (token) => checkToken(account, token),
    browser: {
      scriptUrl,
      apiLoginID,
      clientKey,
      scriptOrigin: new URL(scriptUrl).origin,
      apiOrigins: browserOrigins(apiUrl),
    },
    sandbox,
  }
}

/** The vendor's own script posts to either of its two production hosts, whichever of them we use ourselves. */
function browserOrigins(apiUrl: string): string[] {
  const { origin } = new URL(apiUrl)
  const production = ['https://api.authorize.net', 'https://api2.authorize.net']
  return production.includes(origin) ? production : [origin]
}
