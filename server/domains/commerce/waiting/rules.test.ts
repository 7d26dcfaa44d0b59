import { expect, test } from 'vitest'
import { expiringCards } from './rules.ts'

const NOW = new Date('2026-11-26T12:00:00Z')
const card = (id: string, expires: string | null) => ({ id, brand: 'MasterCard', last_four: '0015', expires })
const renewals = (...ids: (string | null)[]) => ids.map((stored_card_id) => ({ stored_card_id }))

test('cards are told of by how long they are good, with all that renews by them and the day of the first', () => {
  const cards = [
    card('late', '2026-12'),
    card('first', '2026-11'),
    card('idle', '2026-11'),
    card('over', '2026-02'),
    card('good', '2027-01'),
    card('unknown', null),
  ]
  const renewed = renewals('late', 'late', 'first', 'over', 'good', 'unknown', null)
  expect(expiringCards(cards, renewed, NOW)).toMatchObject([
    { kind: 'card_expired', count: 1, name: 'Mastercard 0015', due: '2026-02-28' },
    { kind: 'card_expiring', count: 3, name: null, due: '2026-11-30' },
  ])
  expect(expiringCards(cards, renewals('good', 'unknown', null), NOW)).toEqual([])
})
