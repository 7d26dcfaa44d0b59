import { expect, test } from 'vitest'
import { inOrder } from './rules.ts'

test('what is due first stands first, a day before the moments in it, and the rest by what harms most', () => {
  const things = [
    { kind: 'subreddit' as const, due: null },
    { kind: 'report' as const, due: null },
    { kind: 'request_to_deliver' as const, due: '2026-12-07T09:00:00.000Z' },
    { kind: 'dispute' as const, due: '2026-12-07' },
    { kind: 'card_expiring' as const, due: '2026-11-30' },
  ]
  expect(inOrder(things).map(({ kind }) => kind)).toEqual([
    'card_expiring',
    'dispute',
    'request_to_deliver',
    'report',
    'subreddit',
  ])
})
