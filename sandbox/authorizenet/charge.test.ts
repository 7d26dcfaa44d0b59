import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startGateway, TEST_CARD, type TestGateway } from './testing.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

describe('an approved charge', () => {
  test('has the shape of the wire', async () => {
    const answer = await gateway.charge({ invoiceNumber: 'shape-1' })
    expect(answer).toEqual({
      transactionResponse: {
        responseCode: '1',
        authCode: expect.stringMatching(/^[0-9A-F]{6}$/),
        avsResultCode: 'Y',
        cvvResultCode: 'P',
        cavvResultCode: '2',
        transId: expect.stringMatching(/^601\d{8}$/),
        refTransID: '',
        transHash: '',
        testRequest: '0',
        accountNumber: 'XXXX1111',
        accountType: 'Visa',
        messages: [{ code: '1', description: expect.any(String) }],
        transHashSha2: '',
        networkTransId: expect.stringMatching(/^[0-9A-F]{16}$/),
      },
      refId: 'shape-1',
      messages: { resultCode: 'Ok', message: [{ code: 'I00001', text: expect.any(String) }] },
    })
  })

  test('is counted by its invoice number, and later ids are larger', async () => {
    const first = await gateway.charge({ invoiceNumber: 'count-1' })
    const second = await gateway.charge({ invoiceNumber: 'count-2' })
    expect(Number(second.transactionResponse.transId)).toBeGreaterThan(
      Number(first.transactionResponse.transId),
    )
    const { items, capturesByInvoice } = await gateway.admin('GET', '/transactions?invoiceNumber=count-1')
    expect(capturesByInvoice).toEqual({ 'count-1': 1 })
    expect(items).toMatchObject([
      { transId: first.transactionResponse.transId, amountCents: 999, status: 'capturedPendingSettlement' },
    ])
  })

  test.each([
    ['4007000000027', 'Visa'],
    ['4012888818888', 'Visa'],
    ['5424000000000015', 'MasterCard'],
    ['2223000010309703', 'MasterCard'],
    ['370000000000002', 'AmericanExpress'],
    ['6011000000000012', 'Discover'],
    ['3088000000000017', 'JCB'],
    ['38000000000006', 'DinersClub'],
  ])('takes %s as %s', async (cardNumber, accountType) => {
    const answer = await gateway.charge({ card: { cardNumber } })
    expect(answer.transactionResponse).toMatchObject({
      responseCode: '1',
      accountType,
      accountNumber: `XXXX${cardNumber.slice(-4)}`,
    })
  })

  test.each([
    ['900', 'M'],
    ['901', 'N'],
    ['902', 'S'],
    ['903', 'U'],
    ['904', 'P'],
  ])('card code %s answers %s', async (cardCode, cvvResultCode) => {
    expect((await gateway.charge({ card: { cardCode } })).transactionResponse).toMatchObject({
      responseCode: '1',
      cvvResultCode,
    })
  })

  test.each([
    ['46201', 'A'],
    ['46205', 'N'],
    ['46217', 'Z'],
  ])('the zip %s of the token answers %s', async (zip, avsResultCode) => {
    expect((await gateway.charge({ card: { zip } })).transactionResponse).toMatchObject({
      responseCode: '1',
      avsResultCode,
    })
  })
})

