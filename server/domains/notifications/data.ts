import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { listAll } from './inbox/data.ts'
import { presentTold } from './inbox/present.ts'
import { HOUR_MS, type MailKind, type SentMail } from './rules.ts'

/** `hidden`: the account is suspended, or will be deleted. */
export type Recipient = { userId: string; address: string; confirmed: boolean; hidden: boolean }

/** The address of an account now, or null once it is being erased. */
export async function findOwner(db: Db, userId: string): Promise<Recipient | null> {
  const account = await db
    .selectFrom('users')
    .leftJoin('account_deletions', 'account_deletions.user_id', 'users.id')
    .select(['email', 'email_verified_at', 'hidden_at'])
    .where('users.id', '=', userId)
    .where('started_at', 'is', null)
    .executeTakeFirst()
  if (!account) return null
  const { email: address, email_verified_at, hidden_at } = account
  return { userId, address, confirmed: email_verified_at !== null, hidden: hidden_at !== null }
}

/** All that an account was told, as its own list has it (docs/product.md, Notifications). */
export async function collectTold(db: Db, userId: string): Promise<object[]> {
  const rows = await listAll(db, userId)
  return rows.map(({ created_at, read_at, ...row }) => ({ ...presentTold(row), created_at, read_at }))
}

/**
 * Emails to this address within the last hour, other deliveries only; locks the address until the transaction ends.
 */
export async function lockMailsTo(
  db: Db,
  { addressHash, deliveryId, now }: { addressHash: string; deliveryId: string; now: Date },
): Promise<SentMail[]> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${addressHash}, 0))`.execute(db)
  const rows = await db
    .selectFrom('mail_sends')
    .select(['kind', 'by_others', 'sent_at'])
    .where('address_hash', '=', addressHash)
    .where('sent_at', '>', new Date(now.getTime() - HOUR_MS))
    .where('delivery_id', '<>', deliveryId)
    .execute()
  return rows.map(({ kind, by_others, sent_at }) => ({
    kind: kind as MailKind,
    byOthers: by_others,
    sentAt: sent_at,
  }))
}
