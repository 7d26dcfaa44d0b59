import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { KEY_ID_LENGTH, type Key, type Keyring } from './keyring.ts'

export type Signer = {
  /** The key's id and the base64url HMAC-SHA-256 of the text, under a key derived for this purpose. */
  sign(purpose: string, text: string): string
  /** Whether it was made by any of the keys; compares in constant time. */
  verify(purpose: string, text: string, signature: string): boolean
  /** Whether a signature that holds was made with the newest key. */
  isCurrent(signature: string): boolean
}

/** Signs with keys derived from the installation's secret, a different key for each purpose. */
export function createSigner({ current, all }: Keyring): Signer {
  const derived = new Map<string, string>()
  const keyFor = ({ id, secret }: Key, purpose: string) => {
    const known = derived.get(id + purpose)
    if (known) return known
    // As text: a key that is a Buffer is made into a key object at every signature, which costs eight times as much.
    const key = Buffer.from(hkdfSync('sha256', secret, 'fanfare', purpose, 32)).toString('base64url')
    derived.set(id + purpose, key)
    return key
  }
  const signWith = (key: Key, purpose: string, text: string) =>
    key.id + createHmac('sha256', keyFor(key, purpose)).update(text).digest('base64url')
  return {
    sign: (purpose, text) => signWith(current, purpose, text),
    verify(purpose, text, signature) {
      const key = all.find(({ id }) => id === signature.slice(0, KEY_ID_LENGTH))
      if (!key) return false
      const expected = Buffer.from(signWith(key, purpose, text))
      const given = Buffer.from(signature)
      return expected.length === given.length && timingSafeEqual(expected, given)
    },
    isCurrent: (signature) => signature.startsWith(current.id),
  }
}
