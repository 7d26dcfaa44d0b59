import { type Kysely, sql } from 'kysely'
import { RESTRICTED_REGIONS } from '../../../contract/regions.ts'

/** Seeds the operator's editable list (docs/product.md, Regions and age). */
export async function up(db: Kysely<unknown>): Promise<void> {
  const rows = RESTRICTED_REGIONS.map(({ code, name }) => sql`('US', ${name}, ${code})`)
  await sql`insert into restricted_regions (country, name, code) values ${sql.join(rows)}`.execute(db)
}
