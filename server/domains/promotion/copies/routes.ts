import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Context } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers, OpenFile } from '../../../handler.ts'
import { listPosters } from '../schedule/data.ts'
import { findByNames } from '../subreddits/data.ts'
import { requestVideoCopy, videoCopyKey } from './actions.ts'
import { findSource, findSourceOf, type SourceRow } from './data.ts'
import { type CopyKind, sourceOf, wantedBy } from './rules.ts'

export const copyHandlers = {
  async promotionCopy({ context, viewer, params, body }) {
    const { db } = context
    const { redditPostId: postId } = params
    const source = await findSource(db, { userId: viewer.id, postId })
    if (!source) throw new AppError('post_media_not_found')
    const [subreddit] = await findByNames(db, [body.subreddit])
    if (!subreddit) throw new AppError('subreddit_not_found')
    const wanted = wantedBy(subreddit.watermark_type)
    const account = await findPoster(context, viewer.id, body.accountId)
    const kind = body.kind ?? (wanted === 'named' && account ? 'named' : 'clean')
    if (kind === 'named' && !account) throw new AppError('forum_not_connected')
    const extension = source.type === 'video' ? 'mp4' : 'jpg'
    return {
      kind,
      wanted,
      account: kind === 'named' ? (account?.name ?? null) : null,
      path: `/files/promotion/${postId}/${kind === 'named' ? account?.id : 'clean'}/copy.${extension}`,
      fileName: `${subreddit.name}-${postId.slice(-6)}.${extension}`,
      ready: await isReady(context, source, { kind, name: account?.name ?? '' }),
    }
  },
} satisfies Partial<Handlers>

/** Whether it can be opened; starts the preparation of a video with a name on it. */
async function isReady(
  context: Context,
  { type, storage_id: storageId, version_id: versionId, user_id: ownerId }: SourceRow,
  { kind, name }: { kind: CopyKind; name: string },
): Promise<boolean> {
  if (type === 'image' || kind === 'clean') return true
  const key = videoCopyKey(storageId, name)
  if ((await context.storage.size(key)) !== null) return true
  await requestVideoCopy(context, { key, ownerId }, { versionId, name })
  return false
}

async function findPoster({ db }: Context, userId: string, accountId: string | undefined) {
  const accounts = await listPosters(db, userId)
  if (accountId === undefined) return accounts.find(({ revoked_at }) => revoked_at === null)
  const account = accounts.find(({ id }) => id === accountId)
  if (!account) throw new AppError('forum_account_not_found')
  return account
}

/** Finds what `/files/promotion/…` opens; null for any other address. Only a session of the item's creator opens it. */
export async function openPromotionCopy(
  context: Context,
  { path, companionKey, now }: Parameters<OpenFile>[0],
): Promise<Awaited<ReturnType<OpenFile>> | null> {
  const [, postId, by] =
    /^promotion\/([0-9a-f-]{36})\/(clean|[0-9a-f-]{36})\/copy\.(?:jpg|mp4)$/.exec(path) ?? []
  if (!postId || !by) return null
  const { db, storage } = context
  if (!companionKey?.startsWith('s.')) throw new AppError('link_expired')
  const sessionId = companionKey.slice('s.'.length)
  const source = await findSourceOf(db, { sessionId, postId, now })
  const file = source && sourceOf(source.type, source.variants)
  if (!source || !file) throw new AppError('media_not_found')
  const name = by === 'clean' ? null : (await findPoster(context, source.user_id, by))?.name
  if (name === undefined) throw new AppError('media_not_found')
  const stillAllowed = async (moment: Date) =>
    (await findSourceOf(db, { sessionId, postId, now: moment })) !== undefined
  const key = `media/${source.storage_id}/${file.name}`
  if (source.type === 'image') {
    const picture = await pictureCopy(context, { key, name, now })
    return {
      mime: 'image/jpeg',
      bytes: picture.length,
      cache: 'private',
      open: async (range) =>
        Readable.from([range ? picture.subarray(range.start, range.end + 1) : picture], {
          objectMode: false,
        }),
      stillAllowed,
    }
  }
  const copy = name === null ? key : videoCopyKey(source.storage_id, name)
  const bytes = await storage.size(copy)
  if (bytes === null) throw new AppError('media_not_found')
  return {
    mime: 'video/mp4',
    bytes,
    cache: 'private',
    open: (range) => storage.read(copy, range),
    stillAllowed,
  }
}

/** The picture as a JPEG without metadata, kept for a while, since browsers ask for it more than once. */
function pictureCopy(
  { watermarked, storage, processor }: Context,
  { key, name, now }: { key: string; name: string | null; now: Date },
): Promise<Buffer> {
  return watermarked.get(`copy/${name ?? ''}/${key}`, now, async () => {
    const body = await storage.read(key)
    if (!body) throw new AppError('media_not_found')
    return processor.copyPicture({ picture: await buffer(body), text: name === null ? null : `u/${name}` })
  })
}
