import { createHmac } from 'node:crypto'
import { SANDBOX_CREDENTIALS } from '../../sandboxes.ts'
import { authorizenet } from '../ports/payments/authorizenet/adapter.ts'
import type { CardToken, Payments } from '../ports/payments/port.ts'
import { exchange } from './api.ts'

type Sandbox = { sandboxOrigin: string }

/** A port that the system never assigns. */
export const NOBODY_LISTENS = 'http://127.0.0.1:2/'

/** A charge as the sandbox gateway knows it, beside what it keeps of it. */
export type GatewayTransaction = {
  transId: string
  type: string
  status: string
  amountCents: number
  invoiceNumber: string
  customerPaymentProfileId: string | null
  isRecurring: boolean
  /** Of a refund the charge that it gives back. */
  refTransId: string | null
  addressResult: string
  /** The card's billing address, as it was sent or stored. */
  billTo: Record<string, string>
  /** Stored-credential flags and the customer's address, as they were sent. */
  details: Record<string, unknown>
}

/** Cards and card codes that make the sandbox misbehave; sandbox/authorizenet/README.md lists all. */
export const TEST_CARDS = {
  approved: { cardNumber: '4111111111111111', cardCode: '123' },
  declined: { cardNumber: '4000000000000002', cardCode: '123' },
  held: { cardNumber: '4000000000009235', cardCode: '123' },
  processingError: { cardNumber: '4111111111111111', cardCode: '206' },
  timeoutBefore: { cardNumber: '4111111111111111', cardCode: '207' },
  timeoutAfter: { cardNumber: '4111111111111111', cardCode: '208' },
  resetBefore: { cardNumber: '4111111111111111', cardCode: '209' },
  resetAfter: { cardNumber: '4111111111111111', cardCode: '210' },
  serverErrorAfter: { cardNumber: '4111111111111111', cardCode: '212' },
  truncatedAfter: { cardNumber: '4111111111111111', cardCode: '213' },
  lateVisibility: { cardNumber: '4111111111111111', cardCode: '214' },
  cardNotStored: { cardNumber: '4111111111111111', cardCode: '215' },
  busy: { cardNumber: '4111111111111111', cardCode: '218' },
} as const

const apiUrl = ({ sandboxOrigin }: Sandbox) => `${sandboxOrigin}/sandbox/authorizenet/xml/v1/request.api`
const adminUrl = ({ sandboxOrigin }: Sandbox) => `${sandboxOrigin}/sandbox/authorizenet/admin`

/** Makes a card token as the browser does. */
export async function cardToken(
  sandbox: Sandbox,
  card: { cardNumber: string; cardCode: string } = TEST_CARDS.approved,
): Promise<CardToken> {
  const { apiLoginID, clientKey } = SANDBOX_CREDENTIALS
  const { bytes } = await exchange(apiUrl(sandbox), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      securePaymentContainerRequest: {
        merchantAuthentication: { name: apiLoginID, clientKey },
        data: {
          type: 'TOKEN',
          id: crypto.randomUUID(),
          token: { cardNumber: card.cardNumber, expirationDate: '1239', cardCode: card.cardCode },
        },
      },
    }),
  })
  // The gateway's answers begin with a byte order mark.
  const answer = JSON.parse(new TextDecoder().decode(bytes)) as { opaqueData?: CardToken }
  if (!answer.opaqueData) throw new Error(`no token: ${JSON.stringify(answer)}`)
  return answer.opaqueData
}

/** Everything that the sandbox gateway recorded, newest first. */
export async function gatewayTransactions(sandbox: Sandbox): Promise<GatewayTransaction[]> {
  const { bytes } = await exchange(`${adminUrl(sandbox)}/transactions`)
  return (JSON.parse(bytes.toString()) as { items: GatewayTransaction[] }).items
}

/** The charges for which the merchant has, or will get, money. */
export async function gatewayCaptures(sandbox: Sandbox): Promise<GatewayTransaction[]> {
  const charges = await gatewayTransactions(sandbox)
  return charges.filter(
    ({ type, status }) =>
      type === 'authCaptureTransaction' &&
      ['capturedPendingSettlement', 'settledSuccessfully'].includes(status),
  )
}

/** Makes the next `times` calls of this name misbehave; returns how to cancel the faults that are left. */
export async function planFault(
  sandbox: Sandbox,
  fault: { call?: string; effect: string; times?: number },
): Promise<() => Promise<void>> {
  const address = `${adminUrl(sandbox)}/faults`
  await admin(address, fault)
  return async () => {
    await fetch(address, { method: 'DELETE' })
  }
}

/** How many planned faults are left. */
export async function plannedFaults(sandbox: Sandbox): Promise<number> {
  const answer = await fetch(`${adminUrl(sandbox)}/faults`)
  return ((await answer.json()) as { items: unknown[] }).items.length
}

/** The header that the gateway would send with this body, or another one by another key. */
export function webhookSignature(
  body: string | Buffer,
  key: string | Buffer = SANDBOX_CREDENTIALS.signatureKey,
): string {
  return `sha512=${createHmac('sha512', key).update(body).digest('hex').toUpperCase()}`
}

/** The signature key as its decoded bytes, which the gateway doesn't sign with. */
export const decodedKey = Buffer.from(SANDBOX_CREDENTIALS.signatureKey, 'hex')

/** Decides a charge that is held for review, as the merchant would at the gateway. */
export async function reviewHeld(
  sandbox: Sandbox,
  transactionId: string,
  decision: 'approve' | 'decline',
): Promise<void> {
  await admin(`${adminUrl(sandbox)}/transactions/${transactionId}/${decision}`, {})
}

/** The cardholder's bank takes back a charge that was settled. */
export function chargeBack(sandbox: Sandbox, transactionId: string): Promise<void> {
  return admin(`${adminUrl(sandbox)}/transactions/${transactionId}/chargeback`, {})
}

async function admin(url: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
}

/** The real adapter, less patient than usual. */
export function impatientGateway(sandbox: Sandbox, timeoutMs: number): Payments {
  return adapterAt(sandbox, apiUrl(sandbox), timeoutMs)
}

/** The real adapter, at an address where nobody listens. */
export function gatewayThatIsDown(sandbox: Sandbox): Payments {
  return adapterAt(sandbox, NOBODY_LISTENS, 60_000)
}

function adapterAt(sandbox: Sandbox, address: string, timeoutMs: number): Payments {
  return authorizenet({ ...gatewayAccount(sandbox), apiUrl: address, sandbox: true, timeoutMs })
}

/** The account that the sandbox gateway knows, and where it answers. */
export function gatewayAccount(sandbox: Sandbox) {
  const scriptUrl = `${sandbox.sandboxOrigin}/sandbox/authorizenet/v1/Accept.js`
  return { ...SANDBOX_CREDENTIALS, apiUrl: apiUrl(sandbox), scriptUrl }
}
