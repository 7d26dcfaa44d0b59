import { z } from 'zod'
import { MAX_CHUNKS, MAX_FILES_PER_UPLOAD_CALL } from '../../constants.ts'
import { route } from '../../route.ts'
import { Id, line, Reason, repeated, Success } from '../../schemas.ts'

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
  /** The item whose file this one takes the place of; null for a new item. */
  replacesMediaId: Id.nullable(),
  /** An item of the same person with exactly these bytes, once they arrived; null when there is none. */
  duplicateOf: Id.nullable(),
  /** Its place among those that wait to be prepared, 1 for the next; null when it doesn't wait. */
  place: z.number().int().nullable(),
  /** In about how many seconds it is done; null when it doesn't wait. */
  waitSeconds: z.number().int().nullable(),
  /** Whether parts of the file were broken and left out of what it became. */
  damaged: z.boolean(),
  /** Of an upload in chunks how many it has, and how many arrived; null and 0 for a signed address. */
  totalChunks: z.number().int().nullable(),
  arrivedChunks: z.number().int(),
  /** Of a file for a signed address that arrived in part its size; null for others. */
  totalBytes: z.number().int().nullable(),
  /** The bytes that arrived so far while more are awaited. */
  arrivedBytes: z.number().int(),
})

/** An upload in chunks: which of them are there (docs/product.md, Limits). */
export const ChunkedUpload = UploadState.extend({
  totalChunks: z.number().int(),
  /** Zero-based numbers of the chunks that arrived, ascending. */
  chunks: z.array(z.number().int()),
})

export const uploadRoutes = {
  startUpload: route({
    method: 'POST',
    path: '/media/upload',
    summary: 'Creates one signed address per file; each accepts one PUT of the file’s bytes.',
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
    summary:
      'Receives the bytes of one file, or with Content-Range the rest of an interrupted upload. To “bytes */<size>”, and while bytes are missing, it answers 308 with what arrived in Range. The signature in the address is its own permission.',
    access: 'public',
    restricted: 'allowed',
    transaction: 'manual',
    bytes: true,
    params: z.object({ uploadId: Id }),
    query: z.object({ expires: z.coerce.number().int(), signature: z.string().max(100) }),
    output: Success,
  }),
  uploadAddress: route({
    method: 'GET',
    path: '/media/upload/:uploadId/address',
    summary: 'A new signed address for the caller’s own upload, to resume it.',
    access: 'user',
    params: z.object({ uploadId: Id }),
    output: z.object({ signedUrl: z.string() }),
  }),
  makePublic: route({
    method: 'POST',
    path: '/media/makepublic',
    summary: 'Confirms that the files arrived; a job validates and processes each. Safe to repeat.',
    access: 'user',
    body: z.object({ destFileNames: z.array(Id).min(1).max(MAX_FILES_PER_UPLOAD_CALL) }),
    output: z.object({ items: z.array(UploadState) }),
  }),
  uploads: route({
    method: 'GET',
    path: '/media/uploads',
    summary: 'The progress of the caller’s own uploads.',
    access: 'user',
    query: z.object({ uploadIds: repeated(Id, MAX_FILES_PER_UPLOAD_CALL) }),
    output: z.object({ items: z.array(UploadState) }),
  }),
  cancelUpload: route({
    method: 'POST',
    path: '/media/upload/cancel',
    summary: 'Cancels the caller’s own unfinished upload and deletes its bytes.',
    access: 'user',
    body: z.object({ uploadId: Id }),
    output: Success,
  }),
  uploadChunk: route({
    method: 'POST',
    path: '/media/uploadsingle',
    summary:
      'Receives one 1 MiB chunk of a file. The first one starts the upload and names it; a repeated one counts once; after the last one the file is validated and processed.',
    access: 'user',
    transaction: 'manual',
    multipart: true,
    body: z.object({
      name: line(255).pipe(z.string().min(1)),
      chunk_number: z.coerce
        .number()
        .int()
        .min(0)
        .max(MAX_CHUNKS - 1),
      total_chunks: z.coerce.number().int().min(1).max(MAX_CHUNKS),
      /** Without it, chunks belong together by session and name. */
      uploadId: Id.optional(),
    }),
    output: ChunkedUpload,
  }),
  chunkedUpload: route({
    method: 'GET',
    path: '/media/upload/:uploadId',
    summary: 'Which chunks of the caller’s own upload arrived, to resume it.',
    access: 'user',
    params: z.object({ uploadId: Id }),
    output: ChunkedUpload,
  }),
  duplicates: route({
    method: 'POST',
    path: '/media/duplicates',
    summary: 'Which of these contents are already in the caller’s library.',
    access: 'user',
    body: z.object({
      hashes: z
        .array(z.string().regex(/^[0-9a-f]{64}$/, 'SHA-256 in hexadecimal.'))
        .min(1)
        .max(MAX_FILES_PER_UPLOAD_CALL),
    }),
    output: z.object({ items: z.array(z.object({ hash: z.string(), mediaId: Id, title: z.string() })) }),
  }),
  replaceFile: route({
    method: 'POST',
    path: '/media/editfile',
    summary:
      'Creates a signed address for a file that replaces the one of the caller’s item; it replaces it after makepublic and processing.',
    access: 'user',
    self: 'creatorId',
    body: z.object({
      mediaId: Id,
      creatorId: Id.optional(),
      fileName: line(255).pipe(z.string().min(1)),
      /** Of somebody else's item the operator must say it. */
      reason: Reason.optional(),
    }),
    output: z.object({ signedUrl: z.string(), destFileNames: z.array(Id).length(1) }),
  }),
}
