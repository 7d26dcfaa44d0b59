import { z } from 'zod'
import { MAX_FILES_PER_UPLOAD_CALL } from '../constants.ts'
import { route } from '../route.ts'
import {
  Id,
  line,
  listOf,
  Moment,
  Money,
  Page,
  paragraph,
  QueryBoolean,
  repeated,
  Success,
} from '../schemas.ts'

/**
 * A media item as one viewer may see it. `url`, `poster` and `sources` are short-lived signed links bound to that
 * viewer, and null or empty when it is locked for them; `preview` is a thumbhash in base64 and reveals nothing.
 */
export const Media = z.object({
  _id: Id,
  creatorId: Id,
  username: z.string(),
  type: z.enum(['image', 'video']),
  url: z.string().nullable(),
  poster: z.string().nullable(),
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
  /** Bought or otherwise unlocked by this viewer, or their own. */
  owned: z.boolean(),
  tagIds: z.array(Id),
  showInSearch: z.boolean(),
  redditPromotion: z.boolean(),
  mustUnlock: z.boolean(),
  showInStore: z.boolean(),
  directOnly: z.boolean(),
  createdAt: Moment,
})

export const UploadState = z.object({
  uploadId: Id,
  fileName: z.string(),
  /** `awaiting` bytes → `received` → `processing` → `ready`, or `failed` with the reason in `error`. */
  status: z.enum(['awaiting', 'received', 'processing', 'ready', 'failed']),
  /** Percent of the processing, 0 to 100. */
  progress: z.number().int(),
  error: z.string().nullable(),
  code: z.string().nullable(),
  mediaId: Id.nullable(),
})

const Picker = Page.extend({
  creatorId: Id,
  showSelectedOnly: QueryBoolean.default(false),
  selectedMediaIds: repeated(Id, 500),
})

export const mediaRoutes = {
  startUpload: route({
    method: 'POST',
    path: '/media/upload',
    summary: 'Asks for one signed address per file; each takes one PUT of the file’s bytes.',
    access: 'user',
    self: 'creatorId',
    rateLimit: { points: 600, seconds: 600 },
    body: z.object({
      creatorId: Id.optional(),
      fileNames: z
        .array(line(255).pipe(z.string().min(1)))
        .min(1, 'You must select a file to upload.')
        .max(MAX_FILES_PER_UPLOAD_CALL),
      isCreator: z.union([z.boolean(), z.string()]).optional(),
    }),
    output: z.object({
      signedUrls: z.array(z.string()),
      destFileNames: z.array(Id),
      finalUrls: z.array(z.string()),
    }),
  }),
  putUpload: route({
    method: 'PUT',
    path: '/media/upload/:uploadId',
    summary: 'The bytes of one file. The signature in the address is its own permission.',
    access: 'public',
    restricted: 'allowed',
    transaction: 'manual',
    bytes: true,
    params: z.object({ uploadId: Id }),
    query: z.object({ expires: z.coerce.number().int(), signature: z.string().max(100) }),
    output: Success,
  }),
  makePublic: route({
    method: 'POST',
    path: '/media/makepublic',
    summary: 'Says that the files arrived; each is judged and prepared by a job. Safe to repeat.',
    access: 'user',
    body: z.object({ destFileNames: z.array(Id).min(1).max(MAX_FILES_PER_UPLOAD_CALL) }),
    output: z.object({ items: z.array(UploadState) }),
  }),
  uploads: route({
    method: 'GET',
    path: '/media/uploads',
    summary: 'How far the caller’s own uploads are.',
    access: 'user',
    query: z.object({ uploadIds: repeated(Id, MAX_FILES_PER_UPLOAD_CALL) }),
    output: z.object({ items: z.array(UploadState) }),
  }),
  cancelUpload: route({
    method: 'POST',
    path: '/media/upload/cancel',
    summary: 'Gives up the caller’s own upload that is not ready yet; its bytes go.',
    access: 'user',
    body: z.object({ uploadId: Id }),
    output: Success,
  }),
  manageMedia: route({
    method: 'GET',
    path: '/media/managemedia',
    summary: 'The acting person’s own library, newest first.',
    access: 'user',
    self: 'creatorId',
    query: Page.extend({ creatorId: Id.optional() }),
    output: listOf(Media),
  }),
  editMedia: route({
    method: 'POST',
    path: '/media/edit',
    summary:
      'Changes an own item; only the fields that are sent. Flags move each other as in promotion-tools §4.',
    access: 'user',
    self: 'creatorId',
    body: z.object({
      mediaId: Id,
      creatorId: Id.optional(),
      title: line(120).optional(),
      description: paragraph(5000).optional(),
      price: Money.optional(),
      showInSearch: z.boolean().optional(),
      redditPromotion: z.boolean().optional(),
      mustUnlock: z.boolean().optional(),
      showInStore: z.boolean().optional(),
      directOnly: z.boolean().optional(),
    }),
    output: Media,
  }),
  deleteMedia: route({
    method: 'POST',
    path: '/media/delete',
    summary: 'Takes an own item out of library and sale; who bought it keeps it.',
    access: 'user',
    body: z.object({ mediaId: Id }),
    output: Success,
  }),
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
  subscriptionMediaPicker: route({
    method: 'GET',
    path: '/media/editsubscriptionmedialist',
    summary: 'The own library, for choosing what a subscription holds.',
    access: 'creator',
    self: 'creatorId',
    query: Picker,
    output: listOf(Media),
  }),
  bundleMediaPicker: route({
    method: 'GET',
    path: '/media/editbundlemedialist',
    summary: 'The own library, for choosing what a bundle holds.',
    access: 'creator',
    self: 'creatorId',
    query: Picker,
    output: listOf(Media),
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
