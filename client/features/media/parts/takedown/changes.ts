import { roots } from '../../../../lib/query.ts'

/** What taking an item down, or releasing it, makes wrong. */
export const takedownChanges = { invalidates: [roots.media], outdates: [roots.commerce] }
