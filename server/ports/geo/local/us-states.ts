import { US_STATES, US_TERRITORIES } from '../../../../contract/states.ts'

/** ISO 3166-2:US without the prefix, with the names that the local database and the list of regions use. */
const byText = new Map(
  [...US_STATES, ...US_TERRITORIES].flatMap(({ code, name }) => [
    [code, name],
    [name.toUpperCase(), name],
  ]),
)

/** The full name of a state given by its code or name, whatever the case; null for anything else. */
export function stateName(text: string): string | null {
  return byText.get(text.toUpperCase()) ?? null
}
