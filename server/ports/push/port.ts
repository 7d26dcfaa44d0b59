/** Where a browser is reached, and what only it can read is encrypted with (RFC 8030, RFC 8291). */
export type PushSubscription = { endpoint: string; keys: { p256dh: string; auth: string } }

export type PushMessage = {
  payload: string
  /** Seconds for which it is worth delivering. */
  ttl: number
  urgency: 'low' | 'normal' | 'high'
  /** Of those with the same one that wait at the service, the newest is delivered. */
  topic: string
}

/** `gone`: there is no such browser anymore. `refused`: this message will never be taken. `busy`: later, perhaps. */
export type PushOutcome = 'sent' | 'gone' | 'refused' | { busy: true; retryAfterSeconds: number | null }

/** Hands messages for browsers to their push services. */
export type Push = {
  /** The key with which browsers subscribe. */
  publicKey: string
  /** Whether the address belongs to a push service that we may speak to. */
  accepts(endpoint: string): boolean
  /** Never throws: an address that doesn’t answer is busy. */
  send(subscription: PushSubscription, message: PushMessage): Promise<PushOutcome>
}
