import { sql } from 'kysely'
import type { Db } from '../../../../db/client.ts'
import { type Line, USUAL_SECONDS } from './rules.ts'

/** The last turn that a person has in a line, and the first that anybody has. */
export async function findTurns(
  db: Db,
  ownerId: string,
  line: Line,
): Promise<{ own: number | null; first: number | null }> {
  return db
    .selectFrom('uploads')
    .select([
      sql<number | null>`max(turn) filter (where owner_id = ${ownerId})`.as('own'),
      sql<number | null>`min(turn)`.as('first'),
    ])
    .where('status', '=', 'processing')
    .where('line', '=', line)
    .executeTakeFirstOrThrow()
}

/** The uploads of a line that may be prepared now, those whose turn it is first; some may be at work elsewhere. */
export async function listNext(db: Db, line: Line, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('uploads')
    .select('id')
    .where('status', '=', 'processing')
    .where('line', '=', line)
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
 * how long the last 20 of each line took. One that waits for its next attempt stands behind all that may begin now.
 */
export async function listPlaces(db: Db, ownerId: string, now: Date): Promise<Place[]> {
  const { rows } = await sql<Place>`
    with recent as (
      select lines.line, extract(epoch from finished_at - started_at) as seconds, coalesce(bytes, 0) as bytes
      from (values ('picture'), ('short_video'), ('long_video')) as lines (line), lateral (
        select finished_at, started_at, bytes from uploads
        where uploads.line = lines.line and finished_at is not null
        order by finished_at desc limit 20
      ) as newest
    ), pace as (
      select
        coalesce(avg(seconds) filter (where line = 'picture'), ${USUAL_SECONDS.picture}) as picture,
        coalesce(
          sum(seconds) filter (where line <> 'picture') / nullif(sum(bytes) filter (where line <> 'picture'), 0),
          ${USUAL_SECONDS.videoMegabyte} / 1e6
        ) as video_byte
      from recent
    ), waiting as (
      select id, owner_id,
        case when line = 'picture' then picture else coalesce(bytes, reserved_bytes, 0) * video_byte end as cost,
        progress, line, started_at is not null as started, turn,
        greatest(0, coalesce(extract(epoch from not_before - ${now}::timestamptz), 0)) as pause
      from uploads, pace where status = 'processing'
    ), placed as (
      select id, owner_id, started,
        row_number() over in_line as place,
        greatest(
          sum(cost * (100 - case when started then progress else 0 end) / 100) over in_line, pause + cost
        ) as seconds
      from waiting
      window in_line as (partition by line order by started desc, pause, turn, id)
    )
    select id as "uploadId", place::int, ceil(seconds)::int as seconds
    from placed where owner_id = ${ownerId} and not started
  `.execute(db)
  return rows
}
