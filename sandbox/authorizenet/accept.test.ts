import vm from 'node:vm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CREDENTIALS, startGateway, type TestGateway } from './testing.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())
beforeEach(() => gateway.admin('POST', '/settings', { plainHttp: 'localhost' }))

type Response = {
  messages: { resultCode: string; message: { code: string }[] }
  opaqueData?: { dataDescriptor: string; dataValue: string }
}
type Page = {
  Accept: { dispatchData(data: unknown, callback: ((response: Response) => void) | string): void }
  isReady: boolean
  [name: string]: unknown
}

/** As much of a page as the scripts use. Its scripts load from the sandbox, and it notes where it posts to. */
async function openPage(address = 'http://localhost:4000/') {
  const posted: string[] = []
  const loads: Promise<void>[] = []
  const document = Object.assign(new EventTarget(), {
    currentScript: null as { src: string } | null,
    body: { dispatchEvent: (event: Event) => document.dispatchEvent(event) },
    createElement: () => ({ src: '' }),
    head: { appendChild: (script: { src: string }) => loads.push(run(script.src)) },
  })
  const { protocol, hostname } = new URL(address)
  const sandbox = {
    document,
    location: { protocol, hostname },
    URL,
    CustomEvent,
    AbortSignal,
    crypto,
    setTimeout,
    fetch: (url: string, init: RequestInit) => {
      posted.push(url)
      return fetch(url, init)
    },
  }
  // No eval and no code from text, as under the policy script-src 'self'.
  const context = vm.createContext(Object.assign(sandbox, { window: sandbox }), {
    codeGeneration: { strings: false, wasm: false },
  })
  const page = sandbox as unknown as Page

  async function run(src: string): Promise<void> {
    const source = await (await fetch(src)).text()
    document.currentScript = { src }
    vm.runInContext(source, context)
    document.currentScript = null
  }

  return {
    page,
    posted,
    runStub: () => run(`${gateway.base}/v1/Accept.js`),
    finishLoading: () => Promise.all(loads),
    dispatch: (data: unknown) => new Promise<Response>((resolve) => page.Accept.dispatchData(data, resolve)),
  }
}

async function openReadyPage(address?: string) {
  const opened = await openPage(address)
  await opened.runStub()
  await opened.finishLoading()
  return opened
}

const authData = { clientKey: CREDENTIALS.clientKey, apiLoginID: CREDENTIALS.apiLoginID }
const cardData = { cardNumber: '4111 1111-1111.1111', month: '9', year: '49', cardCode: '123' }
const codes = (response: Response) => response.messages.message.map(({ code }) => code)

describe('a good card', () => {
  test('becomes a token that can be charged, posted to the own host only', async () => {
    const { dispatch, posted } = await openReadyPage()
    const response = await dispatch({ authData, cardData })
    expect(response.messages).toMatchObject({ resultCode: 'Ok', message: [{ code: 'I_WC_01' }] })
    expect(response.opaqueData).toMatchObject({
      dataDescriptor: 'COMMON.ACCEPT.INAPP.PAYMENT',
      dataValue: expect.any(String),
    })
    expect(posted).toEqual([gateway.apiUrl])
    const answer = await gateway.call('createTransactionRequest', {
      transactionRequest: {
        transactionType: 'authCaptureTransaction',
        amount: '1.00',
        payment: { opaqueData: response.opaqueData },
      },
    })
    expect(answer.transactionResponse).toMatchObject({ responseCode: '1', accountNumber: 'XXXX1111' })
  })

  test('the callback may be the name of a global function, and is called later', async () => {
    const { page } = await openReadyPage()
    const calls: Response[] = []
    const called = new Promise<void>((resolve) => {
      page.done = (response: Response) => {
        calls.push(response)
        resolve()
      }
    })
    page.Accept.dispatchData({ authData, cardData }, 'done')
    expect(calls).toEqual([])
    await called
    expect(calls).toHaveLength(1)
  })
})

