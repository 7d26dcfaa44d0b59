import { z } from 'zod'
import { IDS_PER_PAGE, MAX_IDS_PER_PAGE } from '../../constants.ts'
import { route } from '../../route.ts'
import { Id, listOf, Moment, Page, QueryBoolean, repeated } from '../../schemas.ts'

/**
 * A media item as one viewer may see it. `url` is a short-lived signed link bound to that viewer; all else that the item
 * has lies beside it (`contract/media-links.ts`). Locked for them, it names no file; `preview` is a thumbhash in base64 and
 * reveals nothing.
 */
export const Media = z.object({
  _id: Id,
  creatorId: Id,
  username: z.string(),
  type: z.enum(['image', 'video']),
  url: z.string().nullable(),
  /** The name of a video's poster beside its `url`. */
  poster: z.string().nullable(),
  /** The name of a longer video's playlist in several qualities (HLS) beside its `url`; else null. */
  stream: z.string().nullable(),
  /** In how many pixels of width the picture, or the poster, can be had, the narrowest first. */
  widths: z.array(z.number().int()),
  redGif: z.string(),
  title: z.string(),
  description: z.string(),
  price: z.string(),
  /** Whole seconds of a video. */
  duration: z.number().int().nullable(),
  /** Pixels as shown, so that its box can be reserved. */
  width: z.number().int(),
  height: z.number().int(),
  preview: z.string(),
  locked: z.boolean(),
  /** The viewer's own @username is to be seen over it: on pictures it is already, players lay it over. Sent only when so. */
  watermarked: z.literal(true).optional(),
  /** Bought or otherwise unlocked by this viewer, or their own. */
  owned: z.boolean(),
  tagIds: z.array(Id),
  /** The people depicted; told to the owner and the operator only, empty for others. */
  performerIds: z.array(Id),
  /** Parts of the uploaded file were broken and left out; told to the same people. Sent only when so. */
  damaged: z.literal(true).optional(),
  showInSearch: z.boolean(),
  redditPromotion: z.boolean(),
  mustUnlock: z.boolean(),
  showInStore: z.boolean(),
  directOnly: z.boolean(),
  createdAt: Moment,
  /** The viewer's own version of an item whose file was replaced after they bought it. Sent only when it is not the current one. */
  versionId: Id.optional(),
  /** Fingerprint of the file of a single for sale; a purchase sends it back. Sent only to who can buy it. */
  contentsVersion: z.string().optional(),
  /** Taken down by the operator; sent only then, to its owner and superadmins, who get nothing of it either. */
  takenDownAt: Moment.optional(),
  /** Why, as its owner is told; empty where no reason was given. Sent with it. */
  takenDownReason: z.string().optional(),
})

/** One of the versions of an item that a viewer may see. */
export const MediaVersion = z.object({
  versionId: Id,
  /** Whether the item shows this version to everybody now. */
  current: z.boolean(),
  addedAt: Moment,
  media: Media,
})

/** An item in a list: what pages show of it there. What is absent is null, false, or not shown. */
export const FeedMedia = Media.extend({
  /** Nobody but its owner, who is told so, and operators see it here. Sent only then. */
  unpublished: z.literal(true),
  /** Its owner's picture, null when they have none. Sent where a list has several people's items. */
  profileImage: z.string().nullable(),
  /** By the operator: no picture, blur or title is left. Sent only then, in messages and lists of one's own. */
  takenDown: z.literal(true),
  /** Everyone who may see its creator sees it for free, so that no message sells it. Sent only then, in messages. */
  free: z.literal(true),
})
  .pick({
    _id: true,
    username: true,
    type: true,
    url: true,
    poster: true,
    stream: true,
    widths: true,
    redGif: true,
    title: true,
    price: true,
    duration: true,
    width: true,
    height: true,
    preview: true,
    locked: true,
    watermarked: true,
    owned: true,
    /** Told to the owner only, who sees on their profile what fans have to unlock. */
    mustUnlock: true,
    showInStore: true,
    versionId: true,
    contentsVersion: true,
    unpublished: true,
    profileImage: true,
    takenDown: true,
    free: true,
  })
  .partial({
    url: true,
    poster: true,
    stream: true,
    redGif: true,
    price: true,
    duration: true,
    locked: true,
    owned: true,
    mustUnlock: true,
    showInStore: true,
    unpublished: true,
    profileImage: true,
    takenDown: true,
    free: true,
  })

/** An item in the list of what is new: whose it is, and since when it is there. */
const NewMedia = FeedMedia.extend({ profileImage: z.string().nullable(), createdAt: Moment })

/** A creator in a row of creators. */
export const ListedCreator = z.object({
  _id: Id,
  username: z.string(),
  profileImage: z.string().nullable(),
  /** The price of a month of their cheapest subscription; null while they sell none. */
  monthPrice: z.string().nullable(),
})

/**
 * The price of a bundle for the viewer, less the `owned` items that they own for good; null when they pay the full
 * price.
 */
export const Reduced = z.object({ price: z.string(), owned: z.number().int() }).nullable()

