import { US_STATES } from '../../../../contract/states.ts'

/** One place as it is stored: a country, or a state of the United States by its full name. */
export type PlaceBlock = { country: string; region: string }
export type WireGeoBlock = { countries: string[]; states: string[] }

/** The stored form of these countries and states (two-letter codes), without duplicates. */
export function placesOf({ countries, states }: WireGeoBlock): PlaceBlock[] {
  const names = US_STATES.filter(({ code }) => states.includes(code)).map(({ name }) => name)
  return [
    ...[...new Set(countries)].map((country) => ({ country, region: '' })),
    ...names.map((region) => ({ country: 'US', region })),
  ]
}

/** The reverse of `placesOf`, both lists sorted. */
export function geoBlockOf(places: PlaceBlock[]): WireGeoBlock {
  const named = places.map(({ region }) => region)
  return {
    countries: places
      .filter(({ region }) => region === '')
      .map(({ country }) => country)
      .sort(),
    states: US_STATES.filter(({ name }) => named.includes(name))
      .map(({ code }) => code)
      .sort(),
  }
}
