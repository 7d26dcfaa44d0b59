import { describe, expect, test } from 'vitest'
import {
  billToOf,
  brandOf,
  caretAfter,
  formatExpiry,
  formatNumber,
  formatZip,
  missing,
  renewalDate,
} from './card.ts'

describe('a card as it is typed', () => {
  test.each([
    ['4111111111111111', '4111 1111 1111 1111', 'Visa'],
    ['5424000000000015', '5424 0000 0000 0015', 'Mastercard'],
    ['2223000010309703', '2223 0000 1030 9703', 'Mastercard'],
    ['370000000000002', '3700 000000 00002', 'Amex'],
    ['6011000000000012', '6011 0000 0000 0012', 'Discover'],
    ['41x1-1', '4111', 'Visa'],
    ['', '', null],
    ['9', '9', null],
  ])('%s is shown as %s of %s', (typed, shown, brand) => {
    expect(formatNumber(typed)).toBe(shown)
    expect(brandOf(typed)).toBe(brand)
  })

  test.each([
    ['1', '', '1'],
    ['12', '1', '12/'],
    ['12', '12/', '12'],
    ['123', '12', '12/3'],
    ['12/34', '12/3', '12/34'],
    ['12/345', '12/34', '12/34'],
    ['12/2030', '', '12/30'],
    ['12/20', '12/2', '12/20'],
    ['12/203', '12/20', '12/203'],
    ['12/2030', '12/203', '12/30'],
    ['12/3', '12/30', '12/3'],
    ['1/', '1', '01/'],
    ['1/2030', '', '01/30'],
  ])('expiry %s after %s becomes %s', (typed, before, shown) => {
    expect(formatExpiry(typed, before)).toBe(shown)
  })

  test.each([
    ['4111 12|11 1111', '4111 1211 1111', 7],
    ['411|', '411', 3],
    ['41112|', '4111 2', 6],
    ['|111 1111', '1111 111', 0],
    ['4111|1111', '4111 1111', 4],
  ])('at %s of what was typed the caret stays behind its digit', (typed, formatted, place) => {
    const caret = typed.indexOf('|')
    expect(formatNumber(typed)).toBe(formatted)
    expect(caretAfter(typed.replace('|', ''), caret, formatted)).toBe(place)
  })

  test('what is missing is said at its field, and nothing else is', () => {
    const nothing = { number: '', expiry: '', code: '', zip: '', address: '' }
    expect(Object.keys(missing(nothing))).toEqual(['number', 'expiry', 'code', 'zip'])
    const whole = { number: '4111 1111 1111 1111', expiry: '12/31', code: '123', zip: '94103', address: '' }
    expect(missing(whole)).toEqual({})
    const part = { ...whole, number: '4', expiry: '12/203', code: '12', zip: '94' }
    expect(Object.keys(missing(part))).toEqual(['expiry', 'code', 'zip'])
  })

  test.each([
    ['3700 000000 00002', '123', true],
    ['3700 000000 00002', '1234', false],
    ['4111 1111 1111 1111', '123', false],
  ])('for %s the security code %s is too short: %s', (number, code, isShort) => {
    const card = { number, expiry: '12/31', code, zip: '94103', address: '' }
    expect('code' in missing(card)).toBe(isShort)
  })

  test.each([
    ['94103', '94103', true],
    ['94103-1234', '94103-1234', true],
    ['sw1a 1aa', 'sw1a 1aa', true],
    ['K1A 0B1 ', 'K1A 0B1 ', true],
    ['94_103;', '94103', true],
    ['９４１０３', '94103', true],
    ['1000－0001', '1000-0001', true],
    ['00000', '00000', true],
    ['123456789012', '1234567890', true],
    [' -', '', false],
    ['12', '12', false],
    ['12 ', '12 ', false],
  ])('ZIP code %j stands as %j, and is one: %s', (typed, shown, isOne) => {
    expect(formatZip(typed)).toBe(shown)
    const card = { number: '4', expiry: '12/31', code: '123', zip: shown, address: '' }
    expect('zip' in missing(card)).toBe(!isOne)
  })

  test('its billing address goes without spaces around it, and without a street that nobody typed', () => {
    const card = { number: '4', expiry: '12/31', code: '123', zip: '94103 ', address: '  ' }
    expect(billToOf(card)).toEqual({ zip: '94103' })
    expect(billToOf({ ...card, address: ' 1 Main St ' })).toEqual({ zip: '94103', address: '1 Main St' })
  })
})

describe('the renewal date', () => {
  test.each([
    [new Date(2026, 10, 21), 'Dec 21 2026'],
    [new Date(2027, 0, 31), 'Feb 28 2027'],
    [new Date(2028, 0, 31), 'Feb 29 2028'],
    [new Date(2026, 11, 5), 'Jan 05 2027'],
  ])('%s renews on %s', (today, shown) => {
    expect(renewalDate(today, { months: 1 })).toBe(shown)
  })
})
