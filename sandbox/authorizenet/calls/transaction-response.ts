import type { TransactionRow } from '../gateway.ts'
import { messages, ok } from '../wire.ts'

const texts: Record<number, string> = {
  1: 'Approved.',
  2: 'The card was declined.',
  4: 'The card was declined: pick it up.',
  5: 'A valid amount is required.',
  8: 'The card has expired.',
  11: 'A duplicate of an earlier transaction.',
  16: 'The transaction was not found.',
  19: 'An error occurred during processing.',
  27: 'The address does not match the billing address.',
  33: 'A required field is missing.',
  39: 'The currency is not supported.',
  44: 'The card code does not match.',
  47: 'The amount is larger than the authorized one.',
  54: 'The transaction cannot be credited.',
  55: 'The credits would exceed the original amount.',
  253: 'Authorized; held for review.',
  254: 'Declined after review.',
  310: 'Already voided.',
  311: 'Already captured.',
  327: 'The transaction cannot be voided.',
}

export const reasonText = (reasonCode: number): string => texts[reasonCode] ?? 'See the reason code.'

type Values = {
  responseCode: number
  reasonCode: number
  transId: string
  row?: TransactionRow
  refTransId?: string
  authCode?: string
}

/** Answer of `createTransactionRequest`; a decline or error is E00027 beside the full response. */
export function transactionAnswer(values: Values): Record<string, unknown> {
  const { row, responseCode, reasonCode } = values
  const good = responseCode === 1 || responseCode === 4
  const text = reasonText(reasonCode)
  return {
    transactionResponse: {
      responseCode: String(responseCode),
      authCode: values.authCode ?? row?.authCode ?? '',
      avsResultCode: row?.addressResult ?? 'P',
      cvvResultCode: row?.cardCodeResult ?? '',
      cavvResultCode: row ? '2' : '',
      transId: values.transId,
      refTransID: values.refTransId ?? '',
      transHash: '',
      testRequest: '0',
      accountNumber: row ? `XXXX${row.lastFour}` : '',
      accountType: row?.brand ?? '',
      ...(good
        ? { messages: [{ code: String(reasonCode), description: text }] }
        : { errors: [{ errorCode: String(reasonCode), errorText: text }] }),
      transHashSha2: '',
      ...(good && row?.networkTransId ? { networkTransId: row.networkTransId } : {}),
    },
    messages: good ? ok() : messages('E00027', 'The transaction was unsuccessful.'),
  }
}

/** A request that became no transaction: response code 3 and the id "0". */
export const notTaken = (reasonCode: number): Record<string, unknown> =>
  transactionAnswer({ responseCode: 3, reasonCode, transId: '0' })
