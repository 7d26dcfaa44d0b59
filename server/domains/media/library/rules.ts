import { DELETED_MEDIA_KEPT_DAYS } from '../../../../contract/constants.ts'

const DAY_MS = 24 * 3600 * 1000

/** Items deleted at or before this moment can't come back, and their files go once nobody owns them. */
export function restorableAfter(now: Date): Date {
  return new Date(now.getTime() - DELETED_MEDIA_KEPT_DAYS * DAY_MS)
}

/** How many days are left to take the deletion back, the one that has started included. */
export function daysLeft(deletedAt: Date, now: Date): number {
  return Math.ceil((deletedAt.getTime() - restorableAfter(now).getTime()) / DAY_MS)
}

/** Words of one search that count. */
export const MAX_WORDS = 6

/** The words of a search as patterns of `ilike`, each to be found anywhere in a text; nothing in them is a wildcard. */
export function wordPatterns(search: string): string[] {
  const words = new Set(search.split(/\s+/).filter((word) => word !== ''))
  return [...words].slice(0, MAX_WORDS).map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`)
}

/** An item's tags once some are taken off and others put on, in the order in which they came. */
export function tagsAfter(tagIds: string[], change: { add: string[]; remove: string[] }): string[] {
  return [...new Set([...tagIds.filter((id) => !change.remove.includes(id)), ...change.add])]
}
