import type { Place } from '../port.ts'
import { stateName } from './us-states.ts'

/**
 * The place in the edge's two headers (undefined: absent). The region is `US-TX`, or `TX` or `Texas` beside a
 * country. A bare region without any country says nothing: GA is Georgia, Galicia and Gabon. Null for a part that is
 * unknown.
 */
export function placeFromEdge(region: string | undefined, country: string | undefined): Place {
  const [, prefix, subdivision] = /^([A-Z]{2})-([A-Z0-9]{1,3})$/i.exec(region?.trim() ?? '') ?? []
  const found = countryCode(prefix) ?? countryCode(country)
  const text = subdivision ?? region?.trim() ?? ''
  if (!found || text === '') return { country: found, region: null }
  if (found === 'US') return { country: found, region: stateName(text) }
  return { country: found, region: isName(text) ? text : null }
}

/** `XX` and `T1` are how edges say that they do not know. */
function countryCode(text: string | undefined): string | null {
  const code = text?.trim().toUpperCase() ?? ''
  return /^[A-Z]{2}$/.test(code) && code !== 'XX' ? code : null
}

/** Elsewhere only names can be passed on: a code of another country's subdivision has no name here. */
function isName(text: string): boolean {
  return /^\p{L}[\p{L}\p{M} .'-]{3,79}$/u.test(text)
}
