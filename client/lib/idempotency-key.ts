import { useRef } from 'react'
import { ApiError } from './api.ts'

/** A new key for one attempt to create or charge something; the caller keeps it until an answer arrives (docs/product.md, Calls). */
export function idempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(18)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/** Whether an answer says that nothing became of the attempt, and nothing will: it may still be under way, or have failed half-way. */
export const isRefusal = (error: unknown) =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.code !== 'request_in_flight'

/** Sends with the same key until it is done or refused, so that a repeated attempt finds what the first one did. */
export function useKeyed<Keyed extends { key: string }, Answer>(
  send: (values: Keyed) => Promise<Answer>,
): (values: Omit<Keyed, 'key'>) => Promise<Answer> {
  const key = useRef(idempotencyKey())
  return (values) =>
    send({ ...values, key: key.current } as Keyed).catch((error: unknown) => {
      if (isRefusal(error)) key.current = idempotencyKey()
      throw error
    })
}
