import { hkdfSync } from 'node:crypto'

/** A secret by the short name that everything made with it carries; the name says nothing about the secret. */
export type Key = { id: string; secret: string }

/** The secrets of an installation: `current` makes what is new, all of them read. */
export type Keyring = { current: Key; all: readonly Key[] }

/** Three bytes, so that the name is four characters of base64url with nothing left over. */
export const KEY_ID_BYTES = 3
export const KEY_ID_LENGTH = 4

/** The keys of a secret and of those before it, which still open what they sealed; a secret given twice counts once. */
export function createKeyring(current: string, previous: readonly string[] = []): Keyring {
  const keys = [...new Set([current, ...previous])].map((secret) => ({ id: idOf(secret), secret }))
  return { current: keys[0] as Key, all: keys }
}

function idOf(secret: string): string {
  return Buffer.from(hkdfSync('sha256', secret, 'fanfare', 'key id', KEY_ID_BYTES)).toString('base64url')
}
