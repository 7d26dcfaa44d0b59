/** What is said of an unsubscribe link that isn't ours, or was cut off. */
export const UNSUBSCRIBE_INVALID =
  'This link doesn’t work. Open it from the email again, or change your emails in your notification settings.'

/** The longest token of such a link. */
export const MAX_UNSUBSCRIBE_TOKEN = 200

const TOKEN = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([a-z]+)\.([\w-]+)$/

/** The parts of the token of an unsubscribe link: whose emails, of what, and a signature. */
export type UnsubscribeToken = { userId: string; scope: string; signature: string }

/** The parts of a token; null for a text of another shape. Whether the signature holds is for the server to say. */
export function readUnsubscribeToken(token: string): UnsubscribeToken | null {
  if (token.length > MAX_UNSUBSCRIBE_TOKEN) return null
  const [, userId, scope, signature] = TOKEN.exec(token) ?? []
  return userId && scope && signature ? { userId, scope, signature } : null
}

/** The token of a link that says so. */
export const unsubscribeToken = ({ userId, scope, signature }: UnsubscribeToken): string =>
  `${userId}.${scope}.${signature}`
