import { cleanSubredditName, MAX_IMPORTED, SUBREDDIT_NAME } from '../../../../contract/promotion.ts'

/** Names as they were pasted: those that can be imported, each once, and what is no name. */
export type PastedNames = { names: string[]; wrong: string[] }

/** Reads names from pasted text: one a line, or with commas or spaces between, also as `r/Name` or an address. */
export function namesIn(text: string): PastedNames {
  const names = new Map<string, string>()
  const wrong: string[] = []
  for (const typed of text.split(/[\s,;]+/).filter(Boolean)) {
    const name = cleanSubredditName(typed)
    if (!SUBREDDIT_NAME.test(name)) wrong.push(name)
    else if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), name)
  }
  return { names: [...names.values()], wrong }
}

/** As many at a time as one import may name. */
export function importsOf(names: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(names.length / MAX_IMPORTED) }, (_, at) =>
    names.slice(at * MAX_IMPORTED, (at + 1) * MAX_IMPORTED),
  )
}
