import { expect, test } from 'vitest'
import type { Notification } from '../api.ts'
import { daysOf } from './rows.ts'
import { lineOf } from './texts.ts'

let count = 0
const told = (kind: 'follower.added' | 'sale.made', createdAt: string, read = false): Notification => ({
  _id: String(++count),
  createdAt,
  read,
  event: {
    kind,
    data: { from: 'ada', fromId: 'a', title: 'A photo', amount: '$4', item: 'single' },
  } as Notification['event'],
})

test('followers of a day are one line, those that were seen another; sales stay apart', () => {
  const items = [
    told('follower.added', '2026-06-02T12:10:00'),
    told('sale.made', '2026-06-02T12:09:00'),
    told('follower.added', '2026-06-02T12:08:00'),
    told('sale.made', '2026-06-02T12:07:00'),
    told('follower.added', '2026-06-02T12:06:00', true),
    told('follower.added', '2026-06-01T12:00:00'),
  ]
  const days = daysOf(items).map(({ day, rows }) => [
    day,
    rows.map(({ newest, ids, unread }) => [newest.event.kind, ids, unread]),
  ])
  expect(days).toEqual([
    [
      '2026-06-02',
      [
        ['follower.added', ['1', '3'], true],
        ['sale.made', ['2'], true],
        ['sale.made', ['4'], true],
        ['follower.added', ['5'], false],
      ],
    ],
    ['2026-06-01', [['follower.added', ['6'], true]]],
  ])
})

test.each(['failed', 'unknown', 'waiting', 'removed', 'uncommented', 'moved'] as const)(
  'the line of a post that is %s says in which subreddit',
  (state) => {
    const data = { state, subreddit: 'Gardens', title: 'Roses', reason: 'Not now.', on: '2026-06-02' }
    expect(lineOf({ kind: 'post.changed', data }, 1)).toMatch(/“Roses”.* r\/Gardens/)
  },
)
