import { randomUUID } from 'node:crypto'
import type { Insertable, Selectable } from 'kysely'
import { MAX_TAGS_PER_ITEM } from '../../../../../contract/constants.ts'
import { lowestPriceText, parseMoney } from '../../../../../contract/money.ts'
import { can } from '../../../../../contract/permissions.ts'
import { redGifEmbedUrl } from '../../../../../contract/redgif.ts'
import type { Flags } from '../../../../../contract/visibility.ts'
import type { Db, Tx } from '../../../../db/client.ts'
import type { MediaTables } from '../../../../db/tables/media.ts'
import { AppError } from '../../../../errors.ts'
import type { Viewer } from '../../../../viewer.ts'
import { arePerformers } from '../../performers/data.ts'
import { requireUnblockedGif } from '../../quarantine/blocked/actions.ts'
import { editRefusal, flagColumns, flagsAfter, type SentFlags } from '../../rules.ts'
import { enqueueTagCount } from '../../tags/actions.ts'
import { videoOf } from '../../uploads/own-files/data.ts'
import { auditForeign, lockEditable, lockFilled, lockOwn, requireTags } from '../actions.ts'
import { tagsAfter } from '../rules.ts'

export type MediaEdit = SentFlags & {
  mediaId: string
  title?: string | undefined
  description?: string | undefined
  /** Link or id of an external gif. */
  redGif?: string | undefined
  tagIds?: string[] | undefined
  performerIds?: string[] | undefined
  /** Money text. */
  price?: string | undefined
  type?: 'image' | 'video' | undefined
  /** Seconds. */
  duration?: number | undefined
  /** Why, of somebody else's item. */
  reason?: string | undefined
}

export type BulkEdit = SentFlags & {
  mediaIds: string[]
  addTagIds: string[]
  removeTagIds: string[]
  /** Money text. */
  price?: string | undefined
}

type MediaItem = Selectable<MediaTables['media']> & { is_creator: boolean }

type SaleOptions = { publishingOpen: boolean; leastPriceCents: number; now: Date }

/**
 * Changes what was sent of an own item; with the permission anybody's, which is recorded; it alone corrects type
 * and duration. Throws `media_not_found` for another's item, `tag_not_found`, `performer_not_found`,
 * `permission_required`, `reason_required`, `red_gif_unreadable`, `media_taken_down` and `media_blocked` for another gif, and
 * what `editRefusal` says.
 */
export async function editMedia(
  db: Tx,
  viewer: Viewer,
  edit: MediaEdit,
  options: SaleOptions,
): Promise<void> {
  const corrects = edit.type !== undefined || edit.duration !== undefined
  if (corrects && !can(viewer, 'media.editAll')) throw new AppError('permission_required')
  await lockFilled(db, [edit.mediaId])
  const item = await lockEditable(db, viewer, {
    mediaId: edit.mediaId,
    permission: 'media.editAll',
    reason: edit.reason,
  })
  if (edit.type === 'video' && item.red_gif === '' && !videoOf(item.variants))
    throw new AppError('invalid_input', { details: { type: 'This file is a photo.' } })
  const redGif = embedAfter(item, edit.redGif)
  if (redGif !== item.red_gif) {
    if (item.quarantined_at) throw new AppError('media_taken_down')
    await requireUnblockedGif(db, redGif)
  }
  await db
    .updateTable('media')
    .set({
      ...saleAndFlags(item, edit, options),
      // Another address is another version: who bought the item keeps the one that they bought.
      ...(redGif === item.red_gif
        ? {}
        : { red_gif: redGif, version_id: randomUUID(), versioned_at: options.now }),
      title: edit.title ?? item.title,
      description: edit.description ?? item.description,
      tag_ids: edit.tagIds ? await requireTags(db, edit.tagIds) : item.tag_ids,
      performer_ids: edit.performerIds
        ? await requirePerformers(db, item.creator_id, edit.performerIds)
        : item.performer_ids,
      type: edit.type ?? item.type,
      duration_seconds: durationAfter(item, edit),
    })
    .where('id', '=', item.id)
    .execute()
  const fields = Object.entries(edit).flatMap(([field, value]) =>
    value === undefined || ['mediaId', 'creatorId', 'reason'].includes(field) ? [] : field,
  )
  await auditForeign(db, viewer, {
    action: 'media.edited',
    item,
    reason: edit.reason,
    detail: { fields },
    now: options.now,
  })
  if (edit.tagIds || item.tag_ids.length > 0) await enqueueTagCount(db, options.now)
}

