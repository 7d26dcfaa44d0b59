import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/client.ts'
import { enqueue } from '../../../../jobs/enqueue.ts'
import { fansOf } from '../../../profiles/data.ts'
import { listMisplaced, type Misplaced } from './data.ts'

/** Creators whose fans and items one job counts. */
const CREATORS_AT_ONCE = 200
/** Items changed in one transaction: other writers wait no longer than that takes. */
const ITEMS_AT_ONCE = 100
/** Items of the creators at hand that are kept in memory. */
const MOST_READ = 10_000

/**
 * Counts the fans of the next creators, and from them how popular each of their items in discover is
 * (docs/decisions/033-popular.md); sends a job for those behind them. What ends in between goes on from there.
 */
export async function countPopularity(db: Db): Promise<void> {
  const creators = await nextCreators(db)
  if (creators.length > 0) {
    await db.transaction().execute((tx) => countFans(tx, creators))
    await placeItems(db, creators)
  }
  const last = creators.length < CREATORS_AT_ONCE ? null : (creators.at(-1) ?? null)
  await db.transaction().execute(async (tx) => {
    await tx.updateTable('popularity_run').set({ counted_to: last }).execute()
    if (last) await enqueue(tx, 'popularity.count', {})
  })
}

async function nextCreators(db: Db): Promise<string[]> {
  const { counted_to } = await db.selectFrom('popularity_run').select('counted_to').executeTakeFirstOrThrow()
  let next = db.selectFrom('creator_popularity').select('creator_id')
  if (counted_to !== null) next = next.where('creator_id', '>', counted_to)
  const rows = await next.orderBy('creator_id').limit(CREATORS_AT_ONCE).execute()
  return rows.map(({ creator_id }) => creator_id)
}

async function countFans(tx: Tx, creators: string[]): Promise<void> {
  // One creator with very many fans must not keep the count from all behind them; nothing is locked while it reads.
  await sql`set local statement_timeout = '10min'`.execute(tx)
  await sql`
    with counted as (
      select creator_id, (
        select count(*) from (select distinct id from ${fansOf(sql`creator.creator_id`)} as each) as fan
      )::integer as fans
      from unnest(${creators}::uuid[]) as creator (creator_id)
    )
    update creator_popularity set fans = counted.fans from counted
    where counted.creator_id = creator_popularity.creator_id and counted.fans <> creator_popularity.fans
  `.execute(tx)
}

/** Gives the items of these creators the places that they should have, a few in each transaction. */
async function placeItems(db: Db, creators: string[]): Promise<void> {
  let [found, changed] = [MOST_READ, 1]
  while (found === MOST_READ && changed > 0) {
    const misplaced = await listMisplaced(db, creators, MOST_READ)
    found = misplaced.length
    changed = 0
    for (let at = 0; at < found; at += ITEMS_AT_ONCE)
      changed += await db.transaction().execute((tx) => place(tx, misplaced.slice(at, at + ITEMS_AT_ONCE)))
  }
}

/** Leaves out what somebody is editing: nobody waits for a person, who may take their time. */
async function place(tx: Tx, items: Misplaced[]): Promise<number> {
  await sql`set local lock_timeout = '1s'`.execute(tx)
  const { numAffectedRows = 0n } = await sql`
    with free as (
      select media.id, should.popularity
      from media join unnest(${items.map(({ id }) => id)}::uuid[], ${items.map(({ popularity }) => popularity)}::numeric[])
        as should (id, popularity) using (id)
      for no key update of media skip locked
    )
    update media set popularity = free.popularity from free where free.id = media.id
  `.execute(tx)
  return Number(numAffectedRows)
}
