import { afterEach, beforeEach, expect, test } from 'vitest'
import { startGateway, type TestGateway } from './testing.ts'

let gateway: TestGateway
beforeEach(async () => {
  gateway = await startGateway()
})
afterEach(() => gateway.close())

test('the page lists transactions, and what they say stays text', async () => {
  await gateway.charge({ invoiceNumber: '<b>"\'&' })
  const response = await fetch(`${gateway.base}/`)
  const html = await response.text()
  expect(html).toContain('&lt;b&gt;&quot;&#39;&amp;')
  expect(html).not.toContain('<b>')
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
})

test('its buttons act and lead back to it', async () => {
  const { transactionResponse } = await gateway.charge({ card: { cardCode: '205' } })
  const press = (path: string) =>
    fetch(`${gateway.base}/admin${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      redirect: 'manual',
    })
  for (const path of [`/transactions/${transactionResponse.transId}/approve`, '/settle']) {
    const response = await press(path)
    expect([response.status, response.headers.get('location')]).toEqual([303, '/sandbox/authorizenet/'])
  }
  expect((await gateway.admin('GET', '/transactions')).items).toMatchObject([
    { status: 'settledSuccessfully' },
  ])
})

test.each([
  ['a transaction that is not there', 'POST', '/transactions/1/approve', undefined, 404],
  ['an action that is not there', 'POST', '/transactions/60100000001/explode', undefined, 409],
  ['a setting that is not there', 'POST', '/settings', '{"plainHttp":"sometimes"}', 400],
  ['a body that is no JSON', 'POST', '/faults', 'busy', 400],
])('the admin endpoint refuses %s', async (_name, method, path, body, status) => {
  await gateway.charge()
  const response = await fetch(`${gateway.base}/admin${path}`, {
    method,
    ...(body === undefined ? {} : { body }),
  })
  expect(response.status).toBe(status)
  expect(await response.json()).toEqual({ error: expect.any(String) })
  expect((await gateway.admin('GET', '/transactions')).items).toMatchObject([
    { status: 'capturedPendingSettlement' },
  ])
})
