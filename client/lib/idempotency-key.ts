import { useRef } from 'react'
import { ApiError } from './api.ts'

/** A fresh key for one attempt to create or charge something; kept by the caller until it is answered (docs/product.md, Calls). */
export function idempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(18)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/** Sends under one key until there is an answer: without one, the same key finds what may have been done. */
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
