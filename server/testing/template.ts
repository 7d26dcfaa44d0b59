import pg from 'pg'
import { createDb, createPool } from '../db/client.ts'
import { migrate } from '../db/migrate.ts'

export const TEMPLATE = 'fanfare_template'

/** Makes the migrated database that every test file's own is cloned from. */
export async function prepareTemplate(connectionString: string): Promise<void> {
  const admin = new pg.Client({ connectionString })
  await admin.connect()
  await admin.query(`drop database if exists ${TEMPLATE}`)
  await admin.query(`create database ${TEMPLATE}`)
  await admin.end()
  const url = databaseUrl(connectionString, TEMPLATE)
  const db = createDb(createPool(url, { max: 2, onError: () => {} }))
  await migrate(db, url)
  await db.destroy()
}

/** Clones the template under a fresh name; `drop` removes it. */
export async function cloneTemplate(
  connectionString: string,
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
  await asAdmin(connectionString, `create database ${name} template ${TEMPLATE} strategy file_copy`)
  return {
    url: databaseUrl(connectionString, name),
    drop: () => asAdmin(connectionString, `drop database if exists ${name} with (force)`),
  }
}

async function asAdmin(connectionString: string, statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString })
  await admin.connect()
  try {
    await admin.query(statement)
  } finally {
    await admin.end()
  }
}

function databaseUrl(connectionString: string, name: string): string {
  const url = new URL(connectionString)
  url.pathname = `/${name}`
  return url.href
}
