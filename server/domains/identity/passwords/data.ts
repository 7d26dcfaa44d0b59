import { dictionary } from '@zxcvbn-ts/language-common'
import { MIN_PASSWORD_LENGTH } from '../../../../contract/constants.ts'

/** How many of the commonest passwords of permitted length are refused (ASVS 5.0, 6.2.4). */
const COMMONEST = 3000

/** The commonest passwords that a person could choose here, in lower case. */
export const commonPasswords: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].filter((text) => text.length >= MIN_PASSWORD_LENGTH).slice(0, COMMONEST),
)
