import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { isDiscount, type OfferType, offeredKind } from '../../contract/offers.ts'
import type { Role } from '../../contract/permissions.ts'
import type { StoredVariant } from '../db/tables/media.ts'
import { saveBankDetails } from '../domains/commerce/bank-details/actions.ts'
import type { Harness } from './harness.ts'

export type Person = { id: string; username: string; email: string; token: string }

/** Well-formed, but of no password: these people log in by their session only. */
const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$bm8gcGFzc3dvcmQgaGVyZQ$aXMgdGhlIG9uZSB0aGF0IGhhcyB0aGlzIGFzIGhhc2g'
const DAY_MS = 24 * 3600 * 1000
const unique = () => randomBytes(5).toString('hex')

/** A logged-in person with a confirmed email, unless told otherwise. */
export async function buildUser(
  harness: Harness,
  options: {
    isCreator?: boolean
    role?: Role
    verified?: boolean
    username?: string
    email?: string
    /** That everybody finds them, who create nothing. */
    discoverable?: boolean
  } = {},
): Promise<Person> {
  const { db, clock } = harness.context
  const now = clock.now()
  const username = options.username ?? `user_${unique()}`
  const email = options.email ?? `${username.toLowerCase()}@example.test`
  const { id } = await db
    .insertInto('users')
    .values({
      email,
      username,
      first_name: 'Test',
      reddit_username: username,
      password_hash: DUMMY_HASH,
      is_creator: options.isCreator ?? false,
      role: options.role ?? null,
      discoverable: options.discoverable ?? false,
      email_verified_at: (options.verified ?? true) ? now : null,
      referral_code: unique(),
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, username, email, token: await buildSession(harness, id) }
}

export const buildFan = (harness: Harness, options: { username?: string; discoverable?: boolean } = {}) =>
  buildUser(harness, options)
export const buildCreator = (harness: Harness, options: { username?: string } = {}) =>
  buildUser(harness, { ...options, isCreator: true })

/** A further session of a person, not re-authenticated lately unless told otherwise; returns its token. */
export async function buildSession(
  harness: Harness,
  userId: string,
  options: { reauthenticatedAt?: Date } = {},
): Promise<string> {
  const { db, clock } = harness.context
  const now = clock.now()
  const token = randomBytes(32).toString('base64url')
  await db
    .insertInto('sessions')
    .values({
      user_id: userId,
      token_hash: createHash('sha256').update(token).digest(),
      created_at: now,
      last_seen_at: now,
      expires_at: new Date(now.getTime() + 30 * DAY_MS),
      reauthenticated_at: options.reauthenticatedAt ?? null,
    })
    .execute()
  return token
}

/** Where a person is paid, entered so long ago that payouts go there. */
export async function buildBankDetails(
  { context: { db, vault, clock } }: Harness,
  userId: string,
  daysAgo = 30,
): Promise<void> {
  const details = { accountHolder: 'Test Person', country: 'US', ...US_ACCOUNT }
  const now = new Date(clock.now().getTime() - daysAgo * DAY_MS)
  await db.transaction().execute((tx) => saveBankDetails(tx, vault, { userId, ...details, now }))
}

export const US_ACCOUNT = { routingNumber: '021000021', accountNumber: '000123456789' }

/** A finished media item with tiny stored bytes behind every variant. Locked and shown nowhere, unless told otherwise. */
export async function buildMedia(
  harness: Harness,
  creator: { id: string },
  options: {
    type?: 'image' | 'video'
    title?: string
    priceCents?: number
    showInSearch?: boolean
    mustUnlock?: boolean
    showInStore?: boolean
    directOnly?: boolean
    redditPromotion?: boolean
    /** False as of a new upload: only its creator knows of it. */
    published?: boolean
  } = {},
): Promise<string> {
  const { db, clock, storage } = harness.context
  const type = options.type ?? 'image'
  const names = type === 'image' ? ['w320.webp', 'w640.webp'] : ['video.mp4', 'poster-w640.webp']
  const bytes = Buffer.from(`bytes of a test item ${unique()}`)
  const variants: StoredVariant[] = names.map((name) => ({
    name,
    mime: name.endsWith('.mp4') ? 'video/mp4' : 'image/webp',
    width: name === 'w320.webp' ? 320 : 640,
    height: name === 'w320.webp' ? 240 : 480,
    bytes: bytes.length,
  }))
  const { id } = await db
    .insertInto('media')
    .values({
      creator_id: creator.id,
      type,
      title: options.title ?? 'A test item',
      price_cents: options.priceCents ?? 400,
      duration_seconds: type === 'video' ? 65 : null,
      width: 640,
      height: 480,
      thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
      variants: JSON.stringify(variants),
      bytes: bytes.length * variants.length,
      show_in_search: options.showInSearch ?? false,
      must_unlock: options.mustUnlock ?? !(options.directOnly || options.redditPromotion),
      show_in_store: options.showInStore ?? false,
      direct_only: options.directOnly ?? false,
      reddit_promotion: options.redditPromotion ?? false,
      published: options.published ?? true,
      created_at: clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const { name } of variants)
    await storage.put(`media/${id}/${name}`, Readable.from([bytes]), { maxBytes: 1024 })
  return id
}

export async function buildPlan(
  harness: Harness,
  creator: { id: string },
  options: { title?: string; priceCents?: number; mediaIds?: string[] } = {},
): Promise<string> {
  const { db, clock } = harness.context
  const { id } = await db
    .insertInto('subscription_plans')
    .values({
      creator_id: creator.id,
      title: options.title ?? 'A subscription',
      price_cents: options.priceCents ?? 999,
      created_at: clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const media = (options.mediaIds ?? []).map((media_id, position) => ({ plan_id: id, media_id, position }))
  if (media.length) await db.insertInto('subscription_plan_media').values(media).execute()
  return id
}

export async function buildBundle(
  harness: Harness,
  creator: { id: string },
  options: { title?: string; priceCents?: number; lessOwned?: boolean; mediaIds?: string[] } = {},
): Promise<string> {
  const { db, clock } = harness.context
  const { id } = await db
    .insertInto('bundles')
    .values({
      creator_id: creator.id,
      title: options.title ?? 'A bundle',
      price_cents: options.priceCents ?? 1500,
      less_owned: options.lessOwned ?? false,
      created_at: clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const media = (options.mediaIds ?? []).map((media_id, position) => ({ bundle_id: id, media_id, position }))
  if (media.length) await db.insertInto('bundle_media').values(media).execute()
  return id
}

/** An offer of this type, for everyone unless told otherwise, with something new to give; a discount costs $2.50. */
export async function buildOffer(
  harness: Harness,
  creator: { id: string },
  options: {
    type: OfferType
    /** The subscription or bundle that it is of. */
    itemId?: string
    mediaIds?: string[]
    days?: number
    priceCents?: number
    recipients?: Person[]
    allowed?: number
    expiresAt?: Date
    title?: string
  },
): Promise<string> {
  const { db, clock } = harness.context
  const { type, recipients = [] } = options
  const kind = offeredKind(type)
  // Singles of their own cost more than the offer.
  const priced = options.priceCents === undefined ? {} : { priceCents: options.priceCents }
  const mediaIds = options.mediaIds ?? [
    await buildMedia(harness, creator, priced),
    await buildMedia(harness, creator, priced),
  ]
  const title = options.title ? { title: options.title } : {}
  const planId =
    kind === 'subscription'
      ? (options.itemId ?? (await buildPlan(harness, creator, { mediaIds, ...title })))
      : null
  const bundleId =
    kind === 'bundle'
      ? (options.itemId ?? (await buildBundle(harness, creator, { mediaIds, ...title })))
      : null
  const { id } = await db
    .insertInto('offers')
    .values({
      creator_id: creator.id,
      type,
      plan_id: planId,
      subscription_days: planId === null ? null : (options.days ?? 7),
      bundle_id: bundleId,
      price_cents: isDiscount(type) ? (options.priceCents ?? 250) : null,
      available_to_all: recipients.length === 0,
      redemptions_allowed: options.allowed ?? 0,
      expires_at: options.expiresAt ?? null,
      created_at: clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const people = recipients.map((person) => ({ offer_id: id, user_id: person.id }))
  if (people.length > 0) await db.insertInto('offer_recipients').values(people).execute()
  const held = mediaIds.map((media_id, position) => ({ offer_id: id, media_id, position }))
  if (kind === 'singles') await db.insertInto('offer_media').values(held).execute()
  return id
}
