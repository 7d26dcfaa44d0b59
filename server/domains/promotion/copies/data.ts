import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { released } from '../../media/data.ts'

const sources = (db: Db) =>
  db
    .selectFrom('forum_posts as post')
    .innerJoin('media', (join) =>
      join
        .onRef('media.id', '=', 'post.media_id')
        .onRef('media.creator_id', '=', 'post.user_id')
        .on('media.reddit_promotion', '=', true)
        .on('media.deleted_at', 'is', null)
        .on(released),
    )
    .innerJoin('media_versions as version', 'version.id', 'media.version_id')
    .select([
      'post.user_id',
      'media.type',
      'version.id as version_id',
      'version.storage_id',
      'version.variants',
    ])

/** The item that a person's post promotes; undefined if it promotes none. */
export function findSource(db: Db, { userId, postId }: { userId: string; postId: string }) {
  return sources(db).where('post.id', '=', postId).where('post.user_id', '=', userId).executeTakeFirst()
}
export type SourceRow = NonNullable<Awaited<ReturnType<typeof findSource>>>

/** The same for the person who is logged in with this session. */
export function findSourceOf(
  db: Db,
  { sessionId, postId, now }: { sessionId: string; postId: string; now: Date },
) {
  return sources(db)
    .innerJoin('sessions', 'sessions.user_id', 'post.user_id')
    .innerJoin('users', 'users.id', 'post.user_id')
    .where('post.id', '=', postId)
    .where('sessions.id', '=', sessionId)
    .where('sessions.expires_at', '>', now)
    .where('users.hidden_at', 'is', null)
    .executeTakeFirst()
}

/** The files of a version, while its item promotes. */
export function findVersion(db: Db, versionId: string) {
  return db
    .selectFrom('media_versions as version')
    .innerJoin('media', 'media.id', 'version.media_id')
    .select(['version.storage_id', 'version.variants', 'media.creator_id'])
    .where('version.id', '=', versionId)
    .where('media.type', '=', 'video')
    .where('media.reddit_promotion', '=', true)
    .where('media.deleted_at', 'is', null)
    .where(released)
    .executeTakeFirst()
}

/** How the job of a copy stands; undefined of none. `given up`: no attempt is left. */
export async function findCopyJob(
  db: Db,
  key: string,
): Promise<{ state: 'waiting' | 'running' | 'given up' } | undefined> {
  const { rows } = await sql<{ state: 'waiting' | 'running' | 'given up' }>`
    select case when locked_at is not null then 'running' when attempts < max_attempts then 'waiting' else 'given up' end as state
    from graphile_worker.jobs where key = ${key}`.execute(db)
  return rows[0]
}
