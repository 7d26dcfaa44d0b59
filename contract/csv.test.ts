import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'

test('commas, quotes and lines stay within their cell', () => {
  expect(
    csvOf([
      ['Item', 'Amount'],
      ['Sea, "blue"\nlate', '$1,234.50'],
    ]),
  ).toBe('"Item","Amount"\r\n"Sea, ""blue""\nlate","$1,234.50"\r\n')
})

test.each(['=1+1', '+1', '-1+cmd', '@sum', '\tx'])('the title %j is no formula', (title) => {
  expect(csvOf([[title]])).toBe(`"'${title}"\r\n`)
})

test('an amount below zero stays a figure', () => {
  expect(csvOf([['-$4.50']])).toBe('"-$4.50"\r\n')
})
