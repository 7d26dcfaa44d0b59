import { describe, expect, test } from 'vitest'
import { commonPasswords } from './actions.ts'
import { passwordRefusal } from './rules.ts'

const account = { email: 'ada.byron@example.test', username: 'Countess_1815', brand: 'Fanfare' }

describe('a new password', () => {
  test.each(['password', 'PASSWORD', '12345678', 'iloveyou', 'TrustNo1', 'qwertyuiop'])(
    'is not %s, which everybody has',
    (password) => expect(passwordRefusal(password, account, commonPasswords)).toBe('password_too_common'),
  )

  test.each([
    'ada.byron@example.test',
    'ADA.BYRON@example.test',
    'ada.byron',
    'Ada.Byron2024!',
    'countess_1815',
    'Countess_1815!!',
    'countess123',
    'fanfare1',
    'Fanfare2026!',
  ])('is not %s, which everybody knows', (password) =>
    expect(passwordRefusal(password, account, commonPasswords)).toBe('password_like_account'),
  )

  test.each(['correct horse', '20482048 x', '!!!!!!!!!!', 'fanfare for the common man'])(
    'may be %s',
    (password) => expect(passwordRefusal(password, account, commonPasswords)).toBeNull(),
  )

  test('is compared with the 3,000 commonest', () => expect(commonPasswords.size).toBe(3000))

  test('is compared with nothing where an account has no such name', () => {
    expect(passwordRefusal('99999999x9', { email: '', username: '', brand: '' }, commonPasswords)).toBeNull()
  })
})
