import type { SenateState } from './senators.ts'

/** Where a visitor seems to be, as `GET /users/location` says it. */
type Place = { country: string | null; region: string | null }

/** The visitor's own state, if they are in one. */
export function ownState(
  states: readonly SenateState[],
  { country, region }: Place,
): SenateState | undefined {
  if (country !== 'US' || region === null) return undefined
  return states.find(({ name }) => name.toLowerCase() === region.toLowerCase())
}

/** The states whose name, code or senators contain what was typed; all of them while nothing is. */
export function matchingStates(states: readonly SenateState[], typed: string): readonly SenateState[] {
  const wanted = plain(typed)
  if (wanted === '') return states
  return states.filter(
    ({ code, name, senators }) =>
      code.toLowerCase() === wanted ||
      [name, ...senators.map((one) => one.name)].some((text) => plain(text).includes(wanted)),
  )
}

/** Letters without case and accents, so that `lujan` finds `Luján`. */
function plain(text: string): string {
  return text.trim().toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
}
