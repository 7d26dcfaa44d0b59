import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CREDENTIALS, startGateway, type TestGateway } from './testing.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const merchantAuthentication = { name: CREDENTIALS.apiLoginID, transactionKey: CREDENTIALS.transactionKey }
const transactionRequest = { transactionType: 'voidTransaction', refTransId: '1' }
const root = (content: object, name = 'createTransactionRequest') => JSON.stringify({ [name]: content })

describe('what the wire refuses', () => {
  test.each([
    ['no JSON', 'hello', 'E00003'],
    ['two roots', JSON.stringify({ a: {}, b: {} }), 'E00003'],
    ['an unknown method', root({ merchantAuthentication }, 'inventedRequest'), 'E00004'],
    ['no credentials', root({ transactionRequest }), 'E00003'],
    [
      'credentials that come second',
      root({ refId: 'a', merchantAuthentication, transactionRequest }),
      'E00003',
    ],
    ['a refId after the request', root({ merchantAuthentication, transactionRequest, refId: 'a' }), 'E00003'],
    [
      'an unknown element',
      root({ merchantAuthentication, transactionRequest: { ...transactionRequest, note: 'a' } }),
      'E00003',
    ],
    [
      'an element of another case',
      root({ merchantAuthentication, TransactionRequest: transactionRequest }),
      'E00003',
    ],
    [
      'children in another order',
      root({
        merchantAuthentication,
        transactionRequest: { refTransId: '1', transactionType: 'voidTransaction' },
      }),
      'E00003',
    ],
    [
      'a missing required child',
      root({ merchantAuthentication, transactionRequest: { refTransId: '1' } }),
      'E00003',
    ],
    [
      'a refId of 21 characters',
      root({ merchantAuthentication, refId: 'a'.repeat(21), transactionRequest }),
      'E00003',
    ],
    [
      'an invoice number of 21',
      root({
        merchantAuthentication,
        transactionRequest: { ...transactionRequest, order: { invoiceNumber: 'a'.repeat(21) } },
      }),
      'E00003',
    ],
    ['text where elements belong', root({ merchantAuthentication, transactionRequest: 'void' }), 'E00003'],
    [
      'elements where text belongs',
      root({ merchantAuthentication, refId: { a: 1 }, transactionRequest }),
      'E00003',
    ],
    [
      'an amount that is no number',
      root({
        merchantAuthentication,
        transactionRequest: { transactionType: 'authCaptureTransaction', amount: 'ten' },
      }),
      'E00003',
    ],
    [
      'a wrong key',
      root({
        merchantAuthentication: { ...merchantAuthentication, transactionKey: 'wrong' },
        transactionRequest,
      }),
      'E00007',
    ],
    [
      'a wrong login',
      root({ merchantAuthentication: { ...merchantAuthentication, name: 'wrong' }, transactionRequest }),
      'E00007',
    ],
    [
      'the public client key for anything but a token',
      root({
        merchantAuthentication: { name: CREDENTIALS.apiLoginID, clientKey: CREDENTIALS.clientKey },
        transactionRequest,
      }),
      'E00007',
    ],
    [
      'a transaction type that is not there',
      root({ merchantAuthentication, transactionRequest: { transactionType: 'giftTransaction' } }),
      'E00013',
    ],
  ])('%s', async (_name, body, code) => {
    const response = await gateway.post(body)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ messages: { resultCode: 'Error', message: [{ code }] } })
    expect((await gateway.admin('GET', '/transactions')).items).toEqual([])
  })

  test('another content type is E00002', async () => {
    const response = await gateway.post(root({ merchantAuthentication, transactionRequest }), {
      'content-type': 'text/plain',
    })
    expect(await response.json()).toMatchObject({ messages: { message: [{ code: 'E00002' }] } })
  })

  test('the text of an order error names the child and those allowed', async () => {
    const response = await gateway.post(root({ merchantAuthentication, transactionRequest, refId: 'a' }))
    const { messages } = (await response.json()) as { messages: { message: { text: string }[] } }
    expect(messages.message[0]?.text).toMatch(/'createTransactionRequest'.*'refId'/)
  })
})

test('every answer begins with a byte order mark', async () => {
  const response = await gateway.post(root({ merchantAuthentication }, 'authenticateTestRequest'))
  const bytes = new Uint8Array(await response.arrayBuffer())
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
})

test('refId is echoed, in refusals too', async () => {
  expect(await gateway.call('authenticateTestRequest', { refId: 'mine' })).toMatchObject({
    refId: 'mine',
    messages: { resultCode: 'Ok' },
  })
  expect(await gateway.call('getTransactionDetailsRequest', { refId: 'mine', transId: '1' })).toMatchObject({
    refId: 'mine',
    messages: { message: [{ code: 'E00040' }] },
  })
})

test('the merchant details name the public client key', async () => {
  expect(await gateway.call('getMerchantDetailsRequest')).toMatchObject({
    publicClientKey: CREDENTIALS.clientKey,
    isTestMode: false,
  })
})

test('a browser of another origin may post JSON', async () => {
  const response = await fetch(gateway.apiUrl, { method: 'OPTIONS', headers: { origin: 'http://shop.test' } })
  expect(response.status).toBe(204)
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(response.headers.get('access-control-allow-headers')).toBe('content-type')
})
