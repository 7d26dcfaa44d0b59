import { sql } from 'kysely'
import type { Tx } from '../../../db/client.ts'

/** Counts the documents that have each word, so that search knows common words from rare ones, and forgets the unused. */
export async function countWords(db: Tx): Promise<void> {
  await sql`
    with counted as materialized (
      select word collate "C" as word, ndoc
      from ts_stat('select document from media_search union all select document from creator_search')
      where length(word) <= 40
    ), forgotten as (
      delete from search_words where word not in (select word from counted)
    )
    insert into search_words (word, uses) select word, ndoc from counted order by word
    on conflict (word) do update set uses = excluded.uses where search_words.uses <> excluded.uses
  `.execute(db)
}
