import { sql } from 'kysely'
import { MAX_SUGGESTED_TAGS } from '../../../../contract/constants.ts'
import type { Db } from '../../../db/client.ts'

export type TagRow = { id: string; name: string }

/** Media tags, the most used first: by part of their name whatever its case, or of these ids only. */
export function listTags(
  db: Db,
  request: { search?: string | undefined; ids?: string[]; limit: number },
): Promise<TagRow[]> {
  const { search = '', ids = [], limit } = request
  const part = search.toLowerCase().replace(/[\\%_]/g, '\\$&')
  return db
    .selectFrom('tags')
    .select(['id', 'name'])
    .$if(ids.length > 0, (query) => query.where('id', '=', sql<string>`any(${ids}::uuid[])`))
    .$if(part !== '', (query) => query.where(sql`lower(name)`, 'like', `%${part}%`))
    .orderBy('uses', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** The tags that most items in discover carry (docs/product.md, Limits). */
export function listSuggestedTags(db: Db): Promise<TagRow[]> {
  return db
    .selectFrom('tags')
    .select(['id', 'name'])
    .where('uses', '>', 0)
    .orderBy('uses', 'desc')
    .orderBy('id')
    .limit(sql.lit(MAX_SUGGESTED_TAGS))
    .execute()
}
