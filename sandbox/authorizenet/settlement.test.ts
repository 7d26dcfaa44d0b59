import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startGateway, type TestGateway } from './testing.ts'

let gateway: TestGateway
beforeEach(async () => {
  gateway = await startGateway()
})
afterEach(() => gateway.close())

const transaction = (content: Record<string, unknown>) =>
  gateway.call('createTransactionRequest', { transactionRequest: content })
const chargeId = async (amount = '9.99'): Promise<string> =>
  (await gateway.charge({ amount })).transactionResponse.transId
const voidOf = (refTransId: string) => transaction({ transactionType: 'voidTransaction', refTransId })
const refundOf = (refTransId: string, amount: string, cardNumber = '1111') =>
  transaction({
    transactionType: 'refundTransaction',
    amount,
    payment: { creditCard: { cardNumber, expirationDate: 'XXXX' } },
    refTransId,
  })
const statusOf = async (transId: string): Promise<string> =>
  (await gateway.call('getTransactionDetailsRequest', { transId })).transaction.transactionStatus

describe('before settlement', () => {
  test('a void keeps the number, and a second one is reason 310', async () => {
    const transId = await chargeId()
    expect((await voidOf(transId)).transactionResponse).toMatchObject({
      responseCode: '1',
      transId,
      refTransID: transId,
    })
    expect(await statusOf(transId)).toBe('voided')
    expect((await voidOf(transId)).transactionResponse).toMatchObject({
      responseCode: '1',
      transId: '0',
      messages: [{ code: '310' }],
    })
  })

  test('a refund is reason 54', async () => {
    const transId = await chargeId()
    expect((await refundOf(transId, '1.00')).transactionResponse).toMatchObject({
      responseCode: '3',
      transId: '0',
      errors: [{ errorCode: '54' }],
    })
    expect(await statusOf(transId)).toBe('capturedPendingSettlement')
  })

  test('what is not there is reason 16', async () => {
    expect((await voidOf('123')).transactionResponse.errors[0].errorCode).toBe('16')
    expect((await refundOf('123', '1.00')).transactionResponse.errors[0].errorCode).toBe('16')
  })

  test('an authorization is captured in part, once', async () => {
    const { transactionResponse } = await gateway.charge({ rest: { transactionType: 'authOnlyTransaction' } })
    const capture = (amount: string) =>
      transaction({
        transactionType: 'priorAuthCaptureTransaction',
        amount,
        refTransId: transactionResponse.transId,
      })
    expect((await capture('10.00')).transactionResponse.errors[0].errorCode).toBe('47')
    expect((await capture('5.00')).transactionResponse).toMatchObject({
      responseCode: '1',
      transId: transactionResponse.transId,
    })
    expect((await capture('5.00')).transactionResponse).toMatchObject({
      responseCode: '1',
      messages: [{ code: '311' }],
    })
  })
})

