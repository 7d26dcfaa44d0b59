import { expect, test } from 'vitest'
import { piecesOf } from './linked-text.ts'

test.each([
  ['See https://a.test/x?y=1.', ['https://a.test/x?y=1']],
  ['www.a.test, and (http://b.test)!', ['https://www.a.test', 'http://b.test']],
  ['javascript:alert(1) data:text/html,x mailto:a@b.test', []],
  ['Https://a.test', ['Https://a.test']],
  ['https://', []],
  ['no address', []],
])('%s', (text, addresses) => {
  const pieces = piecesOf(text)
  expect(pieces.flatMap(({ href }) => href ?? [])).toEqual(addresses)
  expect(pieces.map((piece) => piece.text).join('')).toBe(text)
})
