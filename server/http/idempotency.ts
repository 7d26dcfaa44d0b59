import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type ErrorCode, errors } from '../../contract/errors.ts'
import type { Route } from '../../contract/route.ts'
import type { Vault } from '../crypto/vault.ts'
import type { Db, Tx } from '../db/client.ts'
import { type Answered, findAnswer, holdKey, type KeyedCall, keepAnswer } from '../db/idempotency.ts'
import { AppError } from '../errors.ts'
import { headerOf } from './input.ts'

/** The idempotency key of a call, or null. */
export function idempotencyKeyOf(route: Route, request: FastifyRequest): string | null {
  const key = headerOf(request, 'idempotency-key')
  if (!route.idempotent || key === undefined) return null
  if (!/^[\x21-\x7e]{8,200}$/.test(key))
    throw new AppError('invalid_input', {
      details: { 'Idempotency-Key': 'Use 8 to 200 printable characters.' },
    })
  return key
}

/** The fingerprint that a repeated call must match. */
export function requestHash(name: string, body: unknown): string {
  return createHash('sha256')
    .update(`${name} ${JSON.stringify(body)}`)
    .digest('base64url')
}

type Keeping = { now: Date; vault: Vault; sealed: boolean }

/** The first answer to this call, made now or earlier; throws when the key belongs to another call. */
export async function answerOnce(
  tx: Tx,
  call: KeyedCall,
  keeping: Keeping,
  answer: () => Promise<Answered>,
): Promise<Answered> {
  if (!(await holdKey(tx, call))) throw new AppError('request_in_flight')
  return (await earlierAnswer(tx, call, keeping)) ?? keepAnswer(tx, call, await answer(), keeping)
}

/**
 * The same for a call that opens transactions of its own, as it asks others. Its answer is kept after them: one that broke
 * down, or is repeated while it works, is answered by what its own records say. A refusal is kept where it is the call's outcome.
 */
export async function answerOnceAfter(
  db: Db,
  call: KeyedCall,
  keeping: Keeping,
  answer: () => Promise<Answered>,
): Promise<Answered> {
  const earlier = await earlierAnswer(db, call, keeping)
  if (earlier) return thrownIfRefused(earlier)
  const answered = await answer().catch(refusalAsAnswer)
  return thrownIfRefused(await db.transaction().execute((tx) => keepAnswer(tx, call, answered, keeping)))
}

type Refusal = { code: ErrorCode; details?: Record<string, string> }

/** Other errors are thrown on: the call may be made again under its key. */
function refusalAsAnswer(error: unknown): Answered {
  if (!(error instanceof AppError && error.isOutcome)) throw error
  const { code, details } = error
  return {
    status: errors[code].status,
    response: { code, ...(details ? { details } : {}) } satisfies Refusal,
  }
}

function thrownIfRefused(answered: Answered): Answered {
  if (answered.status < 400) return answered
  const { code, ...more } = answered.response as Refusal
  throw new AppError(code, more)
}

async function earlierAnswer(db: Db, call: KeyedCall, { vault }: Keeping): Promise<Answered | null> {
  const earlier = await findAnswer(db, call, vault)
  if (earlier === 'reused') throw new AppError('idempotency_key_reused')
  return earlier
}
