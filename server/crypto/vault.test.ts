import { describe, expect, test } from 'vitest'
import { createKeyring } from './keyring.ts'
import { createVault } from './vault.ts'

const vault = createVault(createKeyring('a secret for tests, long enough to be one'))

describe('what is sealed', () => {
  test('opens again, and is never written twice the same way', () => {
    const [first, second] = [vault.seal('totp', 'ada', 'secret ü'), vault.seal('totp', 'ada', 'secret ü')]
    expect(vault.open('totp', 'ada', first)).toBe('secret ü')
    expect(first.equals(second)).toBe(false)
    expect(first.toString('latin1')).not.toContain('secret')
  })

  const sealed = vault.seal('totp', 'ada', 'secret')
  const changed = Buffer.from(sealed)
  changed.writeUInt8(changed.readUInt8(changed.length - 1) ^ 1, changed.length - 1)
  test.each<[what: string, open: () => string]>([
    ['of another owner', () => vault.open('totp', 'bob', sealed)],
    ['for another purpose', () => vault.open('forum', 'ada', sealed)],
    [
      'with another key',
      () => createVault(createKeyring('another secret, also long enough to be')).open('totp', 'ada', sealed),
    ],
    ['that was changed', () => vault.open('totp', 'ada', changed)],
    ['that was cut', () => vault.open('totp', 'ada', sealed.subarray(0, 20))],
  ])('does not open %s', (_what, open) => {
    expect(open).toThrow()
  })
})
