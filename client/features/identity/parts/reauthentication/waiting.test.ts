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

/** With somebody there who is asked. */
function watched() {
  const waiting = createWaiting()
  return { ...waiting, leave: waiting.subscribe(() => {}) }
}

test('two actions that wait at once both go on after one confirmation', async () => {
  const waiting = watched()
  const both = Promise.all([waiting.run(sensitive('email')), waiting.run(sensitive('password'))])
  await expect.poll(waiting.read).toBe(true)
  await Promise.resolve()
  waiting.confirmed()
  expect(await both).toEqual(['email', 'password'])
  expect(waiting.read()).toBe(false)
})

test('closing the dialog ends all of them, and none hangs', async () => {
  const waiting = watched()
  const both = Promise.allSettled([waiting.run(sensitive('email')), waiting.run(sensitive('password'))])
  await expect.poll(waiting.read).toBe(true)
  await Promise.resolve()
  waiting.canceled()
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

test('where nobody is asked anymore, nothing waits', async () => {
  const waiting = watched()
  const before = Promise.allSettled([waiting.run(sensitive('email'))])
  await expect.poll(waiting.read).toBe(true)
  waiting.leave()
  expect((await before).map(({ status }) => status)).toEqual(['rejected'])
  await expect(waiting.run(sensitive('email'))).rejects.toThrow('Nothing changed')
  expect(waiting.read()).toBe(false)
})

test('what fails for another reason asks for nothing', async () => {
  const waiting = createWaiting()
  const refused = new ApiError(400, { error: 'No.', code: 'invalid_input' })
  await expect(waiting.run(() => Promise.reject(refused))).rejects.toBe(refused)
  expect(waiting.read()).toBe(false)
})
