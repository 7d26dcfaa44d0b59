import { profileImageAddress } from '../../../../contract/files.ts'
import type { PagePreview } from '../../../handler.ts'

const MAX_DESCRIPTION = 200

type Person = {
  id: string
  username: string
  first_name: string
  is_creator: boolean
  bio: string | null
  profile_image: string | null
  profile_hero_image: string | null
}

/** The preview of a link to a profile on other sites. */
export function presentProfilePreview(person: Person, brand: string): PagePreview {
  return {
    kind: 'profile',
    title: `${person.first_name} (@${person.username})`,
    description: shortened(person.bio ?? '') || `${person.first_name} on ${brand}.`,
    path: profilePath(person.username),
    image: profileImageAddress(person.id, person.profile_image),
    first: profileImageAddress(person.id, person.profile_hero_image),
    index: person.is_creator,
  }
}

/** An offer says only who made it: whom it is for and what is in it are between the two. */
export function presentOfferPreview(person: Person, path: string): PagePreview {
  return {
    kind: 'website',
    title: `An offer from ${person.first_name} (@${person.username})`,
    description: `Log in to see what ${person.first_name} is offering you.`,
    path,
    image: profileImageAddress(person.id, person.profile_image),
    index: false,
  }
}

/** The preview of a link to an item on other sites; with its picture only while it is public (`open`). */
export function presentMediaPreview(
  item: { id: string; title: string; type: 'image' | 'video'; username: string; open: boolean },
  brand: string,
): PagePreview {
  const what = item.type === 'video' ? 'A video' : 'A photo'
  return {
    kind: 'article',
    title: item.title || `${what} by @${item.username}`,
    description: `${what} by @${item.username} on ${brand}.`,
    path: `/media/${item.id}`,
    image: item.open ? `/files/preview/${item.id}` : null,
    index: item.open,
  }
}

/** The path of a profile. */
export const profilePath = (username: string) => `/users/${encodeURIComponent(username)}`

/** One line, cut at a word. */
function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= MAX_DESCRIPTION
    ? line
    : `${line.slice(0, MAX_DESCRIPTION - 1).replace(/\s+\S*$/, '')}…`
}
