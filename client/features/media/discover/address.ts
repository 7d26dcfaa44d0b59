/** Tags that a feed can be narrowed to at once (`routes.discover`). */
export const MAX_FILTER_TAGS = 15

const TAGS = 'tagIds'
const WORDS = 'q'
const TAG_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The tags named in the address of discover; what is no id, or too much, is left out. */
export function tagsInAddress(parameters: URLSearchParams): string[] {
  const ids = parameters.getAll(TAGS).filter((id) => TAG_ID.test(id))
  return [...new Set(ids)].slice(0, MAX_FILTER_TAGS)
}

/** The query of discover narrowed to these tags. */
export function tagFilterAddress(tagIds: readonly string[]): URLSearchParams {
  return new URLSearchParams(tagIds.slice(0, MAX_FILTER_TAGS).map((id) => [TAGS, id]))
}

/** The words that are searched for; null when the address asks for no search, empty when it asks for words. */
export function wordsInAddress(parameters: URLSearchParams): string | null {
  return parameters.get(WORDS)?.trim() ?? null
}

/** The query of discover when these words are searched for; without words the feed itself. */
export function searchAddress(words: string): URLSearchParams {
  return new URLSearchParams(words ? { [WORDS]: words } : {})
}
