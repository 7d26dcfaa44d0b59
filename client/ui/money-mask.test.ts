import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatMoney } from '../../contract/money.ts'
import { amountOf, mayType, moneyOf, shownAmount } from './money-mask.ts'

describe('mayType', () => {
  it.each(['', '-', '-4', '4', '4.', '4.5', '4.50', '1234567', '9999999.99', '.5', '4.505'])(
    'lets %j stay',
    (value) => {
      expect(mayType(value)).toBe(true)
    },
  )

  it.each(['--4', '4-', '12345678', '1e5', '4,5', 'abc', '4.5.6'])('refuses %j', (value) => {
    expect(mayType(value)).toBe(false)
  })
})

describe('moneyOf', () => {
  it.each<[string | number, string]>([
    [4, '$4'],
    ['4.5', '$4.50'],
    ['1234', '$1,234'],
    ['1234567.89', '$1,234,567.89'],
    ['0', '$0'],
    ['', ''],
    ['-', ''],
    ['-4', '-$4'],
    ['12345678', ''],
    [12.505, '$12.505'],
    ['$12.505', '$12.505'],
    ['-12.505', '$-12.505'],
  ])('%j is sent as %j', (typed, money) => {
    expect(moneyOf(typed)).toBe(money)
  })
})

describe('amountOf', () => {
  it.each([
    ['$4', '4'],
    ['$4.50', '4.50'],
    ['$1,234', '1234'],
    ['-$4.50', '-4.50'],
    ['nonsense', ''],
  ])('%j is shown as %j', (money, amount) => {
    expect(amountOf(money)).toBe(amount)
  })

  it.each([
    ['4.5', '4.50'],
    [4.5, '4.50'],
    ['1234', '1234'],
  ])('%j is %j once the field is left', (typed, amount) => {
    expect(amountOf(moneyOf(typed))).toBe(amount)
  })

  it('comes back as the same money, whatever the amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999 }), (cents) => {
        expect(moneyOf(amountOf(formatMoney(cents)))).toBe(formatMoney(cents))
      }),
    )
  })
})

describe('shownAmount', () => {
  it.each<[string | number, string, string | number]>([
    ['4.', '', '4.'],
    ['4.5', '$4.50', '4.5'],
    ['', '', ''],
    ['.', '', '.'],
    ['', '$4', '4'],
    ['4', '$25', '25'],
    ['25', '', ''],
    ['-', '', '-'],
    ['-5', '-$5', '-5'],
    ['-5', '', ''],
    ['-5', '$5', '5'],
    [12.505, '$12.505', 12.505],
    [12.505, '', ''],
    [12.505, '$12.50', '12.50'],
  ])('typed %j while the value is %j shows %j: never another amount than is saved', (typed, value, shown) => {
    expect(shownAmount(typed, value)).toBe(shown)
  })
})
