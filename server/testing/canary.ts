import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Harness } from './harness.ts'

/** A word that people of a test leave behind, by which it is found wherever something of theirs is left. */
export const CANARY = 'canary7315604'

/** Every row of every table as text, by table; bytes count as the text that they may hold. */
export async function dump({ context }: Harness): Promise<Map<string, string>> {
  const { db } = context
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select schemaname as schema, tablename as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(db)
  if (tables.length <= 30) throw new Error(`only ${tables.length} tables are looked through`)
  const dumped = new Map<string, string>()
  for (const { schema, name } of tables) {
    const { rows } = await sql<{ row: string }>`
      select t::text as row from ${sql.id(schema, name)} t`.execute(db)
    dumped.set(
      name,
      rows
        .map(({ row }) => row)
        .join('\n')
        .toLowerCase(),
    )
  }
  return dumped
}

const hex = Buffer.from(CANARY).toString('hex')
const holds = (text: string) => text.includes(CANARY) || text.includes(hex)

/** The tables and files in which the canary still lives. */
export async function sightings(harness: Harness): Promise<string[]> {
  const tables = [...(await dump(harness))].filter(([, text]) => holds(text)).map(([name]) => name)
  const root = join(harness.context.config.DATA_DIR, 'media')
  const files: string[] = []
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    if ((await readFile(path)).includes(CANARY)) files.push(path.slice(root.length + 1).split('/')[0] ?? '')
  }
  return [...new Set([...tables, ...files.map((folder) => `${folder}/`)])].sort()
}
