/** How long somebody may take at the forum’s page that asks for permission. */
const AUTHORIZATION_MINUTES = 30

export type Authorization = { userId: string; nonce: string; expiresAt: Date; signature: string }

/** When an authorization that starts now ends, in whole seconds as `state` carries it. */
export function authorizationEnd(now: Date): Date {
  return new Date((Math.floor(now.getTime() / 1000) + AUTHORIZATION_MINUTES * 60) * 1000)
}

/** The signed content of an authorization: valid for one person in one session, once. */
export function signedText(of: Omit<Authorization, 'signature'> & { sessionId: string }): string {
  return [of.userId, of.sessionId, of.expiresAt.getTime(), of.nonce].join('.')
}

/** The OAuth state: the person's id, then the signature that proves where it started. */
export function stateOf({ userId, nonce, expiresAt, signature }: Authorization): string {
  return [userId, Math.floor(expiresAt.getTime() / 1000), nonce, signature].join('.')
}

/** The parts of a `state`, or null of something else. */
export function readState(state: string): Authorization | null {
  const [, userId, seconds, nonce, signature] =
    /^([0-9a-f-]{36})\.(\d{1,12})\.([\w-]{20,40})\.([\w-]{20,100})$/.exec(state) ?? []
  if (!userId || !seconds || !nonce || !signature) return null
  return { userId, nonce, expiresAt: new Date(Number(seconds) * 1000), signature }
}

const MAX_REVOCATION_WAIT_MINUTES = 24 * 60

/** When a revocation that failed so often is tried again. */
export function nextRevocation(tries: number, now: Date): Date {
  const minutes = Math.min(2 ** tries, MAX_REVOCATION_WAIT_MINUTES)
  return new Date(now.getTime() + minutes * 60_000)
}
