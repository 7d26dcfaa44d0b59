import { formatCount } from '../../../ui/format.ts'
import type { Media } from '../api.ts'
import { editTexts } from '../edit/texts.ts'
import { badgeOf } from '../edit/words.ts'
import { texts } from './texts.ts'

type Named = Pick<Media, 'title' | 'type' | 'redGif'>

/** The name of an item: its title, else its kind. */
export function nameOf({ title, type, redGif }: Named): string {
  if (title) return title
  if (redGif) return texts.untitled.gif
  return type === 'video' ? texts.untitled.video : texts.untitled.photo
}

const QUOTED_LENGTH = 60

/** The name within a sentence, shortened. */
export function quotedName(media: Named): string {
  const name = nameOf(media)
  return `“${name.length > QUOTED_LENGTH ? `${name.slice(0, QUOTED_LENGTH - 1).trimEnd()}…` : name}”`
}

/** How many items: `1 item`, `12 items`. */
export function itemCount(count: number): string {
  return formatCount(count, 'item')
}

/** How an item stands, in a few words each: who sees it first, then what its other flags add. */
export function chipsOf(media: Media): string[] {
  const first = badgeOf(media)
  return [
    ...(media.takenDownAt ? [texts.chips.takenDown] : []),
    first,
    ...(media.showInSearch && first !== editTexts.badges.public ? [texts.chips.inSearch] : []),
    ...(media.redditPromotion ? [texts.chips.promotion] : []),
    ...(media.redGif ? [texts.chips.gif] : []),
  ]
}
