import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import type { PagePreview, ServedFile } from '../../../handler.ts'
import { audienceOf } from '../../../viewer.ts'
import { isPublic } from '../../profiles/data.ts'
import { released, viewable } from '../data.ts'
import { presentMediaPreview, presentOfferPreview, presentProfilePreview } from './present.ts'
import { sharedPage } from './rules.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const PREVIEW_WIDTH = 640

/** The audience of a preview: no account and no place. */
const anybody = audienceOf(null, { country: null, region: null })

/** Other sites cache a preview and show it anywhere, so a creator who hides from any place has none. */
const keepsNobodyOut = sql<boolean>`not exists (select from geo_blocks where creator_id = creator.id offset 0)`

/** The preview of a shared link to this page, or null when nothing on it is public. */
export async function findPreview(context: Context, path: string, now: Date): Promise<PagePreview | null> {
  const page = sharedPage(path)
  if (!page) return null
  const brand = context.config.BRAND_NAME
  if (page.kind === 'media') {
    const item = await findItem(context.db, page.mediaId, now)
    return item && presentMediaPreview(item, brand)
  }
  const person = await findPerson(context.db, page.username)
  if (!person) return null
  return page.kind === 'offer' ? presentOfferPreview(person, path) : presentProfilePreview(person, brand)
}

/**
 * The picture of an item that is free, shown in search and public for everybody, for a preview: the one media address
 * without a signature. Throws `media_not_found` for all others.
 */
export async function openPreview(context: Context, mediaId: string, now: Date): Promise<ServedFile> {
  const item = UUID.test(mediaId) ? await findItem(context.db, mediaId, now) : null
  const variant = item?.variants
    .filter(({ mime, width }) => mime === 'image/webp' && width <= PREVIEW_WIDTH)
    .sort((one, other) => other.width - one.width)[0]
  if (!item?.open || !variant) throw new AppError('media_not_found')
  return {
    mime: variant.mime,
    bytes: variant.bytes,
    cache: 'private',
    open: (range) => context.storage.read(`media/${item.storage_id}/${variant.name}`, range),
  }
}

/** An item that everybody may know of; `open` when everybody may see it too. */
async function findItem(db: Db, mediaId: string, now: Date) {
  const row = await db
    .selectFrom('media')
    .innerJoin('users as creator', 'creator.id', 'media.creator_id')
    .select([
      'media.id',
      'media.storage_id',
      'media.title',
      'media.type',
      'media.variants',
      'creator.username',
    ])
    .select(sql<boolean>`(media.show_in_search and ${viewable(anybody, now)})`.as('open'))
    .where('media.id', '=', mediaId)
    .where('media.deleted_at', 'is', null)
    .where(released)
    .where((eb) => eb.and([eb.not('media.direct_only'), eb('media.published', '=', true)]))
    .where('creator.hidden_at', 'is', null)
    .where(keepsNobodyOut)
    .executeTakeFirst()
  return row ?? null
}

async function findPerson(db: Db, username: string) {
  const row = await db
    .selectFrom('users as creator')
    .leftJoin('profiles', 'profiles.user_id', 'creator.id')
    .select([
      'creator.id',
      'username',
      'first_name',
      'is_creator',
      'bio',
      'profile_image',
      'profile_hero_image',
    ])
    .where(sql`lower(username)`, '=', username.toLowerCase())
    .where('hidden_at', 'is', null)
    .where(isPublic('creator'))
    .where(keepsNobodyOut)
    .executeTakeFirst()
  return row ?? null
}
