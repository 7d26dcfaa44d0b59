const HOUR_MS = 3600 * 1000
const DAY_MS = 24 * HOUR_MS
const CONFIRMATION_MS = 48 * HOUR_MS
const RESET_MS = HOUR_MS
/** How long a deletion can be undone; with the daily job it happens within 30 days. */
const UNDO_DAYS = 28
/** How often an account may ask for another email address in any 24 hours. */
export const EMAIL_CHANGES_A_DAY = 3
export const EMAIL_CHANGE_WINDOW_MS = DAY_MS
const CROCKFORD_BASE32 = '0123456789abcdefghjkmnpqrstvwxyz'

/** When the link of a confirmation mail that is sent now ends: 48 hours later. */
export function confirmationExpiry(now: Date): Date {
  return new Date(now.getTime() + CONFIRMATION_MS)
}

/** When the link of a reset mail that is sent now ends: one hour later. */
export function resetExpiry(now: Date): Date {
  return new Date(now.getTime() + RESET_MS)
}

/** When an account that is deleted now is erased. */
export function erasureDue(now: Date): Date {
  return new Date(now.getTime() + UNDO_DAYS * DAY_MS)
}

/** A code that people can read aloud: one symbol of Crockford's base 32 for each random byte. */
export function readableCode(bytes: Uint8Array): string {
  return [...bytes].map((byte) => CROCKFORD_BASE32[byte % CROCKFORD_BASE32.length]).join('')
}

/** A referral code as it is stored, from however somebody typed it. */
export function normalReferralCode(text: string): string {
  return text.trim().toLowerCase()
}
