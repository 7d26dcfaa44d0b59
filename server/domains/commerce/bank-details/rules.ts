import { bankSchemeOf, isIban, isRoutingNumber, isSwiftCode } from '../../../../contract/bank.ts'

const DAY_MS = 24 * 3600 * 1000
/**
 * How long nothing is paid to new details: who got into an account has to wait, and its owner has read the email by then. The
 * first ones wait as well, since somebody else may have entered them.
 */
const HOLD_DAYS = 3

/** What is sealed: whose account it is, and what names it. */
export type Details = {
  accountHolder: string
  country: string
  iban?: string | undefined
  routingNumber?: string | undefined
  swiftCode?: string | undefined
  accountNumber?: string | undefined
}

/** When details that were changed then can be paid to. */
export function heldUntil(changedAt: Date): Date {
  return new Date(changedAt.getTime() + HOLD_DAYS * DAY_MS)
}

/** Details that were changed by then can be paid to now. */
export function changedBy(now: Date): Date {
  return new Date(now.getTime() - HOLD_DAYS * DAY_MS)
}

/** What is wrong with each field that the country needs; nothing when it can be paid to. */
export function wrongFields(details: Details): Record<string, string> {
  const { country, iban = '', routingNumber = '', swiftCode = '', accountNumber = '' } = details
  switch (bankSchemeOf(country)) {
    case 'us':
      return {
        ...(isRoutingNumber(routingNumber)
          ? {}
          : { routingNumber: 'Check the 9 digits of the routing number.' }),
        ...(/^\d{4,17}$/.test(accountNumber) ? {} : { accountNumber: 'Enter 4 to 17 digits.' }),
      }
    case 'iban':
      return isIban(iban, country)
        ? {}
        : { iban: 'Check the IBAN. It doesn’t match this country or has a typo.' }
    case 'swift':
      return {
        ...(isSwiftCode(swiftCode, country)
          ? {}
          : { swiftCode: 'Check the SWIFT code. It has 8 or 11 characters and names the country.' }),
        ...(/^[A-Z\d]{4,34}$/.test(accountNumber)
          ? {}
          : { accountNumber: 'Enter 4 to 34 digits or letters.' }),
      }
  }
}

/** What is kept of the fields: those that the country needs. */
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
