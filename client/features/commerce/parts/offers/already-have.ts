import type { Bundle } from '../../api.ts'
import { bundleTexts } from '../texts.ts'

/** How many of a bundle's items the fan already has; null when there are none or it has none. */
export function alreadyHave({
  ownedCount,
  mediaIds,
}: Pick<Bundle, 'ownedCount' | 'mediaIds'>): string | null {
  return ownedCount > 0 && mediaIds.length > 0 ? bundleTexts.alreadyHave(ownedCount, mediaIds.length) : null
}
