import { expect, test } from 'vitest'
import { chargeOutcome } from './charge-outcome.ts'

const ok = { resultCode: 'Ok', message: [{ code: 'I00001', text: '…' }] }
const error = (code: string) => ({ resultCode: 'Error', message: [{ code, text: '…' }] })
const unknown = (detail: string) => ({ kind: 'unknown', detail })
const refused = (reason: string) => ({ kind: 'refused', reason, tokenExpired: false })

const declined = (reason: string, hard: boolean) => ({
  kind: 'declined',
  reason,
  hard,
  checks: { avs: null, cvv: null },
})

/** Answers that the sandbox never gives and the real gateway may. */
test.each([
  ['an empty transactionResponse', { transactionResponse: {}, messages: error('E00113') }, refused('E00113')],
  [
    'a decline under resultCode Ok',
    { transactionResponse: { responseCode: '2', errors: [{ errorCode: '2' }] }, messages: ok },
    declined('2', false),
  ],
  [
    'a decline without a reason',
    { transactionResponse: { responseCode: '2' }, messages: error('E00027') },
    declined('', false),
  ],
  [
    'an approval in test mode',
    { transactionResponse: { responseCode: '1', transId: '0' }, messages: ok },
    refused('test_mode'),
  ],
  [
    'an error without a reason',
    { transactionResponse: { responseCode: '3' }, messages: error('E00027') },
    unknown('reason_'),
  ],
  [
    'a currency that the account lacks',
    { transactionResponse: { responseCode: '3', errors: [{ errorCode: '39' }] }, messages: error('E00027') },
    refused('39'),
  ],
  [
    'a fraud filter',
    { transactionResponse: { responseCode: '2', errors: [{ errorCode: '251' }] }, messages: error('E00027') },
    declined('251', true),
  ],
  [
    'an unheard-of response code',
    { transactionResponse: { responseCode: '9' }, messages: ok },
    unknown('response_code_9'),
  ],
  ['an internal error of the gateway', { messages: error('E00001') }, unknown('no_transaction_E00001')],
  ['Ok without a transaction', { messages: ok }, unknown('no_transaction_I00001')],
  ['a body of another kind', { hello: 'world' }, unknown('unexpected_answer')],
  ['no object', null, unknown('unexpected_answer')],
])('%s', (_name, body, expected) => {
  expect(chargeOutcome({ kind: 'answered', body })).toEqual(expected)
})
