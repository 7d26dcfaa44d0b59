import { errors } from '../../../../contract/errors.ts'
import { parseMoney } from '../../../../contract/money.ts'
import { redGifEmbedUrl } from '../../../../contract/redgif.ts'
import { FLAG_NAMES, type Flags } from '../../../../contract/visibility.ts'
import type { Media, MediaChange } from '../api.ts'

/** What the form holds of an item. `price` is money text, empty while nothing usable is typed. */
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

export type DraftErrors = Partial<
  Record<'title' | 'description' | 'redGif' | 'price' | 'performerIds', string>
>

/** The item as the form starts with it. */
export function draftOf(media: Media): Draft {
  const { title, description, redGif, price, tagIds, performerIds, creatorId } = media
  const flags = Object.fromEntries(FLAG_NAMES.map((name) => [name, media[name]])) as Flags
  const depicted = performerIds.length > 0 ? performerIds : [creatorId]
  return { title, description, redGif, price, tagIds, performerIds: depicted, flags }
}

/** What is wrong with the fields, each with its sentence (promotion-tools §5). */
export function draftErrors(draft: Draft, { embed, sells, own }: Fields): DraftErrors {
  return {
    ...(!embed && draft.title.trim() === '' ? { title: errors.must_include_title[1] } : {}),
    ...(embed && redGifEmbedUrl(draft.redGif) === '' ? { redGif: errors.red_gif_unreadable[1] } : {}),
    ...(sells && parseMoney(draft.price) === null ? { price: errors.must_include_price[1] } : {}),
    ...(sells && own && draft.performerIds.length === 0 ? { performerIds: 'Name at least one person.' } : {}),
  }
}

/** Whether anything would be lost by leaving. */
export function isChanged(draft: Draft, saved: Draft): boolean {
  const same = (one: string[], other: string[]) => one.toSorted().join() === other.toSorted().join()
  return !(
    draft.title === saved.title &&
    draft.description === saved.description &&
    draft.redGif === saved.redGif &&
    parseMoney(draft.price) === parseMoney(saved.price) &&
    same(draft.tagIds, saved.tagIds) &&
    same(draft.performerIds, saved.performerIds) &&
    FLAG_NAMES.every((name) => draft.flags[name] === saved.flags[name])
  )
}

/** What is sent when the form is saved. */
export function changeOf(draft: Draft, { embed, sells, own }: Fields): MediaChange {
  const { title, description, redGif, price, tagIds, performerIds, flags } = draft
  return {
    title,
    description,
    tagIds,
    ...(embed ? { redGif } : {}),
    ...(sells ? { price, ...flags } : {}),
    ...(sells && own ? { performerIds } : {}),
  }
}
