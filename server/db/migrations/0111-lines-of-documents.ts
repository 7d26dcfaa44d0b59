import { type Kysely, sql } from 'kysely'

/** Finds the adjustments of a document with those of its further lines, as `WIRE-7/2` is one of `WIRE-7`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index adjustments_document on adjustments (regexp_replace(lower(reference), '/[0-9]+$', ''), livemode)
      where status = 'posted'`.execute(db)
}
