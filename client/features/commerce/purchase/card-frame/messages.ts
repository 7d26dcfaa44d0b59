import { MAX_ADDRESS_LENGTH, MAX_ZIP_LENGTH } from '../../../../../contract/billing-address.ts'

/** The gateway's token for a card: it can be used once, and says nothing about the card. */
export type GatewayToken = { dataDescriptor: string; dataValue: string }

/** The address that the card's bill goes to, which its issuer compares with the one it knows. */
export type BillTo = { zip: string; address?: string }

/** The data with which a card is charged or stored. */
export type CardToken = GatewayToken & { billTo: BillTo }

export type Scheme = 'light' | 'dark'

/** The first message, by `postMessage` with the frame's end of the channel; everything after it goes through the channel. */
export type Hello = { kind: 'card-frame'; scheme: Scheme }

/** The page's requests to the frame. `check` shows missing fields, `token` makes a token of the card. */
export type ToFrame =
  | { kind: 'token' }
  | { kind: 'check' }
  | { kind: 'disabled'; disabled: boolean }
  | { kind: 'scheme'; scheme: Scheme }

/**
 * The frame's messages to the page: nothing of the typed card. A refusal without a message is shown at the fields.
 */
export type FromFrame =
  | { kind: 'ready' }
  | ({ kind: 'token' } & CardToken)
  | { kind: 'refused'; message: string | null }
  | { kind: 'height'; pixels: number }
  | { kind: 'key'; key: 'Enter' | 'Escape' }

const TALLEST_PIXELS = 2000
const LONGEST_TEXT = 300
const LONGEST_TOKEN = 10_000

/** The gateway's script shares the frame, so what comes out of it is read like any foreign input; null for anything else. */
export function readMessage(data: unknown): FromFrame | null {
  const { kind, ...given } = (typeof data === 'object' && data !== null ? data : {}) as Record<
    string,
    unknown
  >
  const text = (value: unknown, longest: number) => typeof value === 'string' && value.length <= longest
  switch (kind) {
    case 'ready':
      return { kind }
    case 'token': {
      const { dataDescriptor, dataValue } = given
      if (!text(dataDescriptor, LONGEST_TEXT) || !text(dataValue, LONGEST_TOKEN)) return null
      const { zip, address } = (given.billTo ?? {}) as Record<string, unknown>
      if (!text(zip, MAX_ZIP_LENGTH) || !(address === undefined || text(address, MAX_ADDRESS_LENGTH)))
        return null
      const billTo = { zip: String(zip), ...(address === undefined ? {} : { address: String(address) }) }
      return { kind, dataDescriptor: String(dataDescriptor), dataValue: String(dataValue), billTo }
    }
    case 'refused': {
      const { message } = given
      return { kind, message: text(message, LONGEST_TEXT) ? String(message) : null }
    }
    case 'height': {
      const pixels = Number(given.pixels)
      return pixels > 0 && pixels <= TALLEST_PIXELS ? { kind, pixels } : null
    }
    case 'key':
      return given.key === 'Enter' || given.key === 'Escape' ? { kind, key: given.key } : null
    default:
      return null
  }
}
