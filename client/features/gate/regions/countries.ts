import type { Region } from './api.ts'

const names = new Intl.DisplayNames('en', { type: 'region' })

/** The regions under their countries' English names, in the order in which they come. */
export function byCountry(regions: readonly Region[]): { name: string; regions: Region[] }[] {
  const countries = new Map<string, Region[]>()
  for (const region of regions)
    countries.set(region.country, [...(countries.get(region.country) ?? []), region])
  return [...countries].map(([code, found]) => ({ name: names.of(code) ?? code, regions: found }))
}
