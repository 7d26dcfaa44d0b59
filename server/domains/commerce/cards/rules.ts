import type { ErrorCode } from '../../../../contract/errors.ts'

const MINUTE_MS = 60_000
const LONGEST_WAIT_MINUTES = 24 * 60

/** When the gateway is asked again: after 1, 2, 4 … minutes, at last once a day, and never given up. */
export function nextDeletionAttempt(attempts: number, now: Date): Date {
  const minutes = Math.min(2 ** Math.max(0, attempts - 1), LONGEST_WAIT_MINUTES)
  return new Date(now.getTime() + minutes * MINUTE_MS)
}

/** A past-due subscription, and what it owes. */
export type Owed = { id: string; cents: number }

/** Whether somebody who was shown this was shown just what is past due now. */
export function isAsShown(pastDue: readonly Owed[], shown: readonly Owed[]): boolean {
  const owed = new Map(shown.map(({ id, cents }) => [id, cents]))
  return owed.size === pastDue.length && pastDue.every(({ id, cents }) => owed.get(id) === cents)
}

/** A card is good through the last day of its month, `2031-09`; one whose month isn't known yet is taken for good. */
export function expiryOf(expires: string | null, now: Date): 'valid' | 'soon' | 'expired' {
  if (expires === null) return 'valid'
  if (expires < monthOf(now)) return 'expired'
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
  return expires <= monthOf(next) ? 'soon' : 'valid'
}

/** The last day of a month such as `2031-09`. */
export function lastDayOf(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}

const monthOf = (moment: Date) => moment.toISOString().slice(0, 7)

/** Why this can't pay; null when it can. `stored` is the named card, where it is the payer's and can be charged. */
export function cardRefusal(
  card: { cardId: string } | object | null,
  stored: { expires: string | null } | null,
  now: Date,
): ErrorCode | null {
  if (!card) return 'card_required'
  if (!('cardId' in card)) return null
  if (!stored) return 'card_not_found'
  return expiryOf(stored.expires, now) === 'expired' ? 'card_expired' : null
}

/** The gateway's names that people don't know their cards by. */
const BRANDS: Record<string, string> = {
  MasterCard: 'Mastercard',
  AmericanExpress: 'Amex',
  DinersClub: 'Diners Club',
}

/** The brand as it stands on the card. */
export function brandName(brand: string): string {
  return BRANDS[brand] ?? brand
}

/** A readable name of a card: `Visa 1111`; null if it isn't known. */
export function cardName(brand: string | null, lastFour: string | null): string | null {
  return brand && lastFour ? `${brandName(brand)} ${lastFour}` : null
}

/** Cards whose storing was sent up to this moment are beyond the gateway call's own time limit, and are looked up. */
export function lookedUpBefore(now: Date): Date {
  return new Date(now.getTime() - 2 * MINUTE_MS)
}