describe('after settlement', () => {
  test('a void is reason 327 and changes nothing', async () => {
    const transId = await chargeId()
    await gateway.admin('POST', '/settle')
    expect((await voidOf(transId)).transactionResponse).toMatchObject({
      responseCode: '3',
      errors: [{ errorCode: '327' }],
    })
    expect(await statusOf(transId)).toBe('settledSuccessfully')
  })

  test('refunds have numbers of their own and never exceed the charge', async () => {
    const transId = await chargeId('10.00')
    await gateway.admin('POST', '/settle')
    const first = (await refundOf(transId, '4.00')).transactionResponse
    expect(first).toMatchObject({ responseCode: '1', refTransID: transId, authCode: '' })
    expect(first.transId).not.toBe(transId)
    expect((await refundOf(transId, '6.01')).transactionResponse.errors[0].errorCode).toBe('55')
    expect((await refundOf(transId, '6.00')).transactionResponse.responseCode).toBe('1')
    await gateway.admin('POST', '/settle')
    expect(await statusOf(first.transId)).toBe('refundSettledSuccessfully')
  })

  test('a refund to another card, or after 180 days, is reason 54', async () => {
    const transId = await chargeId()
    await gateway.admin('POST', '/settle')
    expect((await refundOf(transId, '1.00', '2222')).transactionResponse.errors[0].errorCode).toBe('54')
    gateway.advance(181 * 24 * 3600)
    expect((await refundOf(transId, '1.00')).transactionResponse.errors[0].errorCode).toBe('54')
  })

  test('a chargeback can be raised only then', async () => {
    const transId = await chargeId()
    expect((await gateway.admin('POST', `/transactions/${transId}/chargeback`)).error).toContain(
      'capturedPendingSettlement',
    )
    await gateway.admin('POST', '/settle')
    await gateway.admin('POST', `/transactions/${transId}/chargeback`)
    expect(await statusOf(transId)).toBe('chargeback')
  })

  test('a chargeback comes off the next batch, and stays in the sums of its own as it was charged', async () => {
    const transId = await chargeId('9.99')
    const { batchId } = await gateway.admin('POST', '/settle')
    await gateway.admin('POST', `/transactions/${transId}/chargeback`)
    const { batchId: next } = await gateway.admin('POST', '/settle')
    const { batchList } = await gateway.call('getSettledBatchListRequest', { includeStatistics: true })
    expect(batchList).toMatchObject([
      {
        batchId,
        statistics: [{ chargeAmount: 9.99, chargeCount: 1, chargebackAmount: 0, chargebackCount: 0 }],
      },
      {
        batchId: next,
        statistics: [{ chargeAmount: 0, chargeCount: 0, chargebackAmount: 9.99, chargebackCount: 1 }],
      },
    ])
    expect(await gateway.admin('POST', '/settle')).toEqual({ batchId: null })
  })

  test.each([
    ['settlementError', 'settlementError'],
    ['couldNotVoid', 'settledSuccessfully'],
  ])('one that is captured becomes %s on command, and %s in its batch', async (action, settled) => {
    const transId = await chargeId()
    await gateway.admin('POST', `/transactions/${transId}/${action}`)
    expect(await statusOf(transId)).toBe(action)
    await gateway.admin('POST', '/settle')
    expect(await statusOf(transId)).toBe(settled)
  })
})

test('a batch that the processor rejects settles nothing, until it is reset and the next one has it', async () => {
  const settled = await chargeId('10.00')
  await gateway.admin('POST', '/settle')
  const refund = (await refundOf(settled, '4.00')).transactionResponse.transId
  const charge = await chargeId('5.00')
  const { batchId } = await gateway.admin('POST', '/settle/fail')
  const { batchList } = await gateway.call('getSettledBatchListRequest', { includeStatistics: true })
  expect(batchList.at(-1)).toMatchObject({
    ...{ batchId, settlementState: 'settlementError', statistics: [{ chargeAmount: 5, refundAmount: 4 }] },
  })
  expect([await statusOf(charge), await statusOf(refund)]).toEqual(['settlementError', 'settlementError'])
  expect(await gateway.admin('POST', '/settle')).toEqual({ batchId: null })
  await gateway.admin('POST', `/batches/${batchId}/reset`)
  expect([await statusOf(charge), await statusOf(refund)]).toEqual([
    'capturedPendingSettlement',
    'refundPendingSettlement',
  ])
  expect((await gateway.call('getTransactionListRequest', { batchId })).messages.message[0].code).toBe(
    'I00004',
  )
  await gateway.admin('POST', '/settle')
  expect([await statusOf(charge), await statusOf(refund)]).toEqual([
    'settledSuccessfully',
    'refundSettledSuccessfully',
  ])
})

describe('the clock settles', () => {
  test('at the cut-off, but not what came in the hour before it', async () => {
    const early = await chargeId()
    gateway.advance(15.5 * 3600)
    const late = await chargeId()
    gateway.advance(1800 - 1)
    expect(await statusOf(early)).toBe('capturedPendingSettlement')
    gateway.advance(1)
    expect(await statusOf(early)).toBe('settledSuccessfully')
    expect(await statusOf(late)).toBe('capturedPendingSettlement')
    gateway.advance(24 * 3600)
    expect(await statusOf(late)).toBe('settledSuccessfully')
  })

  test('what was charged back since', async () => {
    const transId = await chargeId('9.99')
    gateway.advance(24 * 3600)
    expect(await statusOf(transId)).toBe('settledSuccessfully')
    await gateway.admin('POST', `/transactions/${transId}/chargeback`)
    gateway.advance(48 * 3600)
    await gateway.admin('GET', '/transactions')
    const { batchList } = await gateway.call('getSettledBatchListRequest', {
      includeStatistics: true,
      firstSettlementDate: '2031-10-05T00:00:00Z',
      lastSettlementDate: '2031-10-09T00:00:00Z',
    })
    expect(
      batchList.flatMap((batch: { statistics: { chargebackAmount: number }[] }) =>
        batch.statistics.map(({ chargebackAmount }) => chargebackAmount),
      ),
    ).toEqual([0, 9.99])
  })

  test('never what is held for review', async () => {
    const { transactionResponse } = await gateway.charge({ card: { cardCode: '205' } })
    gateway.advance(72 * 3600)
    expect(await statusOf(transactionResponse.transId)).toBe('FDSAuthorizedPendingReview')
  })
})

