import { createHash } from 'node:crypto'

const LENGTH = 12

/**
 * Names these contents, whatever their order, by the version of each item: another item, or another file of one of them,
 * makes it another name. What somebody was shown is compared by it with what they would buy.
 */
export function contentsVersion(versionIds: readonly string[]): string {
  return createHash('sha256').update(versionIds.toSorted().join()).digest('base64url').slice(0, LENGTH)
}
