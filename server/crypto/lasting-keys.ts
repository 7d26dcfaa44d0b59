import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../db/client.ts'
import { StartError } from '../errors.ts'
import { createKeyring, type Keyring } from './keyring.ts'
import { createSigner, type Signer } from './signer.ts'
import type { Vault } from './vault.ts'

/** Hashes what is stored for good: the same text has the same hash after any rotation of the installation's secret. */
export type LastingHash = (text: string) => string

const PURPOSE = 'lasting key'
const RECOVERY_CODES = 'recovery codes'
const SIGNATURES = 'signatures'
const KEY_BYTES = 32

/**
 * The hash of recovery codes. Its key is random, made at the first start and stored sealed: without the code a hash
 * can't be made again, so a rotation seals this key again. Throws a `StartError` when no listed secret opens it.
 */
export async function recoveryCodeHash(db: Db, vault: Vault, keyring: Keyring): Promise<LastingHash> {
  const key = await lastingKey(db, vault, { name: RECOVERY_CODES, first: await firstKey(db, keyring) })
  return (text) => createHmac('sha256', key).update(text).digest('base64url')
}

/**
 * Signs what people keep longer than a secret is listed, such as links in mails and cookies; also reads what the
 * installation's secrets have signed. Throws a `StartError` as above.
 */
export async function lastingSigner(db: Db, vault: Vault, keyring: Keyring): Promise<Signer> {
  const first = randomBytes(KEY_BYTES).toString('base64url')
  const { current } = createKeyring(await lastingKey(db, vault, { name: SIGNATURES, first }))
  return createSigner({ current, all: [current, ...keyring.all] })
}

/** A key that stays as it was at the first start, whatever `first` is later. Throws a `StartError` as above. */
export async function lastingKey(
  db: Db,
  vault: Vault,
  { name, first }: { name: string; first: string },
): Promise<string> {
  const sealed_key = vault.seal(PURPOSE, name, first)
  await db.transaction().execute((tx) =>
    tx
      .insertInto('lasting_keys')
      .values({ name, sealed_key })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute(),
  )
  const stored = await db
    .selectFrom('lasting_keys')
    .select('sealed_key')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return openStored(vault, name, stored.sealed_key)
}

/** Codes that are older than this table were hashed with a key derived from the secret, and must stay good. */
async function firstKey(db: Db, { current }: Keyring): Promise<string> {
  const { rows } = await sql<{ some: boolean }>`select exists (select from recovery_codes) as some`.execute(
    db,
  )
  if (!rows[0]?.some) return randomBytes(KEY_BYTES).toString('base64url')
  return Buffer.from(hkdfSync('sha256', current.secret, 'fanfare', 'recovery code', KEY_BYTES)).toString(
    'base64url',
  )
}

function openStored(vault: Vault, name: string, sealed: Buffer): string {
  try {
    return vault.open(PURPOSE, name, sealed)
  } catch {
    throw new StartError(
      'SECRET_KEY is not the one that this database was written with: list the old one in SECRET_KEY_PREVIOUS, and run `npm run admin -- rotate-keys` before you take it out.',
    )
  }
}

/** Seals every lasting key with the newest secret; answers how many were sealed with another one. */
export async function resealLastingKeys(db: Tx, vault: Vault): Promise<number> {
  const rows = await db.selectFrom('lasting_keys').selectAll().forUpdate().execute()
  const old = rows.filter(({ sealed_key }) => !vault.isCurrent(sealed_key))
  for (const { name, sealed_key } of old) {
    await db
      .updateTable('lasting_keys')
      .set({ sealed_key: vault.seal(PURPOSE, name, openStored(vault, name, sealed_key)) })
      .where('name', '=', name)
      .execute()
  }
  return old.length
}