/**
 * Changes several own items, all or none. Throws `media_not_found` when one is not theirs, `tag_not_found`,
 * `too_many_tags`, and what `editRefusal` says of any.
 */
export async function bulkEditMedia(
  db: Tx,
  viewer: Viewer,
  edit: BulkEdit,
  options: SaleOptions,
): Promise<void> {
  await lockFilled(db, edit.mediaIds)
  const items = await lockOwn(db, viewer, edit.mediaIds)
  const change = { add: await requireTags(db, edit.addTagIds), remove: edit.removeTagIds }
  for (const item of items) {
    const tagIds = tagsAfter(item.tag_ids, change)
    if (tagIds.length > MAX_TAGS_PER_ITEM) throw new AppError('too_many_tags')
    await db
      .updateTable('media')
      .set({ ...saleAndFlags(item, edit, options), tag_ids: tagIds })
      .where('id', '=', item.id)
      .execute()
  }
  await enqueueTagCount(db, options.now)
}

/** Price and flags after an edit; throws what `editRefusal` says. */
function saleAndFlags(
  item: MediaItem,
  edit: SentFlags & { title?: string | undefined; price?: string | undefined },
  { publishingOpen, leastPriceCents }: SaleOptions,
): Partial<Insertable<MediaTables['media']>> {
  const before: Flags = {
    showInSearch: item.show_in_search,
    redditPromotion: item.reddit_promotion,
    mustUnlock: item.must_unlock,
    showInStore: item.show_in_store,
    directOnly: item.direct_only,
  }
  const flags = flagsAfter(before, edit)
  const priceCents = edit.price === undefined ? item.price_cents : (parseMoney(edit.price) ?? 0)
  const titleRequired = edit.title !== undefined && item.red_gif === ''
  const refusal = editRefusal(
    before,
    { flags, title: edit.title ?? item.title, priceCents, titleRequired },
    { ownerIsCreator: item.is_creator, publishingOpen, leastPriceCents },
  )
  if (refusal === 'price_too_low')
    throw new AppError(refusal, { details: { price: lowestPriceText(leastPriceCents) } })
  if (refusal) throw new AppError(refusal)
  return { price_cents: priceCents, ...flagColumns(flags) }
}

/** The form sends the link of every item, empty where it is none of an external gif. */
function embedAfter(item: MediaItem, redGif: string | undefined): string {
  if (redGif === undefined) return item.red_gif
  if (item.red_gif === '') {
    if (redGif === '') return ''
    throw new AppError('invalid_input', { details: { redGif: 'This item is a file, not an external gif.' } })
  }
  const embed = redGifEmbedUrl(redGif)
  if (embed === '') throw new AppError('red_gif_unreadable')
  return embed
}

/** A picture has no duration, whatever was read from its file. */
function durationAfter(item: MediaItem, edit: MediaEdit): number | null {
  if ((edit.type ?? item.type) === 'image') return null
  return edit.duration === undefined ? item.duration_seconds : Math.floor(edit.duration)
}

async function requirePerformers(db: Db, creatorId: string, performerIds: string[]): Promise<string[]> {
  const wanted = [...new Set(performerIds)]
  const others = wanted.filter((id) => id !== creatorId)
  if (!(await arePerformers(db, creatorId, others))) throw new AppError('performer_not_found')
  return wanted
}
