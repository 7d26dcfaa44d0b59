import { expect, test } from 'vitest'
import { byCountry } from './countries.ts'

const region = (country: string, code: string) => ({
  country,
  code,
  name: code,
  vpnHint: true,
  changed: null,
})

test('regions stand under the names of their countries, in their order', () => {
  const [bavaria, texas, utah] = [region('DE', 'BY'), region('US', 'TX'), region('US', 'UT')]
  expect(byCountry([bavaria, texas, utah])).toEqual([
    { name: 'Germany', regions: [bavaria] },
    { name: 'United States', regions: [texas, utah] },
  ])
  expect(byCountry([])).toEqual([])
})
