import { createHash, createHmac } from 'node:crypto'
import { cardCodeResult, effectOfCardCode, effectOfCardNumber } from './effects.ts'
import type { Gateway } from './gateway.ts'
import { ApiError, textAt } from './wire.ts'

/** The sandbox's record of a card; never its number, never its code. */
export type Card = {
  brand: string
  lastFour: string
  /** YYYY-MM; good through the last day of that month. */
  expires: string
  /** Keyed digest of the number, by which duplicates are recognized. */
  cardDigest: string
  cardEffect: string | null
}

/** A card as one call presents it. */
export type PresentedCard = Card & {
  codeEffect: string | null
  cardCodeResult: string
  zip: string
  fullName: string
}

const brands: [RegExp, string][] = [
  [/^4/, 'Visa'],
  [/^(5[1-5]|2[2-7])/, 'MasterCard'],
  [/^3[47]/, 'AmericanExpress'],
  [/^(6011|65|64[4-9])/, 'Discover'],
  [/^35|^3088/, 'JCB'],
  [/^3[068]/, 'DinersClub'],
]

/** Reads `cardNumber`, `expirationDate`, `cardCode`, `zip`, `fullName`; E00013 for what no card can have. */
export function readCard(gateway: Gateway, fields: unknown): PresentedCard {
  const digits = textAt(fields, 'cardNumber').replace(/[ .,:-]/g, '')
  if (!/^\d{13,16}$/.test(digits) || !passesLuhn(digits))
    throw new ApiError('E00013', 'The card number is invalid.')
  const expires = readExpiry(textAt(fields, 'expirationDate'))
  if (!expires) throw new ApiError('E00013', 'The expiration date is invalid.')
  const cardCode = textAt(fields, 'cardCode')
  return {
    brand: brands.find(([pattern]) => pattern.test(digits))?.[1] ?? 'Visa',
    lastFour: digits.slice(-4),
    expires,
    cardDigest: createHmac('sha256', gateway.cardKey).update(digits).digest('base64url'),
    cardEffect: effectOfCardNumber(digits),
    codeEffect: effectOfCardCode(cardCode),
    cardCodeResult: cardCodeResult(cardCode),
    zip: textAt(fields, 'zip'),
    fullName: textAt(fields, 'fullName'),
  }
}

/** MMYY, MM/YY, MMYYYY, MM-YYYY or YYYY-MM as YYYY-MM; null for anything else. */
function readExpiry(value: string): string | null {
  const yearFirst = /^(\d{4})-(\d{2})$/.exec(value)
  const monthFirst = /^(\d{2})[-/]?(\d{2}|\d{4})$/.exec(value)
  const month = yearFirst?.[2] ?? monthFirst?.[1]
  const year = yearFirst?.[1] ?? monthFirst?.[2]
  if (!month || !year || Number(month) < 1 || Number(month) > 12) return null
  return `${year.length === 2 ? `20${year}` : year}-${month}`
}

function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

export const isExpired = (card: Card, now: Date): boolean => card.expires < now.toISOString().slice(0, 7)

export const tokenDigest = (dataValue: string): string =>
  createHash('sha256').update(dataValue).digest('base64url')

/** Takes the card out of a `payment` element. A token is used up with this call; null when there is no payment. */
export function takePayment(gateway: Gateway, payment: unknown): PresentedCard | null {
  const dataValue = textAt(payment, 'opaqueData', 'dataValue')
  if (dataValue) return takeToken(gateway, textAt(payment, 'opaqueData', 'dataDescriptor'), dataValue)
  return textAt(payment, 'creditCard', 'cardNumber')
    ? readCard(gateway, (payment as { creditCard: unknown }).creditCard)
    : null
}

function takeToken(gateway: Gateway, dataDescriptor: string, dataValue: string): PresentedCard {
  if (dataDescriptor !== 'COMMON.ACCEPT.INAPP.PAYMENT')
    throw new ApiError('E00113', 'The token data is invalid.')
  const digest = tokenDigest(dataValue)
  const token = gateway.db.prepare('select * from tokens where digest = ?').get(digest) as
    | (PresentedCard & { expiresAt: number; usedAt: number | null })
    | undefined
  if (!token || token.usedAt !== null) throw new ApiError('E00114', 'The token is invalid or was used.')
  const now = gateway.now().getTime()
  if (token.expiresAt <= now) throw new ApiError('E00115', 'The token has expired.')
  gateway.db.prepare('update tokens set usedAt = ? where digest = ?').run(now, digest)
  return token
}
