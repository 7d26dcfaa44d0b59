import { useRef } from 'react'
import { ApiError } from './api.ts'

/** A new key for one attempt to create or charge something; the caller keeps it until an answer arrives (docs/product.md, Calls). */
export function idempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(18)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/** Sends with the same key until an answer arrives, so that a repeated attempt finds what the first one did. */
export function useKeyed<Keyed extends { key: string }, Answer>(
  send: (values: Keyed) => Promise<Answer>,
): (values: Omit<Keyed, 'key'>) => Promise<Answer> {
  const key = useRef(idempotencyKey())
  return (values) =>
    send({ ...values, key: key.current } as Keyed).catch((error: unknown) => {
      if (error instanceof ApiError && error.status > 0) key.current = idempotencyKey()
      throw error
    })
}
