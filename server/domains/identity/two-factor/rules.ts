import type { z } from 'zod'
import type { PasskeyCreation } from '../../../../contract/passkeys.ts'

export const RECOVERY_CODES = 10
/** One symbol a byte: 50 random bits in ten symbols. */
export const RECOVERY_CODE_BYTES = 10

/** A recovery code as people read it: two groups of five. */
export function groupedCode(code: string): string {
  return `${code.slice(0, 5)}-${code.slice(5)}`
}

/** The relying party that asks for passkeys: host name, origin, and readable name of the site (WebAuthn L3 §4). */
export type RelyingParty = { id: string; origin: string; name: string }

export type Transport = z.input<typeof PasskeyCreation>['excludeCredentials'][number]['transports'][number]

const TRANSPORTS: readonly Transport[] = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

/** The transports that we know of those that a browser or the database names. */
export function knownTransports(names: readonly string[]): Transport[] {
  return TRANSPORTS.filter((transport) => names.includes(transport))
}

/** The site as browsers know it, from its public address. */
export function relyingParty(publicUrl: string, brand: string): RelyingParty {
  const { hostname, origin } = new URL(publicUrl)
  return { id: hostname, origin, name: brand }
}