describe('what does not pass', () => {
  const declined = [
    ['2', '2', { card: { cardCode: '201' } }],
    ['2', '4', { card: { cardCode: '202' } }],
    ['2', '44', { card: { cardCode: '203' } }],
    ['3', '8', { card: { cardCode: '204' } }],
    ['3', '19', { card: { cardCode: '206' } }],
    ['2', '2', { amount: '70.01' }],
    ['3', '8', { amount: '70.04' }],
    ['2', '2', { card: { cardNumber: '4000000000000002' } }],
    ['3', '8', { card: { cardNumber: '4000000000000069' } }],
    ['2', '2', { card: { zip: '46282' } }],
    ['2', '2', { rest: { billTo: { zip: '46282' } } }],
    ['3', '8', { card: { expirationDate: '0931' } }],
  ] as const
  test.each(declined)('response code %s, reason %s: %j', async (responseCode, errorCode, wanted) => {
    const invoiceNumber = crypto.randomUUID().slice(0, 20)
    const rest = 'rest' in wanted ? { customer: { id: 'fan' }, ...wanted.rest } : {}
    const answer = await gateway.charge({ ...wanted, invoiceNumber, rest })
    expect(answer).toMatchObject({
      transactionResponse: { responseCode, errors: [{ errorCode }], authCode: '' },
      messages: { resultCode: 'Error', message: [{ code: 'E00027' }] },
    })
    expect(
      (await gateway.admin('GET', `/transactions?invoiceNumber=${invoiceNumber}`)).capturesByInvoice,
    ).toEqual({ [invoiceNumber]: 0 })
  })

  test.each([
    ['an amount of nothing', { amount: '0.00' }, '5'],
    ['a negative amount', { amount: '-1.00' }, '5'],
    ['a fraction of a cent', { amount: '1.001' }, '5'],
    ['another currency', { rest: { currencyCode: 'EUR' } }, '39'],
    ['no card', { rest: { payment: undefined } }, '33'],
  ])('%s becomes no transaction', async (_name, wanted, errorCode) => {
    const answer = await gateway.call('createTransactionRequest', {
      transactionRequest: inOrder(
        {
          transactionType: 'authCaptureTransaction',
          amount: '9.99',
          payment: { opaqueData: await gateway.token() },
        },
        wanted,
      ),
    })
    expect(answer.transactionResponse).toMatchObject({
      responseCode: '3',
      transId: '0',
      errors: [{ errorCode }],
    })
  })

  test('held for review is Ok, response code 4, and captures nothing until approved', async () => {
    const answer = await gateway.charge({ card: { cardCode: '205' }, invoiceNumber: 'held-1' })
    expect(answer).toMatchObject({
      transactionResponse: { responseCode: '4', messages: [{ code: '253' }] },
      messages: { resultCode: 'Ok' },
    })
    const { transId } = answer.transactionResponse
    const pending = await gateway.call('getUnsettledTransactionListRequest', { status: 'pendingApproval' })
    expect(pending.transactions).toMatchObject([
      { transId, transactionStatus: 'FDSAuthorizedPendingReview', invoiceNumber: 'held-1' },
    ])
    expect((await gateway.admin('GET', '/transactions?invoiceNumber=held-1')).capturesByInvoice).toEqual({
      'held-1': 0,
    })
    await gateway.call('updateHeldTransactionRequest', {
      heldTransactionRequest: { action: 'approve', refTransId: transId },
    })
    expect((await gateway.admin('GET', '/transactions?invoiceNumber=held-1')).capturesByInvoice).toEqual({
      'held-1': 1,
    })
    const again = await gateway.call('updateHeldTransactionRequest', {
      heldTransactionRequest: { action: 'decline', refTransId: transId },
    })
    expect(again.messages.message[0].code).toBe('E00040')
  })

  test('a held transaction that the admin endpoint declines captures nothing', async () => {
    const { transactionResponse } = await gateway.charge({
      card: { cardNumber: '4000000000009235' },
      invoiceNumber: 'held-2',
    })
    const { transaction } = await gateway.admin(
      'POST',
      `/transactions/${transactionResponse.transId}/decline`,
    )
    expect(transaction).toMatchObject({ status: 'declined', reasonCode: 254 })
  })
})

/** `wanted` put into the schema's order; an undefined element is left out. */
function inOrder(
  base: Record<string, unknown>,
  wanted: { amount?: string; rest?: Record<string, unknown> },
): Record<string, unknown> {
  const { transactionType, amount, payment, currencyCode } = {
    ...base,
    ...(wanted.amount ? { amount: wanted.amount } : {}),
    ...wanted.rest,
  } as Record<string, unknown>
  return {
    transactionType,
    amount,
    ...(currencyCode ? { currencyCode } : {}),
    ...(payment ? { payment } : {}),
  }
}

