import { z } from 'zod'
import {
  MAX_MEDIA_PER_BULK_CALL,
  MAX_MEDIA_SELECTED,
  MAX_PERFORMERS,
  MAX_TAGS_PER_ITEM,
  MAX_TITLE_LENGTH,
  MAX_VIDEO_SECONDS,
} from '../../constants.ts'
import { errors } from '../../errors.ts'
import { route } from '../../route.ts'
import {
  Id,
  line,
  listOf,
  Moment,
  Money,
  Page,
  paragraph,
  QueryBoolean,
  Reason,
  repeated,
  Success,
} from '../../schemas.ts'
import { Media } from './viewing.ts'

/** The filters of the library. */
const LibraryFilter = z.object({
  /** Words of title, description or tags; unfinished words count. */
  search: line(100).optional(),
  /** Items that carry any of these. */
  tagIds: repeated(Id, 15),
  type: z.enum(['image', 'video', 'embed']).optional(),
  visibility: z.enum(['public', 'locked', 'store', 'search', 'promotion', 'private']).optional(),
})

const MediaIds = z.array(Id).min(1).max(MAX_MEDIA_PER_BULK_CALL)

const SelectedIds = z.array(Id).min(1).max(MAX_MEDIA_SELECTED)

const TagIds = z.array(Id).max(MAX_TAGS_PER_ITEM, `Add up to ${MAX_TAGS_PER_ITEM} tags.`)

/** The price of an item by itself; `$0` for one that is not sold. */
const Price = z.string().min(1, errors.must_include_price.text).pipe(Money)

const Picker = Page.extend({
  creatorId: Id,
  search: LibraryFilter.shape.search,
  type: LibraryFilter.shape.type,
  showSelectedOnly: QueryBoolean.default(false),
  selectedMediaIds: repeated(Id, 500),
})

/** An item of the own library, with the name of the file that it was uploaded from, where that is known. */
const LibraryMedia = Media.extend({ fileName: z.string().nullable() })

/** The facts about each item that a bulk change needs. */
const SelectedMedia = Media.pick({
  _id: true,
  creatorId: true,
  type: true,
  redGif: true,
  title: true,
  price: true,
  tagIds: true,
  showInSearch: true,
  redditPromotion: true,
  mustUnlock: true,
  showInStore: true,
  directOnly: true,
  takenDownAt: true,
})

/** An own item that was deleted and can still be taken back. */
export const DeletedMedia = Media.extend({
  deletedAt: Moment,
  /** Whole days that are left to take it back, the one that has started included. */
  daysLeft: z.number().int().min(1),
})

