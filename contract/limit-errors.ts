import { z } from 'zod'

/**
 * The sentence for a value beyond a limit to which the contract gives no sentence of its own; undefined for anything else
 * that is wrong with a value, which zod says in words of its own.
 */
export function limitText(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'too_big':
      return boundText(issue, 'smaller', 'less', 'at most', Number(issue.maximum))
    case 'too_small':
      return boundText(issue, 'larger', 'more', 'at least', Number(issue.minimum))
    case 'not_multiple_of':
      return `Enter a multiple of ${issue.divisor.toLocaleString('en-US')}.`
    case 'invalid_type':
      if (issue.expected === 'int') return 'Enter a whole number.'
      return issue.expected === 'number' ? 'Enter a number.' : undefined
    default:
      return undefined
  }
}

type Bound = { origin: string; inclusive?: boolean; exact?: boolean }

/** `Use at most 60 characters.`, `Choose at least 1.`, `Enter 5 or less.` */
function boundText(
  { origin, inclusive, exact }: Bound,
  way: string,
  how: string,
  bound: string,
  count: number,
) {
  // A number that is too large to be counted on.
  if (origin === 'int') return `Enter a ${way} number.`
  const shown = count.toLocaleString('en-US')
  if (origin === 'number') return inclusive ? `Enter ${shown} or ${how}.` : `Enter ${how} than ${shown}.`
  const range = `${exact ? 'exactly' : bound} ${shown}`
  if (origin === 'array' || origin === 'set') return `Choose ${range}.`
  if (origin !== 'string') return undefined
  if (how === 'more' && count === 1 && !exact) return 'Fill this in.'
  return `Use ${range} character${count === 1 ? '' : 's'}.`
}

z.config({ customError: limitText })
