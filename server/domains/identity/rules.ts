const HOUR_MS = 3600 * 1000
const SESSION_MS = 30 * 24 * HOUR_MS
const CONFIRMATION_MS = 48 * HOUR_MS
const CROCKFORD_BASE32 = '0123456789abcdefghjkmnpqrstvwxyz'

/** When a session that is used now ends: 30 days later (decisions §3). */
export function sessionExpiry(now: Date): Date {
  return new Date(now.getTime() + SESSION_MS)
}

/** Whether a session's end should move on: at most once an hour, so that reading does not mean writing. */
export function isExtensionDue(lastSeenAt: Date, now: Date): boolean {
  return now.getTime() - lastSeenAt.getTime() >= HOUR_MS
}

/** When the link of a confirmation mail that is sent now ends: 48 hours later. */
export function confirmationExpiry(now: Date): Date {
  return new Date(now.getTime() + CONFIRMATION_MS)
}

/** A code that people can read aloud: one symbol of Crockford's base 32 for each random byte. */
export function readableCode(bytes: Uint8Array): string {
  return [...bytes].map((byte) => CROCKFORD_BASE32[byte % CROCKFORD_BASE32.length]).join('')
}

/** A referral code as it is stored, from however somebody typed it. */
export function normalReferralCode(text: string): string {
  return text.trim().toLowerCase()
}
