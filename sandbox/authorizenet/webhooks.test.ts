import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CREDENTIALS, startGateway, type TestGateway } from './testing.ts'

let gateway: TestGateway
let merchant: ReturnType<typeof createServer>
let answer = 200
const received: { body: string; signature: string }[] = []

beforeEach(async () => {
  answer = 200
  received.length = 0
  merchant = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    received.push({
      body: Buffer.concat(chunks).toString(),
      signature: String(request.headers['x-anet-signature']),
    })
    response.writeHead(answer).end()
  }).listen(0, '127.0.0.1')
  await once(merchant, 'listening')
  const address = merchant.address()
  const port = typeof address === 'object' && address ? address.port : 0
  gateway = await startGateway(':memory:', () => `http://127.0.0.1:${port}/hook`)
})
afterEach(async () => {
  await gateway.close()
  merchant.close()
})

const list = async () => (await gateway.admin('GET', '/webhooks')).items
const deliver = () => gateway.admin('POST', '/webhooks/deliver')
const signed = (body: string) =>
  `sha512=${createHmac('sha512', CREDENTIALS.signatureKey).update(body).digest('hex').toUpperCase()}`

test('each of what the real one tells is told, signed over its bytes', async () => {
  const { transactionResponse } = await gateway.charge()
  const held = await gateway.charge({ card: { cardCode: '205' } })
  await gateway.charge({ card: { cardCode: '201' } })
  await gateway.admin('POST', `/transactions/${held.transactionResponse.transId}/approve`)
  const refTransId = transactionResponse.transId
  await gateway.call('createTransactionRequest', {
    transactionRequest: { transactionType: 'voidTransaction', refTransId },
  })
  await deliver()
  expect(received.map(({ body }) => JSON.parse(body).eventType.slice(22))).toEqual([
    'authcapture.created',
    'fraud.held',
    'fraud.approved',
    'void.created',
  ])
  for (const { body, signature } of received) expect(signature).toBe(signed(body))
  expect(JSON.parse(received[0]?.body ?? '').payload).toMatchObject({
    ...{ entityName: 'transaction', id: refTransId, responseCode: 1, authAmount: 9.99 },
  })
})

test('what was processed before the connection broke is told; what was not is not', async () => {
  await gateway.charge({ card: { cardCode: '209' } }).catch(() => {})
  await gateway.charge({ card: { cardCode: '210' } }).catch(() => {})
  await deliver()
  expect(received).toHaveLength(1)
})

test('a merchant that does not take it gets it again, ten times more at longer and longer intervals', async () => {
  answer = 500
  await gateway.charge()
  await deliver()
  await deliver()
  expect(received).toHaveLength(1)
  for (const seconds of [180, 180, 180, 28_800, 28_800, 28_800, 172_800, 172_800, 172_800, 172_800]) {
    gateway.advance(seconds - 1)
    await deliver()
    const before = received.length
    gateway.advance(1)
    await deliver()
    expect(received).toHaveLength(before + 1)
  }
  expect(await list()).toMatchObject([{ attempts: 11, dueAt: null, lastAnswer: '500' }])
})

test('one can be sent again and forged by hand, and the page shows them', async () => {
  await gateway.charge()
  await deliver()
  const [{ notificationId }] = await list()
  expect(await gateway.admin('POST', `/webhooks/${notificationId}/send`)).toEqual({ answer: '200' })
  await gateway.admin('POST', `/webhooks/${notificationId}/forge`)
  expect(received.map(({ body, signature }) => signature === signed(body))).toEqual([true, true, false])
  const page = await (await fetch(`${gateway.base}/`)).text()
  expect(page).toContain('net.authorize.payment.authcapture.created')
  expect(page).toContain('200 (forged)')
  expect((await fetch(`${gateway.base}/admin/webhooks/none/send`, { method: 'POST' })).status).toBe(404)
})
