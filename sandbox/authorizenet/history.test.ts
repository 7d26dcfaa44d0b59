import { afterEach, beforeEach, expect, test } from 'vitest'
import { startGateway, type TestGateway } from './testing.ts'

let gateway: TestGateway
beforeEach(async () => {
  gateway = await startGateway()
})
afterEach(() => gateway.close())

const HOUR_MS = 3600 * 1000
const hoursAgo = (hours: number) => new Date(gateway.now().getTime() - hours * HOUR_MS).toISOString()

/** Charges as at that moment; answers what the gateway answers. */
async function chargeAt(at: string) {
  const response = await fetch(`${gateway.apiUrl}?at=${encodeURIComponent(at)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      createTransactionRequest: {
        merchantAuthentication: { name: 'demoLogin', transactionKey: 'demoKey000000000' },
        transactionRequest: {
          transactionType: 'authCaptureTransaction',
          amount: '9.99',
          payment: {
            creditCard: { cardNumber: '4111111111111111', expirationDate: '2049-12', cardCode: '123' },
          },
          order: { invoiceNumber: at.slice(0, 20) },
        },
      },
    }),
  })
  return response.json() as Promise<{
    messages: { resultCode: string; message: { code: string }[] }
    transactionResponse?: { transId: string }
  }>
}
const detailsOf = async (transId: string | undefined) =>
  (await gateway.call('getTransactionDetailsRequest', { transId })).transaction

test('a charge of an earlier moment stands in the batch of its day, and nobody is told of it', async () => {
  const [early, late] = [hoursAgo(72), hoursAgo(48)]
  const first = await chargeAt(early)
  const second = await chargeAt(late)
  for (const [{ transactionResponse }, at] of [
    [first, early],
    [second, late],
  ] as const)
    expect(await detailsOf(transactionResponse?.transId)).toMatchObject({
      submitTimeUTC: at,
      transactionStatus: 'settledSuccessfully',
      batch: {
        settlementTimeUTC: `${new Date(Date.parse(at) + 24 * HOUR_MS).toISOString().slice(0, 10)}T00:00:00.000Z`,
      },
    })
  expect((await gateway.admin('GET', '/webhooks')).items).toEqual([])
  await gateway.charge()
  expect((await gateway.admin('GET', '/webhooks')).items).toHaveLength(1)
})

test('a charge of this day waits for its batch', async () => {
  const { transactionResponse } = await chargeAt(hoursAgo(2))
  expect(await detailsOf(transactionResponse?.transId)).toMatchObject({
    transactionStatus: 'capturedPendingSettlement',
  })
})

test.each(['tomorrow', '2031-10-05T08:00:01Z'])('%s is no moment of the past', async (at) => {
  const { messages } = await chargeAt(at)
  expect(messages).toMatchObject({ resultCode: 'Error', message: [{ code: 'E00013' }] })
})
