import { type Insertable, sql } from 'kysely'
import type { Tx } from '../../../db/client.ts'
import type { MediaTables } from '../../../db/tables/media.ts'

/** The source of a grant. One source grants once. */
export type Source = { kind: 'purchase' | 'subscription' | 'manual' | 'offer' | 'message'; id: string }

export type Grant = {
  userId: string
  source: Source
  /** These versions of these items for good, or whatever a plan holds at any time until `validUntil`. */
  gives: { media: { mediaId: string; versionId: string }[] } | { planId: string; validUntil: Date }
  now: Date
}

/**
 * Has what one person is given for good follow one another, so that each knows what the others gave. Before any row is
 * locked, as the other may need the same ones.
 */
export async function takeGrantTurn(db: Tx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('grants ' || ${userId}, 0))`.execute(db)
}

/** Unlocks what was paid for or given. The same source grants once; a subscription's next period makes it last longer. */
export async function grant(db: Tx, { userId, source, gives, now }: Grant): Promise<void> {
  const plan = 'planId' in gives ? gives : null
  const [granted] = await insertGrants(db, [
    {
      user_id: userId,
      source_kind: source.kind,
      source_id: source.id,
      plan_id: plan?.planId ?? null,
      valid_until: plan?.validUntil ?? null,
      granted_at: now,
    },
  ])
  if (!granted || 'planId' in gives || gives.media.length === 0) return
  await insertMedia(db, { id: granted.id, userId, media: gives.media, now })
}

/** Gives what plans hold at any time until then, each by its subscription, as `grant` does. */
export async function grantPlans(
  db: Tx,
  plans: { userId: string; subscriptionId: string; planId: string; validUntil: Date }[],
  now: Date,
): Promise<void> {
  await insertGrants(
    db,
    plans.map(({ userId, subscriptionId, planId, validUntil }) => ({
      user_id: userId,
      source_kind: 'subscription' as const,
      source_id: subscriptionId,
      plan_id: planId,
      valid_until: validUntil,
      granted_at: now,
    })),
  )
}

function insertGrants(db: Tx, rows: Insertable<MediaTables['entitlements']>[]): Promise<{ id: string }[]> {
  return db
    .insertInto('entitlements')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .constraint('entitlements_source')
        .doUpdateSet({
          valid_until: sql<Date>`greatest(entitlements.valid_until, excluded.valid_until)`,
        })
        .where('entitlements.plan_id', 'is not', null),
    )
    .returning('id')
    .execute()
}

async function insertMedia(
  db: Tx,
  {
    id,
    userId,
    media,
    now,
  }: { id: string; userId: string; media: { mediaId: string; versionId: string }[]; now: Date },
): Promise<void> {
  await db
    .insertInto('entitlement_media')
    .values(
      media.map(({ mediaId, versionId }) => ({
        user_id: userId,
        media_id: mediaId,
        version_id: versionId,
        entitlement_id: id,
        granted_at: now,
      })),
    )
    .execute()
}

/** Adds items to what this source granted and is still granted; throws when it is not. */
export async function addToGrant(
  db: Tx,
  source: Source,
  media: { mediaId: string; versionId: string }[],
  now: Date,
): Promise<void> {
  const { id, user_id } = await db
    .selectFrom('entitlements')
    .select(['id', 'user_id'])
    .where('source_kind', '=', source.kind)
    .where('source_id', '=', source.id)
    .where('revoked_at', 'is', null)
    .forUpdate()
    .executeTakeFirstOrThrow()
  await insertMedia(db, { id, userId: user_id, media, now })
}

/** Gives each person the same versions for good, each from a message of their own. */
export async function grantSent(
  db: Tx,
  messages: { id: string; recipientId: string }[],
  media: { mediaId: string; versionId: string }[],
  now: Date,
): Promise<void> {
  if (messages.length === 0 || media.length === 0) return
  await sql`
    with granted as (
      insert into entitlements (user_id, source_kind, source_id, granted_at)
      select user_id, 'message', id, ${now}
      from unnest(${messages.map(({ recipientId }) => recipientId)}::uuid[], ${messages.map(({ id }) => id)}::uuid[])
        as message (user_id, id)
      returning id, user_id
    )
    insert into entitlement_media (user_id, media_id, version_id, entitlement_id, granted_at)
    select user_id, media_id, version_id, granted.id, ${now}
    from granted cross join unnest(${media.map(({ mediaId }) => mediaId)}::uuid[],
      ${media.map(({ versionId }) => versionId)}::uuid[]) as sent (media_id, version_id)`.execute(db)
}

/** Takes back what these sources granted, and nothing that others did. */
export async function revoke(db: Tx, kind: Source['kind'], sourceIds: string[], now: Date): Promise<void> {
  if (sourceIds.length === 0) return
  await db
    .updateTable('entitlements')
    .set({ revoked_at: now })
    .where('source_kind', '=', kind)
    .where('source_id', '=', sql<string>`any(${sourceIds}::uuid[])`)
    .where('revoked_at', 'is', null)
    .execute()
}

/** Keeps what was just taken back from this source, so that `endRestorable` can give it again. */
export async function keepRestorable(db: Tx, source: Source, now: Date): Promise<void> {
  await db
    .updateTable('entitlements')
    .set({ restorable: true })
    .where('source_kind', '=', source.kind)
    .where('source_id', '=', source.id)
    .where('revoked_at', '=', now)
    .execute()
}

/** Gives again what was kept for that at this moment, of a subscription until this time at most; or gives it up. */
export async function endRestorable(
  db: Tx,
  source: Source,
  keptAt: Date,
  outcome: { restoredUntil: Date | null } | 'give up',
): Promise<void> {
  const restored = outcome !== 'give up' && {
    revoked_at: null,
    ...(outcome.restoredUntil && { valid_until: sql<Date>`least(valid_until, ${outcome.restoredUntil})` }),
  }
  await db
    .updateTable('entitlements')
    .set({ restorable: false, ...restored })
    .where('source_kind', '=', source.kind)
    .where('source_id', '=', source.id)
    .where('restorable', '=', true)
    .where('revoked_at', '=', keptAt)
    .execute()
}
