import { expect, test } from 'vitest'
import { ApiError } from '../../../../lib/api.ts'
import { createWaiting } from './waiting.ts'

/** An action that the server takes only after the person confirmed. */
function sensitive(answer: string) {
  let asked = 0
  return async () => {
    asked += 1
    if (asked === 1) throw new ApiError(403, { error: 'Confirm.', code: 'reauthentication_required' })
    return answer
  }
}

test('two actions that wait at once both go on after one confirmation', async () => {
  const waiting = createWaiting()
  const both = Promise.all([waiting.run(sensitive('email')), waiting.run(sensitive('password'))])
  await expect.poll(waiting.read).toBe(true)
  await Promise.resolve()
  waiting.confirmed()
  expect(await both).toEqual(['email', 'password'])
  expect(waiting.read()).toBe(false)
})

test('closing the dialog ends all of them, and none hangs', async () => {
  const waiting = createWaiting()
  const both = Promise.allSettled([waiting.run(sensitive('email')), waiting.run(sensitive('password'))])
  await expect.poll(waiting.read).toBe(true)
  await Promise.resolve()
  waiting.canceled()
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

test('what fails for another reason asks for nothing', async () => {
  const waiting = createWaiting()
  const refused = new ApiError(400, { error: 'No.', code: 'invalid_input' })
  await expect(waiting.run(() => Promise.reject(refused))).rejects.toBe(refused)
  expect(waiting.read()).toBe(false)
})
