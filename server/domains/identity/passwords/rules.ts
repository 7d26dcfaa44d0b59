import type { ErrorCode } from '../../../../contract/errors.ts'

/**
 * Why a new password can't be taken, or null. It must be neither one of the commonest nor what everybody knows of the
 * account, with or without digits and signs around it; case does not matter.
 */
export function passwordRefusal(
  password: string,
  account: { email: string; username: string; brand: string },
  common: ReadonlySet<string>,
): Extract<ErrorCode, 'password_too_common' | 'password_like_account'> | null {
  const typed = normal(password).toLowerCase()
  if (common.has(typed)) return 'password_too_common'
  const { email, username, brand } = account
  const known = [email, email.split('@')[0] ?? '', username, brand].map((text) => text.toLowerCase())
  const words = new Set([...known, ...known.map(core)].filter((text) => text !== ''))
  return words.has(typed) || words.has(core(typed)) ? 'password_like_account' : null
}

/** The same password typed on another keyboard or system is the same text (NIST SP 800-63B, 3.1.1.2). */
export function normal(password: string): string {
  return password.normalize('NFKC')
}

/** Whether both open the same account. */
export function isSamePassword(one: string, other: string): boolean {
  return normal(one) === normal(other)
}

/** The text without the digits and signs at its ends. */
function core(text: string): string {
  return text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
}
