import type { SubredditRule } from '../../../../contract/forum.ts'

const MAX_ITEMS = 40
const MAX_ITEM_LENGTH = 600

/** Sentences that speak of a photo, and of what it has to show. */
const ABOUT_VERIFICATION = /\bverif/i
const DEMAND =
  /\b(photo|picture|pic|image|sign|paper|handwritten|written|hold(?:ing)?|username|date[d]?|timestamp|fold(?:ed)?|crumple|face|angle|subreddit(?:’s|'s)? name|unedited)\b/i

/** The requirements of the verification photo, from the rules' sentences about verification. */
export function checklistOf(rules: readonly SubredditRule[]): string[] {
  const sentences = rules
    .filter(({ name, description }) => ABOUT_VERIFICATION.test(`${name} ${description}`))
    .flatMap(({ description }) => description.split(/(?<=[.!?;])\s+|\n+/))
    .map((sentence) => sentence.replace(/^[\s*•\d.)-]+/, '').trim())
    .filter((sentence) => sentence !== '' && DEMAND.test(sentence))
  return [...new Set(sentences)]
    .slice(0, MAX_ITEMS)
    .map((sentence) => sentence.slice(0, MAX_ITEM_LENGTH).replace(/\p{Surrogate}$/u, ''))
}

/** In one word: `verified` when it is done and not known to be refused. */
export function verificationWord<S extends string>(
  record: { status: S; confirmed: string } | undefined,
): S | 'todo' | 'verified' {
  if (!record) return 'todo'
  return record.status === 'done' && record.confirmed !== 'false' ? 'verified' : record.status
}
