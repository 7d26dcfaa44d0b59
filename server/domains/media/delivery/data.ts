import { Readable } from 'node:stream'
import { type RawBuilder, sql } from 'kysely'
import type { Role } from '../../../../contract/permissions.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../db/client.ts'
import type { StoredVariant } from '../../../db/tables/media.ts'
import { AppError } from '../../../errors.ts'
import type { OpenFile, ServedFile } from '../../../handler.ts'
import { type Audience, audienceOf } from '../../../viewer.ts'
import { shown } from '../../profiles/data.ts'
import { released, viewable, watermarked } from '../data.ts'
import { boughtVersion } from '../entitlements/data.ts'
import { readLink, verifyLink } from '../present.ts'
import { noteDelivery } from './actions.ts'
import { acceptsAvif, avifOf } from './rules.ts'

type FileRequest = Parameters<OpenFile>[0]
/** The holder of the viewer cookie; a visitor has no id. */
type FileViewer = { person: { id: string; role: Role | null; username: string; isCreator: boolean } | null }

/** How files are named, without a way out of their folder. */
const NAME = /^[a-z0-9_-][a-z0-9._-]*$/
const VISITOR: FileViewer = { person: null }

/**
 * Finds what `/files/<path>` opens. Media: the link must be ours, made for this viewer, not over, its session alive,
 * and the item still viewable at this moment (docs/product.md, Media). Profile pictures: the current ones, for whom the profile
 * is there.
 */
export async function openMediaFile(context: Context, request: FileRequest): Promise<ServedFile> {
  const [, versionId, folder, file] =
    /^media\/([0-9a-f-]{36})\/(?:([^/]+)\/)?([^/]+)$/.exec(request.path) ?? []
  if (versionId && file && NAME.test(file))
    return openVariant(context, request, { versionId, folder, name: file })
  const [, userId, picture] = /^profile\/([0-9a-f-]{36})\/([^/]+)$/.exec(request.path) ?? []
  if (userId && picture && NAME.test(picture)) return openProfilePicture(context, request, userId, picture)
  throw new AppError('media_not_found')
}

async function openVariant(
  context: Context,
  request: FileRequest,
  { versionId, folder = '', name }: { versionId: string; folder: string | undefined; name: string },
): Promise<ServedFile> {
  const { db, signer, storage } = context
  const { companionKey, place, now } = request
  const link = readLink(folder, now)
  if (!companionKey || !link) throw new AppError('link_expired')
  if (!verifyLink(signer, link, versionId, companionKey)) throw new AppError('link_expired')
  const viewer = await findFileViewer(db, companionKey, now)
  if (!viewer) throw new AppError('link_expired')
  const item = await findFiles(db, audienceOf(viewer.person, place), versionId, now)
  if (!item) throw new AppError('media_not_found')
  // An AVIF has no address of its own: it comes in place of a picture that is served without a name on it.
  const variant = name.endsWith('.avif') ? undefined : item.variants.find((stored) => stored.name === name)
  if (!variant) throw new AppError('media_not_found')
  if (!item.viewable) throw new AppError('link_expired')
  const { mediaId, creator_id: creatorId, must_unlock: locked, orderedAt } = item
  if (locked && viewer.person && viewer.person.id !== creatorId)
    await noteDelivery(context, { userId: viewer.person.id, mediaId, ip: request.ip, orderedAt, now })
  const keyOf = (stored: StoredVariant) => `media/${item.storage_id}/${stored.name}`

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
    async stillAllowed(moment) {
      const holder = await findFileViewer(db, companionKey, moment)
      const files = holder && (await findFiles(db, audienceOf(holder.person, place), versionId, moment))
      return files?.viewable === true
    },
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
  return {
    mime,
    bytes: picture.length,
    cache: 'private',
    open: async (range) =>
      Readable.from([range ? picture.subarray(range.start, range.end + 1) : picture], { objectMode: false }),
  }
}

async function opened({ storage }: Context, key: string): Promise<Readable> {
  const body = await storage.read(key)
  if (!body) throw new AppError('media_not_found')
  return body
}

/** The files of a version, and what this person may see of them: the item's current one, or one that they bought. */
async function findFiles(db: Db, audience: Audience, versionId: string, now: Date) {
  const theirs =
    audience.id === null
      ? sql<boolean>`false`
      : sql<boolean>`(${released} and ${boughtVersion(audience.id, sql.ref<string>('version.id'))})`
  return db
    .selectFrom('media_versions as version')
    .innerJoin('media', 'media.id', 'version.media_id')
    .innerJoin('users as creator', 'creator.id', 'media.creator_id')
    .select(['version.storage_id', 'version.variants', watermarked(audience).as('watermarked')])
    .select(['media.id as mediaId', 'media.creator_id', 'media.must_unlock'])
    .select(
      sql<Date | null>`case when media.must_unlock then (
        select max(dated_at) from orders where buyer_id = ${audience.id}
      ) end`.as('orderedAt'),
    )
    .select(
      sql<boolean>`(
        (version.id = media.version_id and ${viewable(audience, now)}) or ${theirs} or ${isReported(audience)}
      )`.as('viewable'),
    )
    .where('version.id', '=', versionId)
    .executeTakeFirst()
}

/** Operators who see everything open what hangs on a conversation that one of its people reported, as it was sent. */
function isReported({ viewsAll }: Audience): RawBuilder<boolean> {
  if (!viewsAll) return sql<boolean>`false`
  return sql<boolean>`(${released} and exists (
    select from message_attachments as sent join messages on messages.id = sent.message_id
      join messages as reported on reported.conversation_id = messages.conversation_id
      join message_reports on message_reports.message_id = reported.id
    where sent.version_id = version.id offset 0
  ))`
}

/** The holder of this viewer cookie: a person with a live session, or a visitor. Null when the session has ended. */
async function findFileViewer(db: Db, companionKey: string | null, now: Date): Promise<FileViewer | null> {
  if (!companionKey?.startsWith('s.')) return VISITOR
  const person = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id', 'users.role', 'users.username', 'users.is_creator as isCreator'])
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
    .where(shown(audienceOf(viewer.person, place)))
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
