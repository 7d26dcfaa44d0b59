import { hash, hkdfSync, timingSafeEqual } from 'node:crypto'
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
  const derived = new Map<string, (text: string) => string>()
  const hmacOf = ({ id, secret }: Key, purpose: string) => {
    const known = derived.get(id + purpose)
    if (known) return known
    const key = Buffer.from(hkdfSync('sha256', secret, 'fanfare', purpose, 32)).toString('base64url')
    const hmac = hmacSha256(key)
    derived.set(id + purpose, hmac)
    return hmac
  }
  const signWith = (key: Key, purpose: string, text: string) => key.id + hmacOf(key, purpose)(text)
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

/** Bytes of a block of SHA-256, and of what it makes. */
const [BLOCK, DIGEST] = [64, 32]

/**
 * The base64url HMAC-SHA-256 (RFC 2104) under this key, of at most a block. Two one-shot hashes: an object for each of
 * a page's links, as `createHmac` makes it, takes three times as long.
 */
function hmacSha256(key: string): (text: string) => string {
  const padded = Buffer.alloc(BLOCK)
  if (Buffer.byteLength(key) > BLOCK) throw new RangeError('the key is longer than a block')
  padded.write(key)
  const outer = Buffer.alloc(BLOCK + DIGEST)
  outer.set(padded.map((byte) => byte ^ 0x5c))
  const innerPad = padded.map((byte) => byte ^ 0x36)
  let inner = Buffer.concat([innerPad], 512)
  return (text) => {
    // A character takes three bytes at most.
    if (inner.length < BLOCK + 3 * text.length) inner = Buffer.concat([innerPad], BLOCK + 3 * text.length)
    const end = BLOCK + inner.write(text, BLOCK)
    outer.write(hash('sha256', inner.subarray(0, end), 'binary'), BLOCK, 'binary')
    return hash('sha256', outer, 'base64url')
  }
}
