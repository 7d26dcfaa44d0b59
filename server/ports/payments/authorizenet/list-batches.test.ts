import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { authorizenet } from './adapter.ts'
import { account } from './testing.ts'

test('a batch without a time of its own counts from the beginning of the range, so that it is listed again', async () => {
  const statistics = [{ chargeAmount: 5, refundAmount: 0, chargebackAmount: 0 }]
  const batchList = [
    { batchId: '1', settlementState: 'settledSuccessfully', statistics },
    { batchId: '2', settlementState: 'settlementError', statistics },
    { batchId: '3', settlementState: 'pendingSettlement', statistics },
  ]
  const messages = { resultCode: 'Ok', message: [{ code: 'I00001', text: 'Successful.' }] }
  const gateway = createServer((_, answer) => {
    answer.setHeader('content-type', 'application/json').end(JSON.stringify({ batchList, messages }))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void gateway.close())
  await once(gateway, 'listening')
  const apiUrl = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`
  const payments = authorizenet({ ...account, apiUrl, scriptUrl: apiUrl })
  const [since, until] = [new Date('2031-03-01T00:00:00Z'), new Date('2031-03-05T00:00:00Z')]
  const [settled, failed, ...others] = await payments.listBatches({ since, until }).then((listed) => {
    return listed.kind === 'listed' ? listed.batches : []
  })
  expect(settled).toMatchObject({ batchId: '1', settledAt: since, hasFailed: false, chargedCents: 500 })
  expect(failed).toMatchObject({ batchId: '2', settledAt: since, hasFailed: true, chargedCents: 0 })
  expect(others).toEqual([])
})
