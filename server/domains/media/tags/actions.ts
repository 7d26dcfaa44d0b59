import { sql } from 'kysely'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { enqueue } from '../../../jobs/enqueue.ts'
import { tagName } from '../rules.ts'
import type { TagRow } from './data.ts'

/** How long changes are gathered before they are counted. */
const COUNT_DELAY_MS = 30_000

/**
 * Adds a media tag, or returns the one that has this name already, whatever its case (docs/product.md, Media); the unique key
 * decides between two at once. Throws `invalid_input` for a name that nobody could read.
 */
export async function addTag(db: Tx, tag: { name: string; createdBy: string; now: Date }): Promise<TagRow> {
  const name = tagName(tag.name)
  if (name === null) throw new AppError('invalid_input', { details: { name: 'Enter a tag name.' } })
  const added = await db
    .insertInto('tags')
    .values({ name, created_by: tag.createdBy, created_at: tag.now })
    .onConflict((conflict) => conflict.expression(sql`lower(name)`).doNothing())
    .returning(['id', 'name'])
    .executeTakeFirst()
  if (added) return added
  return db
    .selectFrom('tags')
    .select(['id', 'name'])
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .executeTakeFirstOrThrow()
}

/** Has the uses of tags counted soon; to be said after a change of items' tags or of what discover shows. */
export function enqueueTagCount(db: Tx, now: Date): Promise<void> {
  return enqueue(db, 'tags.count', {}, { runAt: new Date(now.getTime() + COUNT_DELAY_MS) })
}

/** Counts how many items of discover carry each tag, in one pass over their index. */
export async function countTags(db: Tx): Promise<void> {
  await sql`
    update tags set uses = counted.uses
    from (
      select tags.id, coalesce(carried.uses, 0) as uses
      from tags left join (
        select tag_id, count(*) as uses from media_tags where discoverable group by tag_id
      ) carried on carried.tag_id = tags.id
    ) counted
    where counted.id = tags.id and counted.uses <> tags.uses
  `.execute(db)
}