describe('tokens', () => {
  const chargeToken = (opaqueData: object) =>
    gateway.call('createTransactionRequest', {
      transactionRequest: {
        transactionType: 'authCaptureTransaction',
        amount: '5.00',
        payment: { opaqueData },
        order: { invoiceNumber: crypto.randomUUID().slice(0, 20) },
      },
    })

  test('one is used once', async () => {
    const token = await gateway.token()
    expect((await chargeToken(token)).transactionResponse.responseCode).toBe('1')
    const again = await chargeToken(token)
    expect(again).toMatchObject({ messages: { resultCode: 'Error', message: [{ code: 'E00114' }] } })
    expect(again.transactionResponse).toBeUndefined()
  })

  test('a decline uses it up', async () => {
    const token = await gateway.token({ cardCode: '201' })
    expect((await chargeToken(token)).transactionResponse.responseCode).toBe('2')
    expect((await chargeToken(token)).messages.message[0].code).toBe('E00114')
  })

  test('lives for 15 minutes', async () => {
    const [early, late] = [await gateway.token(), await gateway.token()]
    gateway.advance(15 * 60 - 1)
    expect((await chargeToken(early)).transactionResponse.responseCode).toBe('1')
    gateway.advance(1)
    expect((await chargeToken(late)).messages.message[0].code).toBe('E00115')
  })

  test.each([
    ['an invented value', { dataDescriptor: 'COMMON.ACCEPT.INAPP.PAYMENT', dataValue: 'invented' }, 'E00114'],
    ['another descriptor', { dataDescriptor: 'COMMON.APPLE.INAPP.PAYMENT', dataValue: 'invented' }, 'E00113'],
  ])('%s is refused', async (_name, token, code) => {
    expect((await chargeToken(token)).messages.message[0].code).toBe(code)
  })

  test.each([
    ['a number without Luhn', { cardNumber: '4111111111111112' }],
    ['an expiry that is no month', { expirationDate: '1349' }],
  ])('%s makes no token', async (_name, card) => {
    expect(await gateway.token(card)).toBeUndefined()
  })
})

describe('duplicates', () => {
  const setting = (seconds: string) => ({
    transactionSettings: { setting: [{ settingName: 'duplicateWindow', settingValue: seconds }] },
  })

  test('the same request within its window is one transaction', async () => {
    const wanted = { invoiceNumber: 'twice', rest: setting('28800') }
    const answers = [await gateway.charge(wanted), await gateway.charge(wanted)]
    expect(answers.map((answer) => answer.transactionResponse.responseCode)).toEqual(['1', '3'])
    expect(answers[1].transactionResponse).toMatchObject({ transId: '0', errors: [{ errorCode: '11' }] })
    gateway.advance(28_800)
    expect((await gateway.charge(wanted)).transactionResponse.responseCode).toBe('1')
    expect((await gateway.admin('GET', '/transactions?invoiceNumber=twice')).capturesByInvoice).toEqual({
      twice: 2,
    })
  })

  test.each([
    ['invoice number', { invoiceNumber: 'other' }],
    ['amount', { amount: '9.98' }],
    ['card', { card: { cardNumber: '4007000000027' } }],
    ['expiry', { card: { expirationDate: '1149' } }],
    ['customer', { rest: { customer: { id: 'fan_2' } } }],
  ])('another %s is no duplicate', async (_name, difference) => {
    const invoiceNumber = crypto.randomUUID().slice(0, 20)
    await gateway.charge({ invoiceNumber })
    expect((await gateway.charge({ invoiceNumber, ...difference })).transactionResponse.responseCode).toBe(
      '1',
    )
  })

  test('without a setting the window is two minutes, and 0 switches it off', async () => {
    await gateway.charge({ invoiceNumber: 'short' })
    gateway.advance(119)
    expect((await gateway.charge({ invoiceNumber: 'short' })).transactionResponse.responseCode).toBe('3')
    gateway.advance(1)
    expect((await gateway.charge({ invoiceNumber: 'short' })).transactionResponse.responseCode).toBe('1')
    expect(
      (await gateway.charge({ invoiceNumber: 'short', rest: setting('0') })).transactionResponse.responseCode,
    ).toBe('1')
  })
})

test('a card given directly is charged like a token', async () => {
  const answer = await gateway.call('createTransactionRequest', {
    transactionRequest: {
      transactionType: 'authCaptureTransaction',
      amount: '3',
      payment: { creditCard: { ...TEST_CARD, expirationDate: '2049-12' } },
    },
  })
  expect(answer.transactionResponse).toMatchObject({ responseCode: '1', accountNumber: 'XXXX1111' })
})
