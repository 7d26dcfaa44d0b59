import { afterEach, expect, test } from 'vitest'
import { hearTime } from '../../lib/server-clock.ts'
import { waitingTexts } from './waiting-texts.ts'

const hear = (time: Date) => hearTime(new Response(null, { headers: { date: time.toUTCString() } }))

afterEach(() => hear(new Date()))

test.each([
  ['2030-12-08T12:00:00Z', 1, 'Respond by Dec 8, 2030'],
  ['2030-12-08T12:00:00Z', 2, 'Respond to the first by Dec 8, 2030'],
  ['2030-12-10T12:00:00Z', 1, 'The response was due Dec 8, 2030'],
  ['2030-12-10T12:00:00Z', 2, 'The first response was due Dec 8, 2030'],
])('at %s by the server’s clock, of %i disputes due Dec 8: %s', (now, count, said) => {
  hear(new Date(now))
  const due = '2030-12-08'
  const dispute = { kind: 'dispute' as const, count, due, since: null, amount: null, name: null }
  expect(waitingTexts.note.dispute(dispute)).toBe(said)
})
