import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Route } from '../../contract/route.ts'
import type { Vault } from '../crypto/vault.ts'
import type { Tx } from '../db/client.ts'
import { type Answered, findAnswer, type KeyedCall, keepAnswer } from '../db/idempotency.ts'
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

/** The first answer to this call, made now or earlier; throws when the key belongs to another call. */
export async function answerOnce(
  tx: Tx,
  call: KeyedCall,
  { now, vault, sealed }: { now: Date; vault: Vault; sealed: boolean },
  answer: () => Promise<Answered>,
): Promise<Answered> {
  const earlier = await findAnswer(tx, call, vault)
  if (earlier === 'in_flight') throw new AppError('request_in_flight')
  if (earlier === 'reused') throw new AppError('idempotency_key_reused')
  if (earlier) return earlier
  const answered = await answer()
  await keepAnswer(tx, call, answered, { now, vault: sealed ? vault : null })
  return answered
}
