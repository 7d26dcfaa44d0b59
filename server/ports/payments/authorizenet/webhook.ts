import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Notice, Payments } from '../port.ts'

const Body = z.object({
  notificationId: z.string().min(1).max(100),
  eventType: z.string().min(1).max(100),
  payload: z.object({ entityName: z.string().optional(), id: z.coerce.string().max(100).optional() }),
})

/** Checks the signature of a webhook over its raw bytes, and reads which transaction it is about. */
export function readWebhook(
  signatureKey: string,
  { body, signature }: Parameters<NonNullable<Payments['readWebhook']>>[0],
): Notice | 'forged' | 'unreadable' {
  const [, given] = /^sha512=([\da-f]{128})$/i.exec(signature) ?? []
  // The key is what the gateway shows as text; its hexadecimal digits are not decoded.
  const own = createHmac('sha512', signatureKey).update(body).digest()
  if (!given || !timingSafeEqual(own, Buffer.from(given, 'hex'))) return 'forged'
  const read = Body.safeParse(parsed(body.toString()))
  if (!read.success) return 'unreadable'
  const { notificationId: id, eventType: event, payload } = read.data
  const isTransaction = payload.entityName === 'transaction' && /^\d{1,20}$/.test(payload.id ?? '')
  return { id, event, transactionId: isTransaction ? (payload.id ?? null) : null }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
