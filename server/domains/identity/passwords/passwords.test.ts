import { describe, expect, test } from 'vitest'
import { AppError } from '../../../errors.ts'
import { hashPassword, verifyPassword } from './actions.ts'

describe('passwords', () => {
  test('nobody’s can be compared again after a moment in which too many waited', async () => {
    const passwordHash = await hashPassword('correct horse')
    const waiting = Array.from({ length: 100 }, () => verifyPassword(passwordHash, 'wrong horse'))
    await expect(verifyPassword(null, 'correct horse')).rejects.toMatchObject({ code: 'rate_limited' })
    await Promise.all(waiting)
    expect(await verifyPassword(null, 'correct horse')).toBe(false)
  })

  test('are stored by Argon2id with 19 MiB and two passes, each with a salt of its own', async () => {
    const [first, second] = [await hashPassword('correct horse'), await hashPassword('correct horse')]
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(first).not.toBe(second)
    expect(await verifyPassword(first, 'correct horse')).toBe(true)
    expect(await verifyPassword(first, 'correct horse ')).toBe(false)
  })

  test('nobody’s password is never right', async () => {
    expect(await verifyPassword(null, 'correct horse')).toBe(false)
  })

  test('too many at once are refused, the others all answered, and the way is free again', async () => {
    const passwordHash = await hashPassword('correct horse')
    const answers = await Promise.allSettled(
      Array.from({ length: 150 }, () => verifyPassword(passwordHash, 'wrong horse')),
    )
    const refused = answers.filter((answer) => answer.status === 'rejected')
    expect(answers.filter((answer) => answer.status === 'fulfilled' && !answer.value)).toHaveLength(100)
    expect(refused).toHaveLength(50)
    for (const { reason } of refused) {
      expect(reason).toBeInstanceOf(AppError)
      expect(reason).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 5 })
    }
    expect(await verifyPassword(passwordHash, 'correct horse')).toBe(true)
  })
})