describe('reports', () => {
  test('nothing to list is Ok with I00004 and no array', async () => {
    const answer = await gateway.call('getUnsettledTransactionListRequest')
    expect(answer).toMatchObject({ messages: { resultCode: 'Ok', message: [{ code: 'I00004' }] } })
    expect(answer).not.toHaveProperty('transactions')
  })

  test('the unsettled list pages, newest first', async () => {
    const ids = [await chargeId('1.00'), await chargeId('2.00'), await chargeId('3.00')]
    const page = async (offset: number) => {
      const answer = await gateway.call('getUnsettledTransactionListRequest', {
        sorting: { orderBy: 'submitTimeUTC', orderDescending: true },
        paging: { limit: 2, offset },
      })
      return answer.transactions.map((row: { transId: string; settleAmount: number }) => [
        row.transId,
        row.settleAmount,
      ])
    }
    expect(await page(1)).toEqual([
      [ids[2], 3],
      [ids[1], 2],
    ])
    expect(await page(2)).toEqual([[ids[0], 1]])
  })

  test('a batch lists its transactions and its sums', async () => {
    const kept = await chargeId('9.99')
    await voidOf(await chargeId('5.00'))
    await gateway.charge({ card: { cardCode: '201' } })
    const { batchId } = await gateway.admin('POST', '/settle')
    expect(await gateway.admin('POST', '/settle')).toEqual({ batchId: null })
    const { batchList } = await gateway.call('getSettledBatchListRequest', { includeStatistics: true })
    expect(batchList).toMatchObject([
      {
        batchId,
        statistics: [
          { accountType: 'Visa', chargeAmount: 9.99, chargeCount: 1, voidCount: 1, declineCount: 1 },
        ],
      },
    ])
    const { transactions } = await gateway.call('getTransactionListRequest', { batchId })
    expect(transactions).toHaveLength(3)
    expect(transactions.find((row: { transId: string }) => row.transId === kept)).toMatchObject({
      transactionStatus: 'settledSuccessfully',
    })
    expect((await gateway.call('getBatchStatisticsRequest', { batchId })).batch.batchId).toBe(batchId)
    expect((await gateway.call('getUnsettledTransactionListRequest')).messages.message[0].code).toBe('I00004')
  })

  test('batches are asked for by at most 31 days', async () => {
    await chargeId()
    await gateway.admin('POST', '/settle')
    const list = (firstSettlementDate: string, lastSettlementDate: string) =>
      gateway.call('getSettledBatchListRequest', { firstSettlementDate, lastSettlementDate })
    expect((await list('2031-10-05T00:00:00Z', '2031-11-05T00:00:00Z')).batchList).toHaveLength(1)
    expect((await list('2031-10-04T00:00:00Z', '2031-11-05T00:00:00Z')).messages.message[0].code).toBe(
      'E00013',
    )
    expect(await list('2031-10-06T00:00:00Z', '2031-10-07T00:00:00Z')).not.toHaveProperty('batchList')
  })

  test('details carry the reference, numbers as numbers, ids as text', async () => {
    const { transactionResponse } = await gateway.charge({ invoiceNumber: 'details-1' })
    const answer = await gateway.call('getTransactionDetailsRequest', {
      transId: transactionResponse.transId,
    })
    expect(answer).toMatchObject({
      transrefId: 'details-1',
      transaction: {
        transId: transactionResponse.transId,
        responseCode: 1,
        responseReasonCode: 1,
        authAmount: 9.99,
        order: { invoiceNumber: 'details-1' },
        payment: { creditCard: { cardNumber: 'XXXX1111', expirationDate: 'XXXX', cardType: 'Visa' } },
        customer: { id: 'fan_1042', email: 'ann@example.test' },
        submitTimeUTC: '2031-10-05T08:00:00.000Z',
      },
    })
  })
})
