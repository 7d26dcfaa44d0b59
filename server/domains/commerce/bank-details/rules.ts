import { type BankFields, bankSchemeOf } from '../../../../contract/bank.ts'

const DAY_MS = 24 * 3600 * 1000
/**
 * How long nothing is paid to new details: who got into an account has to wait, and its owner has read the email by then. The
 * first ones wait as well, since somebody else may have entered them.
 */
const HOLD_DAYS = 3

/** The sealed content: whose account it is, and the fields that name it. */
export type Details = BankFields & { accountHolder: string }

/** When details that were changed then can be paid to. */
export function heldUntil(changedAt: Date): Date {
  return new Date(changedAt.getTime() + HOLD_DAYS * DAY_MS)
}

/** Details that were changed by then can be paid to now. */
export function changedBy(now: Date): Date {
  return new Date(now.getTime() - HOLD_DAYS * DAY_MS)
}

/** The fields that are kept: those that the country needs. */
export function keptOf(details: Details): Details {
  const { accountHolder, country, iban, routingNumber, swiftCode, accountNumber } = details
  switch (bankSchemeOf(country)) {
    case 'us':
      return { accountHolder, country, routingNumber, accountNumber }
    case 'iban':
      return { accountHolder, country, iban }
    case 'swift':
      return { accountHolder, country, swiftCode, accountNumber }
  }
}

/** The last four characters of what names the account. */
export function lastFourOf({ iban, accountNumber }: Details): string {
  return (iban ?? accountNumber ?? '').slice(-4)
}
