import { SubredditName } from '../../../../contract/forum.ts'
import { cleanSubredditName, MAX_IMPORTED } from '../../../../contract/promotion.ts'

/** Names as they were pasted: those that can be imported, each once, and what is no name. */
export type PastedNames = { names: string[]; wrong: string[] }

/** Reads names from pasted text: one a line, or with commas or spaces between, also as `r/Name` or an address. */
export function namesIn(text: string): PastedNames {
  const names = new Map<string, string>()
  const wrong: string[] = []
  for (const typed of text.split(/[\s,;]+/).filter(Boolean)) {
    const parsed = SubredditName.safeParse(typed)
    if (parsed.success)
      names.set(parsed.data.toLowerCase(), names.get(parsed.data.toLowerCase()) ?? parsed.data)
    else wrong.push(cleanSubredditName(typed))
  }
  return { names: [...names.values()], wrong }
}

/** As many at a time as one import may name. */
export function importsOf(names: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(names.length / MAX_IMPORTED) }, (_, at) =>
    names.slice(at * MAX_IMPORTED, (at + 1) * MAX_IMPORTED),
  )
}
