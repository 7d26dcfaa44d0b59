import { sql } from 'kysely'
import type { Db, Tx } from '../db/client.ts'
import { StartError } from '../errors.ts'
import type { Services } from './services.ts'

/** How an installation starts: whether money is real, whether every service is a sandbox, and which forum there is. */
type Mode = { livemode: boolean; trial: boolean; forum: Services['forum'] }

/**
 * Says whether money is real in this database from now on, and which forum promotion is on; rows of money take it from
 * there. Throws a `StartError` when it holds what belongs to the other kind, so that what is of a sandbox and what is
 * real never meet, and when its clock was moved and it's no `trial`: beside a real service nothing happens before its
 * time.
 */
export async function enterMode(db: Db, { livemode, trial, forum }: Mode): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const before = await transaction
      .selectFrom('installation')
      .select(['livemode', 'sample_data_at', 'clock_offset_ms', 'forum'])
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (!trial && before.clock_offset_ms > 0) {
      throw new StartError(
        'The clock of this database was moved, which must never meet a real service: start with a new DATA_DIR or DATABASE_URL, or with no real service.',
      )
    }
    if (forum !== 'none' && forum !== before.forum) await enterForum(transaction, forum, before.forum)
    if (before.livemode === livemode) return
    const tried = livemode && before.sample_data_at !== null
    if (tried || (await holdsMoney(transaction, !livemode))) {
      throw new StartError(
        livemode
          ? 'This database was used with the sandbox: it holds sample accounts or sandbox money, which must never meet a real payment account: start with a new DATA_DIR or DATABASE_URL.'
          : 'This database holds real payments: set the AUTHORIZENET_* settings again, or try things on another DATA_DIR or DATABASE_URL.',
      )
    }
    await transaction.updateTable('installation').set({ livemode }).execute()
  })
}

/** Rows from before this was kept may be of either forum: those stay with the one that is there. */
async function enterForum(
  db: Tx,
  forum: 'real' | 'sandbox',
  before: 'real' | 'sandbox' | null,
): Promise<void> {
  if (before !== null && (await holdsForum(db))) {
    throw new StartError(
      forum === 'real'
        ? 'This database was used with the sandbox of the forum: its accounts, posts and subreddits are invented, and must never meet the real forum: delete them with `npm run admin -- clear-forum`, start with a new DATA_DIR or DATABASE_URL, or leave the REDDIT_* settings out.'
        : 'This database holds accounts, posts or subreddits of the real forum: set the REDDIT_* settings again, or try things on another DATA_DIR or DATABASE_URL.',
    )
  }
  await db.updateTable('installation').set({ forum }).execute()
}

/** Whether anything here was said by a forum, or is to be sent to it. */
async function holdsForum(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from forum_accounts) or exists (select from scheduled_posts)
      or exists (select from forum_closed_pairs) or exists (select from forum_revocations)
      or exists (select from subreddit_readings where read_at is not null) as found`.execute(db)
  return rows[0]?.found ?? false
}

/** Whether any table with a mode has a row of this one; a table that comes later is found by its column. */
async function holdsMoney(db: Db, livemode: boolean): Promise<boolean> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where column_name = 'livemode' and table_schema = current_schema() and table_name <> 'installation'`.execute(
    db,
  )
  for (const { name } of tables) {
    const { rows } = await sql<{ found: boolean }>`
      select exists (select from ${sql.id(name)} where livemode = ${livemode}) as found`.execute(db)
    if (rows[0]?.found) return true
  }
  return false
}
