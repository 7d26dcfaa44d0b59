import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { TERMS_VERSION } from '../../../contract/constants.ts'

// With another text comes another version, the day of the change; each order keeps which one it was agreed under.
test('the terms of this version have this text', () => {
  const hash = createHash('sha256')
  for (const name of ['TermsPage', 'terms-content', 'terms-everybody', 'terms-money'])
    hash.update(readFileSync(new URL(`./${name}.tsx`, import.meta.url), 'utf8').replace(/\s+/g, ' '))
  expect({ [TERMS_VERSION]: hash.digest('hex').slice(0, 16) }).toEqual({ '2026-11-29': 'c6693c46c5df60a6' })
})
