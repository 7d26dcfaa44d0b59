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

test('what is held can be approved, declined and voided there, and a void is told as the merchant’s own is', async () => {
  const { transactionResponse } = await gateway.charge({ card: { cardCode: '205' } })
  const page = async () => (await fetch(`${gateway.base}/`)).text()
  const held = `/transactions/${transactionResponse.transId}`
  for (const label of ['Approve', 'Decline', 'Void'])
    expect(await page()).toContain(`${held}/${label.toLowerCase()}"><button>${label}</button>`)
  const voids = () => gateway.admin('POST', `${held}/void`)
  expect(await voids()).toMatchObject({ transaction: { status: 'voided' } })
  expect(await page()).not.toContain(held)
  const { items } = await gateway.admin('GET', '/webhooks')
  const events = items.map(({ eventType }: { eventType: string }) => eventType)
  expect(events).toEqual(['net.authorize.payment.void.created', 'net.authorize.payment.fraud.held'])
  // A second one changes and tells nothing.
  expect(await voids()).toEqual({ error: expect.any(String) })
  expect((await gateway.admin('GET', '/webhooks')).items).toHaveLength(2)
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
