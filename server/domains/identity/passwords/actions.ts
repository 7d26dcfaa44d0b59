import { randomBytes } from 'node:crypto'
import { dictionary } from '@zxcvbn-ts/language-common'
import { MIN_PASSWORD_LENGTH } from '../../../../contract/constants.ts'
import { runHashing } from '../../../crypto/hashing.ts'
import { AppError } from '../../../errors.ts'
import { normal, passwordRefusal } from './rules.ts'

/** OWASP's minimum for Argon2id, which is the library's default algorithm: 19 MiB, two passes (ASVS 5.0, 11.4.2). */
const ARGON2ID = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }
/** Of no password. It is made without hashing, so that nothing can fail that every login would depend on. */
const DUMMY_HASH = dummyHash()
/** How many of the commonest passwords of permitted length are refused (ASVS 5.0, 6.2.4). */
const COMMONEST = 3000
/** The commonest passwords that a person could choose here, in lower case. */
export const commonPasswords: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].filter((text) => text.length >= MIN_PASSWORD_LENGTH).slice(0, COMMONEST),
)
/** Passwords that may wait for their turn; who comes later is asked to come again. */
const MAX_WAITING = 100
const BUSY_RETRY_SECONDS = 5

/** Throws `password_too_common` or `password_like_account`, said at the field `password`. */
export function refuseWeakPassword(
  password: string,
  account: { email: string; username: string; brand: string },
): void {
  const refusal = passwordRefusal(password, account, commonPasswords)
  if (refusal) throw new AppError(refusal)
}

let waiting = 0

/** The PHC string of a password, with a salt of its own. Throws `rate_limited` when too many already wait. */
export async function hashPassword(password: string): Promise<string> {
  return String(await bounded(normal(password), null))
}

/**
 * Whether the password is the one that was hashed. `null` (no such account) costs as much time as a wrong password.
 * Throws `rate_limited` when too many already wait.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const matches = await bounded(normal(password), passwordHash ?? DUMMY_HASH)
  return matches === true && passwordHash !== null
}

/** A PHC string whose parameters are those of every other, with random bytes for salt and hash. */
function dummyHash(): string {
  const { memoryCost, timeCost, parallelism } = ARGON2ID
  const bytes = (length: number) => randomBytes(length).toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${bytes(16)}$${bytes(32)}`
}

async function bounded(password: string, against: string | null): Promise<string | boolean> {
  if (waiting >= MAX_WAITING) throw new AppError('rate_limited', { retryAfterSeconds: BUSY_RETRY_SECONDS })
  waiting++
  try {
    return await runHashing({ password, against, options: ARGON2ID })
  } finally {
    waiting--
  }
}
