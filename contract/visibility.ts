/** The five visibility flags of a media item and how they move each other (docs/product.md, Media). */
export type Flags = {
  showInSearch: boolean
  redditPromotion: boolean
  mustUnlock: boolean
  showInStore: boolean
  directOnly: boolean
}

export const FLAG_NAMES = [
  'showInSearch',
  'redditPromotion',
  'mustUnlock',
  'showInStore',
  'directOnly',
] as const

/** A new upload is locked and shown nowhere: nothing is public by accident (docs/product.md, Media). */
export const NEW_UPLOAD_FLAGS: Flags = {
  showInSearch: false,
  redditPromotion: false,
  mustUnlock: true,
  showInStore: false,
  directOnly: false,
}

/** The flags after one of them is turned on or off. */
export function turn(flags: Flags, name: keyof Flags, on: boolean): Flags {
  const next = { ...flags, [name]: on }
  if (name === 'mustUnlock' && !on) return { ...next, showInStore: false }
  if (!on) return next
  switch (name) {
    case 'redditPromotion':
      return { ...next, mustUnlock: false, showInStore: false, directOnly: false }
    case 'showInStore':
      return { ...next, mustUnlock: true, redditPromotion: false, directOnly: false }
    case 'mustUnlock':
      return { ...next, redditPromotion: false, directOnly: false }
    case 'showInSearch':
      return { ...next, directOnly: false }
    case 'directOnly':
      return {
        showInSearch: false,
        redditPromotion: false,
        mustUnlock: false,
        showInStore: false,
        directOnly: true,
      }
  }
}

/** Whether these flags can stand together: some sequence of `turn` leads to them. */
export function consistent(flags: Flags): boolean {
  const { showInSearch, redditPromotion, mustUnlock, showInStore, directOnly } = flags
  if (directOnly) return !(showInSearch || redditPromotion || mustUnlock || showInStore)
  if (redditPromotion) return !(mustUnlock || showInStore)
  return !showInStore || mustUnlock
}
