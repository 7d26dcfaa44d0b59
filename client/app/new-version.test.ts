import { expect, test } from 'vitest'
import { entryOf } from './new-version.ts'

test('the entry script of a document', () => {
  const html = '<head><script type="module" crossorigin src="/assets/index-a1.js"></script></head>'
  expect(entryOf(html)).toBe('/assets/index-a1.js')
  expect(entryOf('')).toBeNull()
})
