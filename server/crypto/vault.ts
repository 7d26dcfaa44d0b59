import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

export type Vault = {
  /** Encrypts a text for storing. It opens only for the same purpose and owner. */
  seal(purpose: string, owner: string, text: string): Buffer
  /** The text again; throws when the bytes were changed, moved to another owner, or sealed with another key. */
  open(purpose: string, owner: string, sealed: Buffer): string
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** AES-256-GCM (NIST SP 800-38D) with keys derived from the one secret, a different key for each purpose. */
export function createVault(secretKey: string): Vault {
  const keyFor = (purpose: string) => Buffer.from(hkdfSync('sha256', secretKey, 'fanfare vault', purpose, 32))
  return {
    seal(purpose, owner, text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), nonce).setAAD(Buffer.from(owner))
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), encrypted])
    },
    open(purpose, owner, sealed) {
      const nonce = sealed.subarray(0, NONCE_BYTES)
      const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(owner))
        .setAuthTag(tag)
      return Buffer.concat([
        decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)),
        decipher.final(),
      ]).toString('utf8')
    },
  }
}
