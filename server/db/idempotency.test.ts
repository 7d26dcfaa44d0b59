import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildFan } from '../testing/builders.ts'
import { type Harness, startHarness } from '../testing/harness.ts'
import { keepAnswer } from './idempotency.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

test.each([true, false])(
  'of two answers to one call the later is answered the first; sealed: %s',
  async (sealed) => {
    const { id: userId } = await buildFan(harness)
    const call = { userId, key: 'the-same-key', route: 'aRoute', requestHash: 'the same' }
    const { db, vault, clock } = harness.context
    const keep = (answer: string) =>
      db
        .transaction()
        .execute((tx) =>
          keepAnswer(tx, call, { status: 200, response: { answer } }, { now: clock.now(), vault, sealed }),
        )
    const answers = [await keep('first'), await keep('second')]
    expect(answers).toEqual(Array(2).fill({ status: 200, response: { answer: 'first' } }))
  },
)
