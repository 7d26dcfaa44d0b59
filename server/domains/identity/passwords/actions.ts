import { hash, verify } from '@node-rs/argon2'
import { errors } from '../../../../contract/errors.ts'
import { AppError } from '../../../errors.ts'
import { commonPasswords } from './data.ts'
import { passwordRefusal } from './rules.ts'

/** OWASP's minimum for Argon2id, which is the library's default algorithm: 19 MiB, two passes (ASVS 5.0, 11.4.2). */
const ARGON2ID = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }
/** Hashes computed at once: bounds memory, and leaves threads for everything else that uses the pool. */
const MAX_PARALLEL = 2
const MAX_WAITING = 100
const BUSY_RETRY_SECONDS = 5

/** Throws `password_too_common` or `password_like_account`, said at the field `password`. */
export function refuseWeakPassword(
  password: string,
  account: { email: string; username: string; brand: string },
): void {
  const refusal = passwordRefusal(password, account, commonPasswords)
  if (refusal) throw new AppError(refusal, { details: { password: errors[refusal][1] } })
}

let running = 0
const waiting: (() => void)[] = []
let nobodysHash: Promise<string> | undefined

/** The PHC string of a password, with a salt of its own. Throws `rate_limited` when too many already wait. */
export function hashPassword(password: string): Promise<string> {
  return bounded(() => hash(normal(password), ARGON2ID))
}

/**
 * Whether the password is the one that was hashed. `null` (no such account) costs as much time as a wrong password.
 * Throws `rate_limited` when too many already wait.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  nobodysHash ??= hashPassword(crypto.randomUUID())
  const decoy = await nobodysHash
  const matches = await bounded(() => verify(passwordHash ?? decoy, normal(password)))
  return matches && passwordHash !== null
}

/** The same password typed on another keyboard or system is the same text (NIST SP 800-63B, 3.1.1.2). */
function normal(password: string): string {
  return password.normalize('NFKC')
}

async function bounded<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAX_PARALLEL) {
    if (waiting.length >= MAX_WAITING)
      throw new AppError('rate_limited', { retryAfterSeconds: BUSY_RETRY_SECONDS })
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else {
    running++
  }
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}
