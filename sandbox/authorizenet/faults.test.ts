import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CREDENTIALS, startGateway, type TestGateway } from './testing.ts'

let gateway: TestGateway
beforeEach(async () => {
  gateway = await startGateway()
})
afterEach(() => gateway.close())

const captures = async (invoiceNumber: string): Promise<number> =>
  (await gateway.admin('GET', `/transactions?invoiceNumber=${invoiceNumber}`)).capturesByInvoice[
    invoiceNumber
  ] ?? 0

/** How a charge by card code ended for the client: an HTTP status with readable JSON or not, or a broken connection. */
async function outcomeOf(cardCode: string, signal: AbortSignal | null = null): Promise<string> {
  const body = JSON.stringify({
    createTransactionRequest: {
      merchantAuthentication: { name: CREDENTIALS.apiLoginID, transactionKey: CREDENTIALS.transactionKey },
      transactionRequest: {
        transactionType: 'authCaptureTransaction',
        amount: '9.99',
        payment: { opaqueData: await gateway.token({ cardCode }) },
        order: { invoiceNumber: 'attempt' },
      },
    },
  })
  try {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(gateway.apiUrl, { method: 'POST', headers, body, signal })
    const text = await response.text()
    return `${response.status} ${text.trimEnd().endsWith('}') ? 'complete' : 'unreadable'}`
  } catch {
    return signal?.aborted ? 'given up' : 'broken'
  }
}

describe('a connection that fails', () => {
  test.each([
    ['209', 'broken', 0],
    ['210', 'broken', 1],
    ['211', '500 unreadable', 0],
    ['212', '500 unreadable', 1],
    ['213', '200 unreadable', 1],
    ['123', '200 complete', 1],
  ])('card code %s: %s, captured %i times', async (cardCode, outcome, captured) => {
    expect(await outcomeOf(cardCode)).toBe(outcome)
    expect(await captures('attempt')).toBe(captured)
  })

  test('card code 208 is captured and never answered', async () => {
    const client = new AbortController()
    const outcome = outcomeOf('208', client.signal)
    await expect.poll(() => captures('attempt')).toBe(1)
    client.abort()
    expect(await outcome).toBe('given up')
  })

  test('card code 207 is neither captured nor answered', async () => {
    expect(await outcomeOf('207', AbortSignal.timeout(300))).toBe('given up')
    expect(await captures('attempt')).toBe(0)
  })

  test('what was not processed leaves the token as it was', async () => {
    const opaqueData = await gateway.token()
    await gateway.admin('POST', '/faults', { effect: 'serverErrorBefore', call: 'createTransactionRequest' })
    const transactionRequest = {
      transactionType: 'authCaptureTransaction',
      amount: '1.00',
      payment: { opaqueData },
    }
    await expect(gateway.call('createTransactionRequest', { transactionRequest })).rejects.toThrow(
      SyntaxError,
    )
    const answer = await gateway.call('createTransactionRequest', { transactionRequest })
    expect(answer.transactionResponse.responseCode).toBe('1')
  })
})

test('a charge that shows up late is in no list and no details before', async () => {
  expect(await outcomeOf('214')).toBe('broken')
  const list = () => gateway.call('getUnsettledTransactionListRequest')
  expect((await list()).messages.message[0].code).toBe('I00004')
  const [{ transId }] = (await gateway.admin('GET', '/transactions')).items
  expect((await gateway.call('getTransactionDetailsRequest', { transId })).messages.message[0].code).toBe(
    'E00040',
  )
  gateway.advance(299)
  expect((await list()).messages.message[0].code).toBe('I00004')
  gateway.advance(1)
  expect((await list()).transactions).toMatchObject([{ transId, invoiceNumber: 'attempt' }])
})

test.each([
  ['216', 'E00114'],
  ['217', 'E00115'],
  ['218', 'E00053'],
])('card code %s is refused with %s and captures nothing', async (cardCode, code) => {
  const answer = await gateway.charge({ card: { cardCode }, invoiceNumber: 'refused' })
  expect(answer).toMatchObject({ messages: { resultCode: 'Error', message: [{ code }] } })
  expect(answer).not.toHaveProperty('transactionResponse')
  expect(await captures('refused')).toBe(0)
})

describe('planned faults', () => {
  test('hit the next calls of that name only, as often as asked', async () => {
    await gateway.admin('POST', '/faults', { effect: 'declined', call: 'createTransactionRequest', times: 2 })
    expect((await gateway.call('authenticateTestRequest')).messages.resultCode).toBe('Ok')
    const codes: string[] = []
    for (let count = 0; count < 3; count += 1)
      codes.push((await gateway.charge()).transactionResponse.responseCode)
    expect(codes).toEqual(['2', '2', '1'])
  })

  test('without a name hit any call, and can be taken back', async () => {
    await gateway.admin('POST', '/faults', { effect: 'busy', times: 2 })
    expect((await gateway.call('authenticateTestRequest')).messages.message[0].code).toBe('E00053')
    expect((await gateway.admin('GET', '/faults')).items).toEqual([{ call: null, effect: 'busy' }])
    await gateway.admin('DELETE', '/faults')
    expect((await gateway.call('authenticateTestRequest')).messages.resultCode).toBe('Ok')
  })

  test('are not taken by a call with wrong credentials', async () => {
    await gateway.admin('POST', '/faults', { effect: 'busy' })
    await gateway.post(
      JSON.stringify({
        authenticateTestRequest: { merchantAuthentication: { name: 'x', transactionKey: 'y' } },
      }),
    )
    expect((await gateway.admin('GET', '/faults')).items).toHaveLength(1)
  })

  test.each([
    ['an unknown effect', { effect: 'explode' }],
    ['an unknown call', { effect: 'busy', call: 'inventedRequest' }],
    ['too many', { effect: 'busy', times: 1001 }],
    ['none', { effect: 'busy', times: 0 }],
  ])('%s is refused and plans nothing', async (_name, body) => {
    expect(await gateway.admin('POST', '/faults', body)).toHaveProperty('error')
    expect((await gateway.admin('GET', '/faults')).items).toEqual([])
  })
})

test('closing does not wait for a request that is never answered', async () => {
  const other = await startGateway()
  await other.admin('POST', '/faults', { effect: 'timeoutAfter' })
  const hanging = other.call('authenticateTestRequest').catch(() => 'broken')
  await expect.poll(async () => (await other.admin('GET', '/faults')).items).toEqual([])
  await other.close()
  expect(await hanging).toBe('broken')
})
