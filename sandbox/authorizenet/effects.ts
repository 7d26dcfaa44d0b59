/**
 * The effects that a call can be made to have. `processed`: whether the gateway had done its work before the
 * connection failed.
 */
export type Effect =
  | { kind: 'decision'; responseCode: 2 | 3 | 4; reasonCode: number }
  | { kind: 'refusal'; code: string }
  | { kind: 'connection'; failure: ConnectionFailure; processed: boolean; visibleAfterSeconds?: number }
  | { kind: 'delay'; milliseconds: number }
  | { kind: 'profileFailure' }
  | { kind: 'storedDecline' }

/** `timeout` never answers, `reset` breaks the connection, `html` answers 500 with a page, `truncated` half the JSON. */
export type ConnectionFailure = 'timeout' | 'reset' | 'html' | 'truncated'

const before = (failure: ConnectionFailure): Effect => ({ kind: 'connection', failure, processed: false })
const after = (failure: ConnectionFailure): Effect => ({ kind: 'connection', failure, processed: true })

/** Every effect by the name that the admin endpoint takes; `README.md` describes them. */
export const effects = {
  declined: { kind: 'decision', responseCode: 2, reasonCode: 2 },
  lostOrStolen: { kind: 'decision', responseCode: 2, reasonCode: 4 },
  cardCodeMismatch: { kind: 'decision', responseCode: 2, reasonCode: 44 },
  addressMismatch: { kind: 'decision', responseCode: 2, reasonCode: 27 },
  expiredCard: { kind: 'decision', responseCode: 3, reasonCode: 8 },
  heldForReview: { kind: 'decision', responseCode: 4, reasonCode: 253 },
  processingError: { kind: 'decision', responseCode: 3, reasonCode: 19 },
  timeoutBefore: before('timeout'),
  timeoutAfter: after('timeout'),
  resetBefore: before('reset'),
  resetAfter: after('reset'),
  serverErrorBefore: before('html'),
  serverErrorAfter: after('html'),
  truncatedAfter: after('truncated'),
  lateVisibility: { kind: 'connection', failure: 'reset', processed: true, visibleAfterSeconds: 300 },
  cardNotStored: { kind: 'profileFailure' },
  tokenUsed: { kind: 'refusal', code: 'E00114' },
  tokenExpired: { kind: 'refusal', code: 'E00115' },
  busy: { kind: 'refusal', code: 'E00053' },
  slow: { kind: 'delay', milliseconds: 3000 },
  declinedWhenStored: { kind: 'storedDecline' },
} satisfies Record<string, Effect>

export type EffectName = keyof typeof effects

export const isEffectName = (name: string): name is EffectName => Object.hasOwn(effects, name)

/** The number NN of an effect: card code 2NN and the amount $70.NN ask for it. */
export const numbered: readonly EffectName[] = [
  'declined',
  'lostOrStolen',
  'cardCodeMismatch',
  'expiredCard',
  'heldForReview',
  'processingError',
  'timeoutBefore',
  'timeoutAfter',
  'resetBefore',
  'resetAfter',
  'serverErrorBefore',
  'serverErrorAfter',
  'truncatedAfter',
  'lateVisibility',
  'cardNotStored',
  'tokenUsed',
  'tokenExpired',
  'busy',
  'slow',
]

/** Card numbers with an effect of their own, which a stored card keeps. */
const cardNumbers: Record<string, EffectName> = {
  '4000000000000002': 'declined',
  '4000000000000069': 'expiredCard',
  '4000000000009235': 'heldForReview',
  '4000000000000341': 'declinedWhenStored',
}

export const effectOfCardNumber = (digits: string): EffectName | null => cardNumbers[digits] ?? null

export const effectOfCardCode = (cardCode: string): EffectName | null =>
  /^2\d\d$/.test(cardCode) ? (numbered[Number(cardCode) - 201] ?? null) : null

export const effectOfAmount = (cents: number): EffectName | null =>
  cents > 7000 ? (numbered[cents - 7001] ?? null) : null

/** Results that the vendor's own sandbox gives for card codes and zips. */
export const cardCodeResult = (cardCode: string): string =>
  ({ 900: 'M', 901: 'N', 902: 'S', 903: 'U', 904: 'P' })[cardCode] ?? 'P'

const addressResults: Record<string, string> = {
  46201: 'A',
  46203: 'E',
  46204: 'G',
  46205: 'N',
  46206: 'P',
  46207: 'R',
  46208: 'S',
  46209: 'U',
  46211: 'W',
  46214: 'X',
  46217: 'Z',
  46299: 'N',
}

/**
 * Effects of a ZIP code alone: one of the vendor's own sandbox, and one of an account whose address filter refuses N.
 */
const zips: Record<string, Effect & { kind: 'decision' }> = {
  46282: effects.declined,
  46299: effects.addressMismatch,
}

export const addressResult = (zip: string): string => addressResults[zip] ?? 'Y'
export const effectOfZip = (zip: string): (Effect & { kind: 'decision' }) | null => zips[zip] ?? null
