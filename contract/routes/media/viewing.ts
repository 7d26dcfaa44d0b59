import { z } from 'zod'
import { route } from '../../route.ts'
import { Id, listOf, Moment, Page, QueryBoolean, repeated } from '../../schemas.ts'

/**
 * A media item as one viewer may see it. `url`, `poster`, `stream` and `sources` are short-lived signed links bound to that
 * viewer, and null or empty when it is locked for them; `preview` is a thumbhash in base64 and reveals nothing.
 */
export const Media = z.object({
  _id: Id,
  creatorId: Id,
  username: z.string(),
  type: z.enum(['image', 'video']),
  url: z.string().nullable(),
  poster: z.string().nullable(),
  /** The playlist of a longer video in several qualities (HLS), under the same signature as its segments; else null. */
  stream: z.string().nullable(),
  sources: z.array(z.object({ url: z.string(), width: z.number().int(), height: z.number().int() })),
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
  /** Who is depicted; told to the owner and the operator only, empty for others. */
  performerIds: z.array(Id),
  /** Parts of the uploaded file were broken and left out; told to the same people. Sent only when so. */
  damaged: z.literal(true).optional(),
  showInSearch: z.boolean(),
  redditPromotion: z.boolean(),
  mustUnlock: z.boolean(),
  showInStore: z.boolean(),
  directOnly: z.boolean(),
  createdAt: Moment,
})

export const viewingRoutes = {
  profileMedia: route({
    method: 'GET',
    path: '/media/profile',
    summary: 'A creator’s items as this viewer may see them, locked ones as placeholders, newest first.',
    access: 'public',
    query: Page.extend({
      creatorId: Id,
      mustUnlock: QueryBoolean.optional(),
      showInSearch: QueryBoolean.optional(),
    }),
    output: listOf(Media),
  }),
  discover: route({
    method: 'GET',
    path: '/media/discover',
    summary: 'Everything shown in search and free to see, newest first.',
    access: 'public',
    query: Page.extend({
      tagIds: repeated(Id, 15),
      mustUnlock: QueryBoolean.optional(),
      showInSearch: QueryBoolean.optional(),
    }),
    output: listOf(Media),
  }),
  purchasableMedia: route({
    method: 'GET',
    path: '/media/purchasablemedia',
    summary: 'The single items that a creator sells.',
    access: 'user',
    self: 'fanId',
    query: Page.extend({ creatorId: Id, fanId: Id.optional() }),
    output: listOf(Media),
  }),
  bundleInfo: route({
    method: 'GET',
    path: '/media/bundleinfo',
    summary: 'What is in a bundle, and which of it the fan already owns.',
    access: 'user',
    self: 'fanId',
    query: z.object({ bundleId: Id, mediaIds: repeated(Id, 500), fanId: Id.optional() }),
    output: z.object({ bundleMedia: z.array(Media), usersMediaIds: z.array(Id) }),
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
      creator: z.object({
        _id: Id,
        username: z.string(),
        firstName: z.string(),
        profileImage: z.string().nullable(),
        links: z.array(z.object({ _id: z.string(), text: z.string(), link: z.string() })),
        /** When the account is erased that its owner gave up: what was bought can be downloaded until then. */
        erasedAt: Moment.nullable(),
      }),
    }),
  }),
  media: route({
    method: 'GET',
    path: '/media/:mediaId',
    summary: 'One item as this viewer may see it.',
    access: 'public',
    restricted: 'allowed',
    params: z.object({ mediaId: Id }),
    output: Media,
  }),
}
