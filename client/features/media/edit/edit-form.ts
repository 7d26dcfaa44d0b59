import { mediaErrors } from '../../../../contract/errors/media.ts'
import { parseMoney } from '../../../../contract/money.ts'
import { redGifEmbedUrl } from '../../../../contract/redgif.ts'
import { FLAG_NAMES, type Flags, turn } from '../../../../contract/visibility.ts'
import type { Media, MediaChange } from '../api.ts'

/** The form's values of an item. `price` is money text, empty while nothing usable is typed. */
export type Draft = {
  title: string
  description: string
  redGif: string
  price: string
  tagIds: string[]
  performerIds: string[]
  flags: Flags
}

/** Which fields the form has: an external gif has a link, only creators sell and show, and the owner names who is depicted. */
export type Fields = { embed: boolean; sells: boolean; own: boolean }

/** The item as the form starts with it. */
export function draftOf(media: Media): Draft {
  const { title, description, redGif, price, tagIds, performerIds, creatorId } = media
  const flags = Object.fromEntries(FLAG_NAMES.map((name) => [name, media[name]])) as Flags
  const depicted = performerIds.length > 0 ? performerIds : [creatorId]
  return { title, description, redGif, price, tagIds, performerIds: depicted, flags }
}

/** Errors beyond the contract's: they depend on what the item is. */
export function draftErrors(
  draft: Pick<Draft, 'title' | 'redGif'>,
  { embed }: Pick<Fields, 'embed'>,
): Record<string, string> {
  return {
    ...(!embed && draft.title.trim() === '' ? { title: mediaErrors.must_include_title.text } : {}),
    ...(embed && redGifEmbedUrl(draft.redGif) === '' ? { redGif: mediaErrors.red_gif_unreadable.text } : {}),
  }
}

/** Whether a price was given to something that nobody can buy by itself. */
export function offersSale({ price, flags }: Pick<Draft, 'price' | 'flags'>, firstPrice: string): boolean {
  const cents = parseMoney(price)
  return cents !== null && cents > 0 && cents !== parseMoney(firstPrice) && !flags.showInStore
}

/** Whether anything would be lost by leaving. */
export function isChanged(draft: Draft, saved: Draft): boolean {
  return Object.values(differing(draft, saved)).some(Boolean)
}

/**
 * The changes to send when the form is saved: only the differences from `saved`, because the rest may have been
 * changed elsewhere since the form was opened.
 */
export function changeOf(draft: Draft, saved: Draft, { embed, sells, own }: Fields): MediaChange {
  const { title, description, redGif, price, tagIds, performerIds, flags } = draft
  const differs = differing(draft, saved)
  const turned = turnedIn(flags, saved.flags).map((name) => [name, flags[name]])
  return {
    ...(differs.title ? { title } : {}),
    ...(differs.description ? { description } : {}),
    ...(differs.tagIds ? { tagIds } : {}),
    ...(embed && differs.redGif ? { redGif } : {}),
    ...(sells && differs.price ? { price } : {}),
    ...(sells ? Object.fromEntries(turned) : {}),
    ...(sells && own && differs.performerIds ? { performerIds } : {}),
  }
}

/** The form after `sent` was saved and is `kept` like this: what was typed meanwhile stays, all else is as it is kept. */
export function draftAfter(now: Draft, sent: Draft, kept: Draft): Draft {
  const typed = differing(now, sent)
  const turned = turnedIn(now.flags, sent.flags)
  const inOrder = [...turned.filter((name) => !now.flags[name]), ...turned.filter((name) => now.flags[name])]
  return {
    title: (typed.title ? now : kept).title,
    description: (typed.description ? now : kept).description,
    redGif: (typed.redGif ? now : kept).redGif,
    price: (typed.price ? now : kept).price,
    tagIds: (typed.tagIds ? now : kept).tagIds,
    performerIds: (typed.performerIds ? now : kept).performerIds,
    flags: inOrder.reduce((flags, name) => turn(flags, name, now.flags[name]), kept.flags),
  }
}

/** In which fields one draft says something else than the other; the order of tags and people says nothing. */
function differing(one: Draft, other: Draft): Record<keyof Draft, boolean> {
  const inIds = (ids: string[], others: string[]) => ids.toSorted().join() !== others.toSorted().join()
  return {
    title: one.title !== other.title,
    description: one.description !== other.description,
    redGif: one.redGif !== other.redGif,
    price: parseMoney(one.price) !== parseMoney(other.price),
    tagIds: inIds(one.tagIds, other.tagIds),
    performerIds: inIds(one.performerIds, other.performerIds),
    flags: turnedIn(one.flags, other.flags).length > 0,
  }
}

function turnedIn(flags: Flags, before: Flags): (keyof Flags)[] {
  return FLAG_NAMES.filter((name) => flags[name] !== before[name])
}