/** The products that contain a locked item. */
const Unlock = z.object({
  kind: z.enum(['subscription', 'bundle']),
  _id: Id,
  title: z.string(),
  price: z.string(),
  reduced: Reduced,
  /** The viewer has this subscription, and owes its last renewal, or a payment of it is undecided. */
  pastDue: z.boolean(),
  /** What a card of theirs is charged at once for it; null when nothing is owed, also while a charge is undecided. */
  owed: z.string().nullable(),
  /** No longer sold: only who is past due for it sees it. */
  retired: z.boolean(),
  /** Fingerprint of a bundle’s contents now; a purchase sends it back. */
  contentsVersion: z.string().optional(),
  photoCount: z.number().int(),
  videoCount: z.number().int(),
  /** Total seconds of its videos. */
  videoSeconds: z.number().int(),
})

/** A single that is sold, in a list. */
const StoreMedia = FeedMedia.extend({ price: z.string(), description: z.string() })

export const viewingRoutes = {
  profileMedia: route({
    method: 'GET',
    path: '/media/profile',
    summary: 'A creator’s items as this viewer may see them, locked ones as placeholders, newest first.',
    access: 'public',
    query: Page.extend({
      creatorId: Id,
      type: z.enum(['image', 'video']).optional(),
      mustUnlock: QueryBoolean.optional(),
      showInSearch: QueryBoolean.optional(),
    }),
    output: listOf(FeedMedia),
  }),
  discover: route({
    method: 'GET',
    path: '/media/discover',
    summary: 'Everything shown in search and free to see, newest or most popular first.',
    access: 'public',
    query: Page.extend({
      tagIds: repeated(Id, 15),
      type: z.enum(['image', 'video']).optional(),
      sort: z.enum(['new', 'popular']).optional(),
      mustUnlock: QueryBoolean.optional(),
      showInSearch: QueryBoolean.optional(),
    }),
    output: listOf(FeedMedia),
  }),
  newMedia: route({
    method: 'GET',
    path: '/media/new',
    summary:
      'The newest items from creators the caller follows or subscribes to, locked ones as placeholders.',
    access: 'user',
    self: 'userId',
    // Not `skip`, which would read every creator's items down to it.
    query: Page.omit({ skip: true }).extend({ userId: Id.optional() }),
    output: listOf(NewMedia),
  }),
  creators: route({
    method: 'GET',
    path: '/media/creators',
    summary: 'Creators who have published something, the most popular first.',
    access: 'public',
    output: z.object({ creators: z.array(ListedCreator) }),
  }),
  purchasableMedia: route({
    method: 'GET',
    path: '/media/purchasablemedia',
    summary: 'The single items that a creator sells.',
    access: 'user',
    self: 'fanId',
    query: Page.extend({ creatorId: Id, fanId: Id.optional() }),
    output: listOf(StoreMedia),
  }),
  unlockedMedia: route({
    method: 'GET',
    path: '/users/unlockedmedia',
    summary:
      'The ids of everything unlocked for the caller, newest first; `auth/me` has the newest of what they have for good.',
    access: 'user',
    self: 'userId',
    query: Page.extend({
      userId: Id.optional(),
      limit: z.coerce.number().int().min(1).max(MAX_IDS_PER_PAGE).default(IDS_PER_PAGE),
    }),
    output: listOf(Id),
  }),
  bundleInfo: route({
    method: 'GET',
    path: '/media/bundleinfo',
    summary: 'The items of a bundle, and which of them the fan already owns.',
    access: 'user',
    self: 'fanId',
    query: z.object({ bundleId: Id, mediaIds: repeated(Id, 500), fanId: Id.optional() }),
    output: z.object({
      bundleMedia: z.array(FeedMedia.extend({ price: z.string() })),
      usersMediaIds: z.array(Id),
    }),
  }),
  viewMedia: route({
    method: 'GET',
    path: '/media/viewmedia/:mediaId',
    summary: 'One item with its creator.',
    access: 'public',
    restricted: 'allowed',
    params: z.object({ mediaId: Id }),
    output: z.object({
      media: Media,
      /** Where a buyer has another version than the current one: theirs and the new one, newest first; else empty. */
      versions: z.array(MediaVersion),
      creator: z.object({
        _id: Id,
        username: z.string(),
        firstName: z.string(),
        profileImage: z.string().nullable(),
        links: z.array(z.object({ _id: z.string(), text: z.string(), link: z.string() })),
        /** When the account is erased that its owner gave up: what was bought can be downloaded until then. */
        erasedAt: Moment.nullable(),
      }),
      /** Where the item is locked: the subscriptions, then the bundles that hold it, the cheapest first; else empty. */
      unlocks: z.array(Unlock),
    }),
  }),
  media: route({
    method: 'GET',
    path: '/media/:mediaId',
    summary: 'One item as the viewer may see it; buyers get the version they bought.',
    access: 'public',
    restricted: 'allowed',
    params: z.object({ mediaId: Id }),
    output: Media,
  }),
  mediaVersion: route({
    method: 'GET',
    path: '/media/:mediaId/versions/:version',
    summary: 'One item in its current version, or in one the viewer bought.',
    access: 'public',
    restricted: 'allowed',
    params: z.object({ mediaId: Id, version: z.union([z.literal('current'), Id]) }),
    output: Media,
  }),
}
