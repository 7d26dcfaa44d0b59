/** How long the IBANs of each country are that has them (SWIFT's IBAN registry). */
const IBAN_LENGTHS: Readonly<Record<string, number>> = Object.fromEntries(
  (
    'AD24 AE23 AL28 AT20 AX18 AZ28 BA20 BE16 BG22 BH22 BI27 BL27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ' +
    'ES24 FI18 FK18 FO18 FR27 GB22 GE22 GF27 GG22 GI23 GL18 GP27 GR27 GT28 HR21 HU28 IE22 IL23 IM22 IQ23 IS26 IT27 JE22 JO30 ' +
    'KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MF27 MK19 MN20 MQ27 MR27 MT31 MU30 NC27 NI28 NL18 NO15 OM23 ' +
    'PF27 PK24 PL28 PM27 PS29 PT25 QA29 RE27 RO24 RS22 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TF27 TL23 TN24 TR26 ' +
    'UA29 VA22 VG24 WF27 YE30 YT27'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)

/** Territories whose accounts have the IBANs of the country that they belong to. */
const IBAN_OF: Readonly<Record<string, string>> = Object.fromEntries([
  ...['BL', 'GF', 'GP', 'MF', 'MQ', 'NC', 'PF', 'PM', 'RE', 'TF', 'WF', 'YT'].map((code) => [code, 'FR']),
  ...['GG', 'IM', 'JE'].map((code) => [code, 'GB']),
  ['AX', 'FI'],
])

/** The fields that name an account in a country. */
export type BankScheme = 'us' | 'iban' | 'swift'
export function bankSchemeOf(country: string): BankScheme {
  if (country === 'US') return 'us'
  return country in IBAN_LENGTHS ? 'iban' : 'swift'
}

/** Whether it is an IBAN of that country (ISO 13616), upper case and without spaces: its length, and its checksum of 97. */
export function isIban(text: string, country: string): boolean {
  const prefix = IBAN_OF[country] ?? country
  if (!/^[A-Z]{2}\d{2}[A-Z\d]+$/.test(text) || !text.startsWith(prefix)) return false
  if (text.length !== IBAN_LENGTHS[prefix]) return false
  let rest = 0
  for (const letter of text.slice(4) + text.slice(0, 4))
    for (const digit of String(Number.parseInt(letter, 36))) rest = (rest * 10 + Number(digit)) % 97
  return rest === 1
}

const WEIGHTS = [3, 7, 1]

/** Whether it is a routing number of the American Bankers Association, by its first digits and its checksum. */
export function isRoutingNumber(text: string): boolean {
  if (!/^(0[1-9]|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)\d{7}$/.test(text)) return false
  const sum = [...text].reduce((total, digit, index) => total + Number(digit) * (WEIGHTS[index % 3] ?? 0), 0)
  return sum % 10 === 0
}

/** Whether it is a SWIFT code (ISO 9362) of that country. */
function isSwiftCode(text: string, country: string): boolean {
  return /^[A-Z]{4}[A-Z]{2}[A-Z\d]{2}([A-Z\d]{3})?$/.test(text) && text.slice(4, 6) === country
}

/** The fields of an account, as typed or stored. */
export type BankFields = {
  country: string
  iban?: string | undefined
  routingNumber?: string | undefined
  swiftCode?: string | undefined
  accountNumber?: string | undefined
}

/** The digits and letters of a code, however they are grouped. */
export const codeOf = (text: string) => text.replace(/[\s-]/g, '').toUpperCase()

/** One sentence about each invalid field that the country needs; empty when it can be paid to. */
export function wrongBankFields(fields: BankFields): Record<string, string> {
  const { country } = fields
  const iban = codeOf(fields.iban ?? '')
  const routingNumber = codeOf(fields.routingNumber ?? '')
  const swiftCode = codeOf(fields.swiftCode ?? '')
  const accountNumber = codeOf(fields.accountNumber ?? '')
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
