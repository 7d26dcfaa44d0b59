import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

export type Signer = {
  /** Base64url HMAC-SHA-256 of the text under a key derived for this purpose. */
  sign(purpose: string, text: string): string
  /** Compares in constant time. */
  verify(purpose: string, text: string, signature: string): boolean
}

/** Signs with keys derived from the one secret, a different key for each purpose. */
export function createSigner(secretKey: string): Signer {
  const keys = new Map<string, string>()
  const keyFor = (purpose: string) => {
    const known = keys.get(purpose)
    if (known) return known
    // As text: a key that is a Buffer is made into a key object at every signature, which costs eight times as much.
    const key = Buffer.from(hkdfSync('sha256', secretKey, 'fanfare', purpose, 32)).toString('base64url')
    keys.set(purpose, key)
    return key
  }
  const sign = (purpose: string, text: string) =>
    createHmac('sha256', keyFor(purpose)).update(text).digest('base64url')
  return {
    sign,
    verify(purpose, text, signature) {
      const expected = Buffer.from(sign(purpose, text))
      const given = Buffer.from(signature)
      return expected.length === given.length && timingSafeEqual(expected, given)
    },
  }
}
