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

/** Makes a role that owns nothing, with the address of this database as it; `drop` comes after the database's own. */
export async function createRole(database: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `role_${crypto.randomUUID().replaceAll('-', '')}`
  const postgres = databaseUrl(database, 'postgres')
  await asAdmin(postgres, `create role ${name} login password '${name}'`)
  const url = new URL(database)
  url.username = name
  url.password = name
  return { url: url.href, drop: () => asAdmin(postgres, `drop role ${name}`) }
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
