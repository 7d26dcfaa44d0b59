/** Money on the wire is text (`$4`, `$4.50`, `$1,234`); inside it is integer cents (docs/product.md, Calls). */
const MONEY = /^\$?(\d{1,7}|\d{1,3}(?:,\d{3}){1,2})(?:\.(\d{1,2}))?$/

/** Parses money text into cents; null when it is not money: no negatives, 2 decimals, 7 integer digits at most. */
export function parseMoney(text: string): number | null {
  const match = MONEY.exec(text.trim())
  if (!match?.[1]) return null
  const whole = match[1].replaceAll(',', '')
  if (whole.length > 7) return null
  return Number(whole) * 100 + Number((match[2] ?? '').padEnd(2, '0') || '0')
}

/** The cents of an amount that `formatMoney` wrote, of a negative one as well; 0 of what is no amount. */
export function centsOf(amount: string): number {
  return amount.startsWith('-') ? -centsOf(amount.slice(1)) : (parseMoney(amount) ?? 0)
}

/** Writes cents as money text: `$4`, `$4.50`, `$1,234`; a negative amount as `-$4`. */
export function formatMoney(cents: number): string {
  const absolute = Math.abs(cents)
  const whole = Math.floor(absolute / 100)
    .toString()
    .replace(/\B(?=(?:\d{3})+$)/g, ',')
  const rest = absolute % 100
  return `${cents < 0 ? '-' : ''}$${whole}${rest === 0 ? '' : `.${String(rest).padStart(2, '0')}`}`
}

/** Cents as money text that always shows its cents, for columns of amounts: `$4.00`, `-$4.50`. */
export function formatCents(cents: number): string {
  const text = formatMoney(cents)
  return text.includes('.') ? text : `${text}.00`
}

/** Cents as a plain decimal number, for files: `1234.50`, `-4.00`. */
export function decimalOf(cents: number): string {
  const absolute = Math.abs(cents)
  const rest = String(absolute % 100).padStart(2, '0')
  return `${cents < 0 ? '-' : ''}${Math.floor(absolute / 100)}.${rest}`
}

/** How one sale divides: both parts are whole cents, never negative, and sum to gross. */
export type Split = { feeCents: number; shareCents: number }

const BASIS_POINTS = 10_000

/**
 * Divides a sale between platform and creator (docs/product.md, Money). `grossCents` and both results are integer cents,
 * `feePercent` is 0 to 100 with at most two decimals. What does not divide evenly goes to the creator.
 */
export function split(grossCents: number, feePercent: number): Split {
  const parts = grossCents * Math.round(feePercent * 100)
  const feeCents = (parts - (parts % BASIS_POINTS)) / BASIS_POINTS
  return { feeCents, shareCents: grossCents - feeCents }
}

/** The error for text that is no amount of dollars and cents. */
export const NO_MONEY = 'Enter an amount like $4 or $4.50.'

/** The error for a price below the least one. */
export function lowestPriceText(leastCents: number): string {
  return `The lowest price is ${formatMoney(leastCents)}.`
}
