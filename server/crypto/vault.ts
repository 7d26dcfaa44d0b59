import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { KEY_ID_BYTES, type Key, type Keyring } from './keyring.ts'

export type Vault = {
  /** Encrypts a text for storing. It opens only for the same purpose and owner. */
  seal(purpose: string, owner: string, text: string): Buffer
  /** The text again; throws when the bytes were changed, moved to another owner, or sealed with a key that is not listed. */
  open(purpose: string, owner: string, sealed: Buffer): string
  /** Whether it was sealed with the newest key. */
  isCurrent(sealed: Buffer): boolean
}

const FORMAT = 1
const HEAD_BYTES = 1 + KEY_ID_BYTES
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * AES-256-GCM (NIST SP 800-38D) with keys derived from the installation's secret, a different key for each purpose.
 * Stored as format, key id, nonce, tag, text; without format and id when sealed before keys had ids.
 */
export function createVault({ current, all }: Keyring): Vault {
  const keyFor = ({ secret }: Key, purpose: string) =>
    Buffer.from(hkdfSync('sha256', secret, 'fanfare vault', purpose, 32))
  const headOf = ({ id }: Key) => Buffer.concat([Buffer.of(FORMAT), Buffer.from(id, 'base64url')])

  function openWith(key: Key, purpose: string, owner: string, sealed: Buffer): string | null {
    try {
      const nonce = sealed.subarray(0, NONCE_BYTES)
      const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
      const options = { authTagLength: TAG_BYTES }
      const decipher = createDecipheriv('aes-256-gcm', keyFor(key, purpose), nonce, options)
        .setAAD(Buffer.from(owner))
        .setAuthTag(tag)
      const text = [decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]
      return Buffer.concat(text).toString('utf8')
    } catch {
      return null
    }
  }

  return {
    seal(purpose, owner, text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keyFor(current, purpose), nonce).setAAD(Buffer.from(owner))
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([headOf(current), nonce, cipher.getAuthTag(), encrypted])
    },
    open(purpose, owner, sealed) {
      const head = sealed.subarray(0, HEAD_BYTES)
      const named = all.filter((key) => headOf(key).equals(head))
      const attempts = [
        ...named.map((key) => ({ key, bytes: sealed.subarray(HEAD_BYTES) })),
        // Text without a key id, and text that happens to look as if it had one.
        ...all.map((key) => ({ key, bytes: sealed })),
      ]
      for (const { key, bytes } of attempts) {
        const text = openWith(key, purpose, owner, bytes)
        if (text !== null) return text
      }
      throw new Error(
        'This can’t be opened: it was changed, belongs to another owner, or its key is not listed.',
      )
    },
    isCurrent: (sealed) => headOf(current).equals(sealed.subarray(0, HEAD_BYTES)),
  }
}
