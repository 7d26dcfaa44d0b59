import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Role } from '../../../../contract/permissions.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../db/client.ts'
import type { StoredVariant } from '../../../db/tables/media.ts'
import { AppError } from '../../../errors.ts'
import type { OpenFile, ServedFile } from '../../../handler.ts'
import { type Audience, audienceOf } from '../../../viewer.ts'
import { visible } from '../../profiles/data.ts'
import { viewable, watermarked } from '../data.ts'
import { verifyMediaUrl } from '../present.ts'
import { acceptsAvif, avifOf, withQuery } from './rules.ts'

type FileRequest = Parameters<OpenFile>[0]
/** Who holds the viewer cookie: a visitor has no id. */
type FileViewer = { person: { id: string; role: Role | null; username: string } | null }

const VISITOR: FileViewer = { person: null }

/**
 * Finds what `/files/<path>` opens. Media: the link must be ours, made for this viewer, not over, its session alive,
 * and the item still viewable at this moment (decisions §4). Profile pictures: the current ones, for whom the profile
 * is there.
 */
export async function openMediaFile(context: Context, request: FileRequest): Promise<ServedFile> {
  const [, kind, id, name] =
    /^(media|profile)\/([0-9a-f-]{36})\/([a-z0-9_-][a-z0-9._-]*)$/.exec(request.path) ?? []
  if (!kind || !id || !name) throw new AppError('media_not_found')
  return kind === 'media'
    ? openVariant(context, request, id, name)
    : openProfilePicture(context, request, id, name)
}

async function openVariant(
  context: Context,
  request: FileRequest,
  mediaId: string,
  name: string,
): Promise<ServedFile> {
  const { db, signer, storage } = context
  const { companionKey, place, now } = request
  const { e: expiry, s: signature } = request.query
  if (!companionKey || typeof expiry !== 'string' || typeof signature !== 'string')
    throw new AppError('link_expired')
  if (!verifyMediaUrl(signer, { mediaId, expiry, signature }, companionKey, now)) {
    throw new AppError('link_expired')
  }
  const viewer = await findFileViewer(db, companionKey, now)
  if (!viewer) throw new AppError('link_expired')
  const item = await findFiles(db, audienceOf(viewer.person, place), mediaId, now)
  // An AVIF has no address of its own: it comes in place of a picture that is served without a name on it.
  const variant = name.endsWith('.avif') ? undefined : item?.variants.find((stored) => stored.name === name)
  if (!item || !variant) throw new AppError('media_not_found')
  if (!item.viewable) throw new AppError('link_expired')
  const keyOf = (stored: StoredVariant) => `media/${item.storage_id}/${stored.name}`

  if (name.endsWith('.m3u8')) {
    const playlist = await text(await opened(context, keyOf(variant)))
    const query = `e=${expiry}&s=${signature}`
    return served(variant.mime, Buffer.from(withQuery(playlist, query)))
  }
  if (viewer.person && item.watermarked && variant.mime.startsWith('image/'))
    return openWatermarked(context, { viewer: viewer.person, key: keyOf(variant), now })
  const avif = item.variants.find((stored) => stored.name === avifOf(name))
  const chosen = avif && acceptsAvif(request.accept) ? avif : variant
  return {
    mime: chosen.mime,
    bytes: chosen.bytes,
    cache: 'private',
    varies: avif !== undefined,
    open: (range) => storage.read(keyOf(chosen), range),
  }
}

/** The picture with this viewer's name on it, which is kept for them alone. */
async function openWatermarked(
  context: Context,
  { viewer, key, now }: { viewer: { id: string; username: string }; key: string; now: Date },
): Promise<ServedFile> {
  const mime = 'image/webp'
  const picture = await context.watermarked.get(`${viewer.id}/${viewer.username}/${key}`, now, async () =>
    context.processor.watermark({ picture: await opened(context, key), mime, text: `@${viewer.username}` }),
  )
  return served(mime, picture)
}

/** What is not stored as it is served. */
function served(mime: string, bytes: Buffer): ServedFile {
  return {
    mime,
    bytes: bytes.length,
    cache: 'private',
    open: async (range) =>
      Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes], { objectMode: false }),
  }
}

async function opened({ storage }: Context, key: string): Promise<Readable> {
  const body = await storage.read(key)
  if (!body) throw new AppError('media_not_found')
  return body
}

/** The files of an item, and what this person may see of them. */
async function findFiles(db: Db, audience: Audience, mediaId: string, now: Date) {
  return db
    .selectFrom('media')
    .innerJoin('users as creator', 'creator.id', 'media.creator_id')
    .select(['media.storage_id', 'media.variants'])
    .select([viewable(audience, now).as('viewable'), watermarked(audience).as('watermarked')])
    .where('media.id', '=', mediaId)
    .executeTakeFirst()
}

/** Who holds this viewer cookie: the person of a live session, or a visitor; null when the session has ended. */
async function findFileViewer(db: Db, companionKey: string | null, now: Date): Promise<FileViewer | null> {
  if (!companionKey?.startsWith('s.')) return VISITOR
  const person = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id', 'users.role', 'users.username'])
    .where('sessions.id', '=', companionKey.slice('s.'.length))
    .where('sessions.expires_at', '>', now)
    .where('users.hidden_at', 'is', null)
    .executeTakeFirst()
  return person ? { person } : null
}

/** A picture of the profile as it is now; who draws link previews and has neither cookie nor place is a visitor. */
async function openProfilePicture(
  context: Context,
  { companionKey, place, now }: FileRequest,
  userId: string,
  name: string,
): Promise<ServedFile> {
  const key = `profile/${userId}/${name}`
  const viewer = (await findFileViewer(context.db, companionKey, now)) ?? VISITOR
  const current = await context.db
    .selectFrom('profiles')
    .innerJoin('users', 'users.id', 'profiles.user_id')
    .select('user_id')
    .where('user_id', '=', userId)
    .where(visible(audienceOf(viewer.person, place), 'users'))
    .where((eb) => eb.or([eb('profile_image', '=', name), eb('profile_hero_image', '=', name)]))
    .executeTakeFirst()
  const bytes = current && name.endsWith('.webp') ? await context.storage.size(key) : null
  if (bytes === null) throw new AppError('media_not_found')
  return {
    mime: 'image/webp',
    bytes,
    cache: 'minutes',
    tag: `"${name}"`,
    open: (range) => context.storage.read(key, range),
  }
}
