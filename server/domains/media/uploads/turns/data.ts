import { sql } from 'kysely'
import type { Db } from '../../../../db/client.ts'
import { USUAL_SECONDS } from './rules.ts'

/** The last turn that a person has among the pictures or the videos that wait, and the first that anybody has. */
export async function findTurns(
  db: Db,
  ownerId: string,
  moving: boolean,
): Promise<{ own: number | null; first: number | null }> {
  return db
    .selectFrom('uploads')
    .select([
      sql<number | null>`max(turn) filter (where owner_id = ${ownerId})`.as('own'),
      sql<number | null>`min(turn)`.as('first'),
    ])
    .where('status', '=', 'processing')
    .where('moving', '=', moving)
    .executeTakeFirstOrThrow()
}

/** The pictures or videos that may be prepared now, those whose turn it is first; some may be at work elsewhere. */
export async function listNext(db: Db, moving: boolean, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('uploads')
    .select('id')
    .where('status', '=', 'processing')
    .where('moving', '=', moving)
    .where((eb) => eb.or([eb('not_before', 'is', null), eb('not_before', '<=', now)]))
    .orderBy('turn')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export type Place = { uploadId: string; place: number; seconds: number }

/**
 * The places of a person's waiting uploads, 1 for the one that is next, and in about how many seconds each is done, by
 * how long the last 20 pictures and the last 20 videos took.
 */
export async function listPlaces(db: Db, ownerId: string): Promise<Place[]> {
  const { rows } = await sql<Place>`
    with recent as (
      select line.moving, extract(epoch from finished_at - started_at) as seconds, coalesce(bytes, 0) as bytes
      from (values (false), (true)) as line (moving), lateral (
        select finished_at, started_at, bytes from uploads
        where uploads.moving = line.moving and finished_at is not null
        order by finished_at desc limit 20
      ) as newest
    ), pace as (
      select
        coalesce(avg(seconds) filter (where not moving), ${USUAL_SECONDS.picture}) as picture,
        coalesce(
          sum(seconds) filter (where moving) / nullif(sum(bytes) filter (where moving), 0),
          ${USUAL_SECONDS.videoMegabyte} / 1e6
        ) as video_byte
      from recent
    ), waiting as (
      select id, owner_id,
        case when moving then coalesce(bytes, reserved_bytes, 0) * video_byte else picture end as cost,
        progress, moving, started_at is not null as started, turn
      from uploads, pace where status = 'processing'
    ), placed as (
      select id, owner_id, started,
        row_number() over line as place,
        sum(cost * (100 - case when started then progress else 0 end) / 100) over line as seconds
      from waiting
      window line as (partition by moving order by started desc, turn, id)
    )
    select id as "uploadId", place::int, ceil(seconds)::int as seconds
    from placed where owner_id = ${ownerId} and not started
  `.execute(db)
  return rows
}
