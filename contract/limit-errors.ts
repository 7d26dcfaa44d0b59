import { z } from 'zod'

const NUMBER = new Intl.NumberFormat('en-US')
/** What counts the parts of a value: the letters of a text, or the items of a list. */
const ORIGINS: Record<string, { verb: string; one: string; many: string }> = {
  string: { verb: 'Use', one: ' character', many: ' characters' },
  array: { verb: 'Choose', one: '', many: '' },
  set: { verb: 'Choose', one: '', many: '' },
}

/** `Use at most 60 characters.`, `Choose at least 1.` */
function countText(origin: string, bound: string, count: number): string | undefined {
  const known = ORIGINS[origin]
  return known && `${known.verb} ${bound} ${NUMBER.format(count)}${count === 1 ? known.one : known.many}.`
}

/**
 * The sentence for a value beyond a limit to which the contract gives no sentence of its own; undefined for anything else
 * that is wrong with a value, which zod says in words of its own.
 */
export function limitText(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'too_big': {
      // A number that is too large to be counted on.
      if (issue.origin === 'int') return 'Enter a smaller number.'
      const most = Number(issue.maximum)
      if (issue.origin === 'number')
        return issue.inclusive
          ? `Enter ${NUMBER.format(most)} or less.`
          : `Enter less than ${NUMBER.format(most)}.`
      return countText(issue.origin, issue.exact ? 'exactly' : 'at most', most)
    }
    case 'too_small': {
      if (issue.origin === 'int') return 'Enter a larger number.'
      const least = Number(issue.minimum)
      if (issue.origin === 'number')
        return issue.inclusive
          ? `Enter ${NUMBER.format(least)} or more.`
          : `Enter more than ${NUMBER.format(least)}.`
      if (issue.origin === 'string' && least === 1 && !issue.exact) return 'Fill this in.'
      return countText(issue.origin, issue.exact ? 'exactly' : 'at least', least)
    }
    case 'not_multiple_of':
      return `Enter a multiple of ${NUMBER.format(issue.divisor)}.`
    case 'invalid_type':
      if (issue.expected === 'int') return 'Enter a whole number.'
      return issue.expected === 'number' ? 'Enter a number.' : undefined
    default:
      return undefined
  }
}

z.config({ customError: limitText })
