import type { Bundle } from '../api.ts'

/** How many of a bundle's items the fan already has: `already have 2/9`; null when there are none or it has none. */
export function alreadyHave({
  ownedCount,
  mediaIds,
}: Pick<Bundle, 'ownedCount' | 'mediaIds'>): string | null {
  return ownedCount > 0 && mediaIds.length > 0 ? `already have ${ownedCount}/${mediaIds.length}` : null
}
