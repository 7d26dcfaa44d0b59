import type { SenateState } from './senate.ts'

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

/** The one number of all senators; null where they have several, or there are none. */
export function sharedTelephone(states: readonly { senators: { telephone: string }[] }[]): string | null {
  const numbers = new Set(states.flatMap(({ senators }) => senators.map(({ telephone }) => telephone)))
  const [only] = numbers
  return numbers.size === 1 && only !== undefined ? only : null
}

/** The states whose code is what was typed, or whose name contains it; all of them while nothing is typed. */
export function matchingStates(states: readonly SenateState[], typed: string): readonly SenateState[] {
  const wanted = typed.trim().toLowerCase()
  if (wanted === '') return states
  return states.filter(
    ({ code, name }) => code.toLowerCase() === wanted || name.toLowerCase().includes(wanted),
  )
}
