import { MAX_ADDRESS_LENGTH, MAX_ZIP_LENGTH, ZIP } from '../../../../../contract/billing-address.ts'
import { cardTexts } from '../texts.ts'
import type { BillTo } from './messages.ts'

/** The typed card. Number, expiry and code go to the gateway's script only, never to our server. */
export type Card = { number: string; expiry: string; code: string; zip: string; address: string }
export type CardErrors = Partial<Record<keyof Card, string>>

/**
 * The card could not be turned into a token; `fields` says what is wrong where, `message` what to do, when the fields
 * don't say it already. Nothing was charged.
 */
export class CardRefused extends Error {
  readonly fields: CardErrors

  constructor(message: string | null, fields: CardErrors = {}) {
    super(message ?? '')
    this.fields = fields
  }
}

const BRANDS = [
  { name: 'Visa', pattern: /^4/ },
  { name: 'Mastercard', pattern: /^(5[1-5]|2[2-7])/ },
  { name: 'Amex', pattern: /^3[47]/ },
  { name: 'Discover', pattern: /^6(011|4[4-9]|5)/ },
] as const

/** The brands that are taken, in the order they are named (docs/product.md, Pages). */
export const ACCEPTED_BRANDS = BRANDS.map(({ name }) => name)

const digitsOf = (text: string) => text.replace(/\D/g, '')

/** The brand of a card number as far as it is typed, or null. */
export function brandOf(number: string): string | null {
  const digits = digitsOf(number)
  return BRANDS.find(({ pattern }) => pattern.test(digits))?.name ?? null
}

/** The number in groups as on the card: 4-4-4-4, or 4-6-5 for Amex. */
export function formatNumber(typed: string): string {
  const digits = digitsOf(typed).slice(0, 16)
  const groups =
    brandOf(digits) === 'Amex' ? /^(\d{1,4})(\d{1,6})?(\d{1,5})?/ : /^(\d{1,4})(\d{1,4})?(\d{1,4})?(\d{1,4})?/
  return groups.exec(digits)?.slice(1).filter(Boolean).join(' ') ?? ''
}

/** Where the caret stands in the formatted text: behind as many digits as it stood behind in what was typed. */
export function caretAfter(typed: string, caret: number, formatted: string): number {
  const digits = digitsOf(typed.slice(0, caret)).length
  if (caret >= typed.length) return formatted.length
  let place = 0
  for (let passed = 0; passed < digits && place < formatted.length; place += 1)
    if (/\d/.test(formatted[place] ?? '')) passed += 1
  return place
}

/** `MM/YY` while it is typed; a slash that was just deleted stays deleted. */
export function formatExpiry(typed: string, before: string): string {
  const all = digitsOf(typed.replace(/^\s*(\d)\s*\//, '0$1/'))
  // Browsers fill in the year with four digits, and people type it so: no card is of the year 20.
  const digits = /^\d\d20\d$/.test(all) ? all : all.replace(/^(\d\d)20(?=\d\d)/, '$1').slice(0, 4)
  const deleting = typed.length < before.length
  if (digits.length > 2 || (digits.length === 2 && !deleting))
    return `${digits.slice(0, 2)}/${digits.slice(2)}`
  return digits
}

/** Letters and digits in one or two groups: `94103`, `94103-1234`, `SW1A 1AA`. */
export const formatZip = (typed: string): string =>
  typed
    // Keyboards of East Asia type digits at full width.
    .normalize('NFKC')
    .replace(/[^a-z0-9 -]/gi, '')
    .replace(/^[ -]+/, '')
    .slice(0, MAX_ZIP_LENGTH)

export const formatAddress = (typed: string): string => typed.slice(0, MAX_ADDRESS_LENGTH)

/** The address that the card's bill goes to, as far as it was typed. */
export function billToOf({ zip, address }: Card): BillTo {
  return { zip: zip.trim(), ...(address.trim() === '' ? {} : { address: address.trim() }) }
}

/** The missing fields, before the gateway's script is asked. */
export function missing(card: Card): CardErrors {
  const isAmex = brandOf(card.number) === 'Amex'
  const code = isAmex ? /^\d{4}$/ : /^\d{3,4}$/
  return {
    ...(digitsOf(card.number) === '' ? { number: cardTexts.enterNumber } : {}),
    ...(/^\d\d\/\d\d$/.test(card.expiry) ? {} : { expiry: cardTexts.enterExpiry }),
    ...(code.test(card.code) ? {} : { code: isAmex ? cardTexts.enterAmexCode : cardTexts.enterCode }),
    ...(ZIP.test(card.zip.trim()) ? {} : { zip: cardTexts.enterZip }),
  }
}

/** The day so long from `today`, of months the month's last day when that day does not exist, as `Dec 31 2026` (docs/product.md, Pages). */
export function renewalDate(today: Date, after: { months: number } | { days: number }): string {
  const date =
    'months' in after
      ? monthsFrom(today, after.months)
      : new Date(today.getFullYear(), today.getMonth(), today.getDate() + after.days)
  const month = date.toLocaleString('en-US', { month: 'short' })
  return `${month} ${String(date.getDate()).padStart(2, '0')} ${date.getFullYear()}`
}

function monthsFrom(today: Date, months: number): Date {
  const lastDay = new Date(today.getFullYear(), today.getMonth() + months + 1, 0).getDate()
  return new Date(today.getFullYear(), today.getMonth() + months, Math.min(today.getDate(), lastDay))
}
