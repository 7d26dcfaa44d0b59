import fastify from 'fastify'
import { authorizenetSandbox } from './plugin.ts'

export const CREDENTIALS = {
  apiLoginID: 'demoLogin',
  transactionKey: 'demoKey000000000',
  clientKey: 'demo-client-key',
  signatureKey: 'D0'.repeat(64),
}
export const TEST_CARD = { cardNumber: '4111111111111111', expirationDate: '1249', cardCode: '123' }

/** An answer of the gateway as parsed JSON; a test names the elements that it reads. */
// biome-ignore lint/suspicious/noExplicitAny: each call answers other elements, and tests assert on all of them
export type Answer = any

/** A sandbox on a port of its own, on a clock that the test moves. */
export async function startGateway(store = ':memory:', webhookUrl: (() => string) | null = null) {
  let now = Date.parse('2031-10-05T08:00:00Z')
  const app = fastify({ forceCloseConnections: true })
  await app.register(
    authorizenetSandbox({ store, now: () => new Date(now), credentials: CREDENTIALS, webhookUrl }),
    { prefix: '/sandbox/authorizenet' },
  )
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const base = `${origin}/sandbox/authorizenet`
  const apiUrl = `${base}/xml/v1/request.api`

  /** Sends a call with the merchant's credentials. */
  async function call(name: string, content: Record<string, unknown> = {}): Promise<Answer> {
    const merchantAuthentication = {
      name: CREDENTIALS.apiLoginID,
      transactionKey: CREDENTIALS.transactionKey,
    }
    const response = await post(JSON.stringify({ [name]: { merchantAuthentication, ...content } }))
    return response.json()
  }

  function post(
    body: string,
    headers: Record<string, string> = { 'content-type': 'application/json' },
  ): Promise<Response> {
    return fetch(apiUrl, { method: 'POST', headers, body })
  }

  async function admin(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${base}/admin${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    return response.json()
  }

  /** `opaqueData` for a card, as Accept.js gets it. */
  async function token(
    card: Record<string, string> = {},
  ): Promise<{ dataDescriptor: string; dataValue: string }> {
    const response = await post(
      JSON.stringify({
        securePaymentContainerRequest: {
          merchantAuthentication: { name: CREDENTIALS.apiLoginID, clientKey: CREDENTIALS.clientKey },
          data: { type: 'TOKEN', id: 'a-test', token: { ...TEST_CARD, ...card } },
        },
      }),
    )
    const answer: Answer = await response.json()
    return answer.opaqueData
  }

  /** Charges a fresh token of a card; `rest` replaces or adds elements of `transactionRequest` by name. */
  async function charge(
    wanted: {
      card?: Record<string, string>
      amount?: string
      invoiceNumber?: string
      profile?: unknown
      rest?: Record<string, unknown>
    } = {},
  ): Promise<Answer> {
    const invoiceNumber = wanted.invoiceNumber ?? crypto.randomUUID().slice(0, 20)
    return call('createTransactionRequest', {
      refId: invoiceNumber,
      transactionRequest: {
        transactionType: 'authCaptureTransaction',
        amount: wanted.amount ?? '9.99',
        payment: { opaqueData: await token(wanted.card) },
        ...(wanted.profile === undefined ? {} : { profile: wanted.profile }),
        order: { invoiceNumber },
        customer: { id: 'fan_1042', email: 'ann@example.test' },
        ...wanted.rest,
      },
    })
  }

  return {
    origin,
    base,
    apiUrl,
    call,
    post,
    admin,
    token,
    charge,
    now: () => new Date(now),
    advance(seconds: number): void {
      now += seconds * 1000
    },
    close: () => app.close(),
  }
}

export type TestGateway = Awaited<ReturnType<typeof startGateway>>