describe('loading', () => {
  test('until the core ran, the answer is E_WC_03 and isReady is false', async () => {
    const opened = await openPage()
    await opened.runStub()
    expect(opened.page.isReady).toBe(false)
    expect(codes(await opened.dispatch({ authData, cardData }))).toEqual(['E_WC_03'])
    await opened.finishLoading()
    expect(opened.page.isReady).toBe(true)
    expect(codes(await opened.dispatch({ authData, cardData }))).toEqual(['I_WC_01'])
  })
})

describe('what is refused in the page', () => {
  test.each([
    [
      'an empty form',
      { authData, cardData: { cardNumber: '', month: '', year: '' } },
      ['E_WC_05', 'E_WC_06', 'E_WC_07'],
    ],
    ['no card number', { authData, cardData: { month: '12', year: '49' } }, ['E_WC_04']],
    [
      'a number without Luhn',
      { authData, cardData: { ...cardData, cardNumber: '4111111111111112' } },
      ['E_WC_05'],
    ],
    ['a short number', { authData, cardData: { ...cardData, cardNumber: '42' } }, ['E_WC_05']],
    ['month 13', { authData, cardData: { ...cardData, month: '13' } }, ['E_WC_06']],
    ['a year of three digits', { authData, cardData: { ...cardData, year: '049' } }, ['E_WC_07']],
    ['a past expiry', { authData, cardData: { ...cardData, year: '2020' } }, ['E_WC_08']],
    ['a card code of two digits', { authData, cardData: { ...cardData, cardCode: '12' } }, ['E_WC_15']],
    ['a long zip', { authData, cardData: { ...cardData, zip: '1'.repeat(21) } }, ['E_WC_16']],
    ['a long name', { authData, cardData: { ...cardData, fullName: 'a'.repeat(65) } }, ['E_WC_17']],
    ['no client key', { authData: { apiLoginID: 'a' }, cardData }, ['E_WC_18']],
    ['no login', { authData: { clientKey: 'a' }, cardData }, ['E_WC_10']],
    ['neither card nor bank', { authData }, ['E_WC_23']],
    ['nothing at all', undefined, ['E_WC_18', 'E_WC_10', 'E_WC_23']],
  ])('%s', async (_name, data, expected) => {
    const { dispatch, posted } = await openReadyPage()
    const response = await dispatch(data)
    expect(codes(response)).toEqual(expected)
    expect(response.messages.resultCode).toBe('Error')
    expect(response.opaqueData).toBeUndefined()
    expect(posted).toEqual([])
  })
})

describe('what the gateway refuses', () => {
  test('wrong keys are E_WC_21', async () => {
    const { dispatch } = await openReadyPage()
    expect(codes(await dispatch({ authData: { ...authData, clientKey: 'wrong' }, cardData }))).toEqual([
      'E_WC_21',
    ])
  })

  test.each([['serverErrorBefore'], ['resetBefore'], ['truncatedAfter']])('%s is E_WC_14', async (effect) => {
    const { dispatch } = await openReadyPage()
    await gateway.admin('POST', '/faults', { effect, call: 'securePaymentContainerRequest' })
    const response = await dispatch({ authData, cardData })
    expect(codes(response)).toEqual(['E_WC_14'])
    expect(response.opaqueData).toBeUndefined()
  })
})

describe('plain HTTP (E_WC_02)', () => {
  test.each([
    ['localhost', 'http://localhost:4000/', 'I_WC_01'],
    ['localhost', 'http://127.0.0.1:4000/', 'I_WC_01'],
    ['localhost', 'http://shop.example/', 'E_WC_02'],
    ['localhost', 'https://shop.example/', 'I_WC_01'],
    ['never', 'http://localhost:4000/', 'E_WC_02'],
    ['always', 'http://shop.example/', 'I_WC_01'],
  ])('set to %s, on %s: %s', async (plainHttp, address, expected) => {
    await gateway.admin('POST', '/settings', { plainHttp })
    const { dispatch } = await openReadyPage(address)
    expect(codes(await dispatch({ authData, cardData }))).toEqual([expected])
  })
})
