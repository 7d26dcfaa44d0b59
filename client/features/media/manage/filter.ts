import { texts } from './texts.ts'

/** The library's filters; they are in the address, so that going back restores them. */
export type LibraryFilter = {
  search: string
  tagIds: readonly string[]
  type: 'image' | 'video' | 'embed' | null
  visibility: 'public' | 'locked' | 'store' | 'search' | 'promotion' | 'private' | null
}

export const TYPES = [
  { value: 'image', label: texts.types.image },
  { value: 'video', label: texts.types.video },
  { value: 'embed', label: texts.types.embed },
] as const satisfies readonly { value: LibraryFilter['type']; label: string }[]

export const VISIBILITIES = [
  { value: 'public', label: texts.visibilities.public },
  { value: 'locked', label: texts.visibilities.locked },
  { value: 'store', label: texts.visibilities.store },
  { value: 'search', label: texts.visibilities.search },
  { value: 'promotion', label: texts.visibilities.promotion },
  { value: 'private', label: texts.visibilities.private },
] as const satisfies readonly { value: LibraryFilter['visibility']; label: string }[]

/** Most tags of one filter, and most characters of a search, that the server takes. */
export const MAX_FILTER_TAGS = 15
export const MAX_SEARCH = 100

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The filter of an address; what is none in it counts as absent. */
export function filterOf(address: URLSearchParams): LibraryFilter {
  const known = <Value extends string>(choices: readonly { value: Value }[], name: string) =>
    choices.find(({ value }) => value === address.get(name))?.value ?? null
  return {
    search: (address.get('search') ?? '')
      .replace(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, MAX_SEARCH),
    tagIds: [...new Set(address.getAll('tagIds').filter((id) => ID.test(id)))].slice(0, MAX_FILTER_TAGS),
    type: known(TYPES, 'type'),
    visibility: known(VISIBILITIES, 'visibility'),
  }
}

/** The filter as an address has it; empty when nothing is narrowed. */
export function addressOf({ search, tagIds, type, visibility }: LibraryFilter): URLSearchParams {
  const address = new URLSearchParams()
  if (search) address.set('search', search)
  for (const id of tagIds) address.append('tagIds', id)
  if (type) address.set('type', type)
  if (visibility) address.set('visibility', visibility)
  return address
}