export const libraryRoutes = {
  manageMedia: route({
    method: 'GET',
    path: '/media/managemedia',
    summary: 'The caller’s library in its own order: newest first until items are moved manually.',
    access: 'user',
    self: 'creatorId',
    query: Page.extend({ creatorId: Id.optional(), ...LibraryFilter.shape }),
    output: listOf(LibraryMedia),
  }),
  librarySelection: route({
    method: 'GET',
    path: '/media/managemedia/selection',
    summary:
      'How many items in the caller’s library match, and the first ones in library order, for selecting.',
    access: 'user',
    query: LibraryFilter.extend({
      limit: z.coerce.number().int().min(0).max(MAX_MEDIA_SELECTED).default(0),
    }),
    output: z.object({ count: z.number().int(), items: z.array(SelectedMedia) }),
  }),
  editMedia: route({
    method: 'POST',
    path: '/media/edit',
    summary:
      'Edits the caller’s item; omitted fields stay the same. Flags affect each other as in docs/product.md, Media.',
    access: 'user',
    self: 'creatorId',
    body: z.object({
      mediaId: Id,
      creatorId: Id.optional(),
      title: line(MAX_TITLE_LENGTH).optional(),
      description: paragraph(5000).optional(),
      /** Of an external gif: its page link or id. */
      redGif: line(500).optional(),
      tagIds: TagIds.optional(),
      performerIds: z.array(Id).min(1, 'Choose at least one person.').max(MAX_PERFORMERS).optional(),
      price: Price.optional(),
      showInSearch: z.boolean().optional(),
      redditPromotion: z.boolean().optional(),
      mustUnlock: z.boolean().optional(),
      showInStore: z.boolean().optional(),
      directOnly: z.boolean().optional(),
      /** The operator's correction of what was read from the file; nobody else may send it. */
      type: z.enum(['image', 'video']).optional(),
      /** Seconds, floored; with `type`. */
      duration: z.number().min(0).max(MAX_VIDEO_SECONDS).optional(),
      /** Of somebody else's item the operator must say it. */
      reason: Reason.optional(),
    }),
    output: Media,
  }),
  bulkEditMedia: route({
    method: 'POST',
    path: '/media/bulkedit',
    summary:
      'Edits several of the caller’s items at once, all or none; flags affect each other as in docs/product.md, Media.',
    access: 'user',
    body: z.object({
      mediaIds: MediaIds,
      addTagIds: TagIds.default([]),
      removeTagIds: TagIds.default([]),
      price: Price.optional(),
      showInSearch: z.boolean().optional(),
      redditPromotion: z.boolean().optional(),
      mustUnlock: z.boolean().optional(),
      showInStore: z.boolean().optional(),
      directOnly: z.boolean().optional(),
    }),
    output: z.object({ items: z.array(Media) }),
  }),
  reorderMedia: route({
    method: 'POST',
    path: '/media/reorder',
    summary:
      'Moves an item in the caller’s library and profile to right before another one, or with null to the end.',
    access: 'user',
    body: z.object({ mediaId: Id, beforeMediaId: Id.nullable() }),
    output: Success,
  }),
  deletionEffects: route({
    method: 'POST',
    path: '/media/deletioneffects',
    summary:
      'What deleting these items of the caller would affect: buyers keep them, everyone else loses them.',
    access: 'user',
    body: z.object({ mediaIds: SelectedIds }),
    output: z.object({
      /** People who bought at least one of the items, and keep it. */
      buyers: z.number().int(),
      bundles: z.array(z.object({ _id: Id, title: z.string() })),
      subscriptions: z.array(z.object({ _id: Id, title: z.string() })),
    }),
  }),
  deleteMedia: route({
    method: 'POST',
    path: '/media/delete',
    summary: 'Deletes the caller’s item from library and sale; buyers keep it.',
    access: 'user',
    body: z.object({ mediaId: Id, reason: Reason.optional() }),
    output: Success,
  }),
  bulkDeleteMedia: route({
    method: 'POST',
    path: '/media/bulkdelete',
    summary: 'Deletes several of the caller’s items from library and sale, all or none; buyers keep them.',
    access: 'user',
    body: z.object({ mediaIds: SelectedIds }),
    output: Success,
  }),
  deletedMedia: route({
    method: 'GET',
    path: '/media/deletedmedia',
    summary: 'The caller’s deleted items that can still be restored, last deleted first.',
    access: 'user',
    self: 'creatorId',
    query: Page.extend({ creatorId: Id.optional() }),
    output: listOf(DeletedMedia),
  }),
  restoreMedia: route({
    method: 'POST',
    path: '/media/restore',
    summary: 'Restores the caller’s deleted items, within 30 days.',
    access: 'user',
    body: z.object({ mediaIds: MediaIds }),
    output: z.object({ items: z.array(Media) }),
  }),
  posterFrame: route({
    method: 'POST',
    path: '/media/poster',
    summary: 'Makes the frame at this second the poster of the caller’s video, in a job.',
    access: 'user',
    rateLimit: { points: 60, seconds: 600 },
    body: z.object({ mediaId: Id, seconds: z.number().min(0).max(MAX_VIDEO_SECONDS) }),
    output: Success,
  }),
  posterStatus: route({
    method: 'GET',
    path: '/media/poster',
    summary: 'The progress of the last poster request for the caller’s video.',
    access: 'user',
    query: z.object({ mediaId: Id }),
    output: z.object({
      /** `none`: no frame was ever asked for. */
      status: z.enum(['none', 'preparing', 'ready', 'failed']),
      /** Of a frame that failed, what the person is told. */
      error: z.string().nullable(),
    }),
  }),
  addRedGif: route({
    method: 'POST',
    path: '/media/redgifadd',
    summary: 'Adds an external gif to the caller’s library by its page link or id.',
    access: 'creator',
    self: 'creatorId',
    body: z.object({
      creatorId: Id.optional(),
      redGif: line(500),
      duration: z.number().min(0).max(MAX_VIDEO_SECONDS).nullable().optional(),
      tagIds: TagIds.default([]),
    }),
    output: Media,
  }),
  mediaMetadata: route({
    method: 'GET',
    path: '/media/metadata',
    summary: 'Everyone’s uploaded items, newest first, for the operator to check type and duration.',
    access: { permission: 'media.editAll' },
    query: Page.extend({ type: z.enum(['image', 'video']).optional() }),
    output: listOf(Media),
  }),
  unlockableMedia: route({
    method: 'GET',
    path: '/media/unlockablemedia',
    summary:
      'A creator’s locked items that an operator can unlock for someone, without what `customerId` has.',
    access: { permission: 'media.unlock' },
    query: Page.extend({ creatorId: Id, customerId: Id.optional() }),
    output: listOf(
      z.object({
        _id: Id,
        title: z.string(),
        type: z.enum(['image', 'video']),
        price: z.string().nullable(),
        createdAt: Moment,
      }),
    ),
  }),
  unlockMedia: route({
    method: 'POST',
    path: '/media/unlock',
    summary: 'Unlocks an item for a fan; recorded in the audit log.',
    access: { permission: 'media.unlock' },
    body: z.object({ customerId: z.uuid('Choose a person.'), mediaId: Id, reason: Reason.optional() }),
    output: Success,
  }),
  subscriptionMediaPicker: route({
    method: 'GET',
    path: '/media/editsubscriptionmedialist',
    summary: 'The caller’s library, to choose what a subscription contains.',
    access: 'creator',
    self: 'creatorId',
    query: Picker,
    output: listOf(Media),
  }),
  bundleMediaPicker: route({
    method: 'GET',
    path: '/media/editbundlemedialist',
    summary: 'The caller’s library, to choose what a bundle contains.',
    access: 'creator',
    self: 'creatorId',
    query: Picker,
    output: listOf(Media),
  }),
}
