import { createHmac, hkdfSync } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKeyring } from './keyring.ts'
import { createSigner } from './signer.ts'

const SECRET = 'a secret for tests, long enough to be one'
const keyring = createKeyring(SECRET)
const signer = createSigner(keyring)

/** The same by the library's own HMAC. */
function signed(purpose: string, text: string): string {
  const key = Buffer.from(hkdfSync('sha256', SECRET, 'fanfare', purpose, 32)).toString('base64url')
  return keyring.current.id + createHmac('sha256', key).update(text).digest('base64url')
}

test('a signature is the HMAC-SHA-256 of any text, whatever was signed before', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('media.link', 'cookie.age'),
      fc.string({ unit: 'binary', maxLength: 2000 }),
      (purpose, text) => {
        expect(signer.sign(purpose, text)).toBe(signed(purpose, text))
        expect(signer.verify(purpose, text, signed(purpose, text))).toBe(true)
      },
    ),
    {
      examples: [
        ['media.link', ''],
        ['media.link', 'é'.repeat(1500)],
        ['media.link', 'short again'],
      ],
    },
  )
})

test('nothing but the text, for its purpose, under one of the keys is verified', () => {
  const signature = signer.sign('media.link', 'text')
  const changed = signature.slice(0, -2) + (signature.endsWith('AA') ? 'BB' : 'AA')
  const stranger = createSigner(createKeyring('another secret, as long as the first'))
  expect(signer.verify('media.link', 'text', signature)).toBe(true)
  expect(signer.verify('media.link', 'texts', signature)).toBe(false)
  expect(signer.verify('cookie.age', 'text', signature)).toBe(false)
  expect(signer.verify('media.link', 'text', changed)).toBe(false)
  expect(signer.verify('media.link', 'text', signature.slice(0, -1))).toBe(false)
  expect(signer.verify('media.link', 'text', '')).toBe(false)
  expect(stranger.verify('media.link', 'text', signature)).toBe(false)
})
