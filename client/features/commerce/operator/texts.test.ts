import { expect, test } from 'vitest'
import { concernOf, findingTexts } from './texts.ts'

test('a charge of ours that was voided here isn’t called one that we don’t recognize', () => {
  const titleOf = (transactionId: string | null) =>
    findingTexts[concernOf({ kind: 'unknown_charge', transactionId })].title
  expect(titleOf(null)).toBe('A charge we don’t recognize')
  expect(titleOf('the order')).toBe('A charge that shouldn’t be there')
  expect(concernOf({ kind: 'amount_differs', transactionId: 'the order' })).toBe('amount_differs')
})
