import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { CardToken, Charge, Payments } from '../port.ts'
import { authorizenet } from './adapter.ts'

export const account = {
  apiLoginID: 'sandboxLogin',
  transactionKey: 'sandboxKey000001',
  clientKey: 'sandbox-client-key',
  sandbox: true,
}

let gateway: ChildProcess
export let origin: string
export let apiUrl: string
export let adminUrl: string
export let scriptUrl: string
export let payments: Payments

/** Runs the sandbox gateway as a process of its own for the tests of one file, and points `payments` at it. */
export function withGateway(): void {
  beforeAll(async () => {
    const script = fileURLToPath(new URL('../../../../sandbox/authorizenet/standalone.ts', import.meta.url))
    gateway = spawn(process.execPath, [script, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
    if (!gateway.stdout) throw new Error('the gateway has no output')
    const [line] = (await once(createInterface({ input: gateway.stdout }), 'line')) as [string]
    const addresses = JSON.parse(line) as {
      origin: string
      apiUrl: string
      scriptUrl: string
      adminUrl: string
    }
    ;({ origin, apiUrl, scriptUrl, adminUrl } = addresses)
    payments = authorizenet({ ...account, apiUrl, scriptUrl })
  })
  afterAll(() => void gateway.kill('SIGKILL'))
  beforeEach(() => fetch(`${adminUrl}/faults`, { method: 'DELETE' }))
}

export async function post(url: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.json()
}

export const planFault = (effect: string, call: string, times = 1) =>
  post(`${adminUrl}/faults`, { effect, call, times })
export const settle = () => post(`${adminUrl}/settle`, {})

export async function token(card: { cardNumber?: string; cardCode?: string } = {}): Promise<CardToken> {
  const answer = await post(apiUrl, {
    securePaymentContainerRequest: {
      merchantAuthentication: { name: account.apiLoginID, clientKey: account.clientKey },
      data: {
        type: 'TOKEN',
        id: 'a-test',
        token: {
          cardNumber: card.cardNumber ?? '4111111111111111',
          expirationDate: '1249',
          cardCode: card.cardCode ?? '123',
        },
      },
    },
  })
  return (answer as { opaqueData: CardToken }).opaqueData
}

type Recorded = {
  transId: string
  status: string
  amountCents: number
  type: string
  customerPaymentProfileId: string | null
}

/** The gateway's own record of a reference. */
export async function recorded(reference: string): Promise<{ items: Recorded[]; captures: number }> {
  const response = await fetch(`${adminUrl}/transactions?invoiceNumber=${encodeURIComponent(reference)}`)
  const { items, capturesByInvoice } = (await response.json()) as {
    items: Recorded[]
    capturesByInvoice: Record<string, number>
  }
  return { items, captures: capturesByInvoice[reference] ?? 0 }
}

export const uniqueReference = () => crypto.randomUUID().replaceAll('-', '').slice(0, 20)

export async function attempt(
  card: { cardNumber?: string; cardCode?: string } = {},
  changes: Partial<Charge> & { saveCard?: boolean } = {},
): Promise<Charge> {
  const { saveCard = false, ...rest } = changes
  return {
    reference: uniqueReference(),
    amountCents: 999,
    description: 'A subscription',
    source: { token: await token(card), saveCard },
    occasion: 'single',
    customer: { id: crypto.randomUUID(), email: 'ann@example.test' },
    ...rest,
  }
}

export const lookup = (charge: Charge) =>
  payments.lookup({
    reference: charge.reference,
    amountCents: charge.amountCents,
    since: new Date(Date.now() - 1000),
  })
