import { randomBytes, randomUUID } from 'node:crypto'
import type { Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import { enqueue } from '../../../../jobs/enqueue.ts'
import { hashToken } from '../../data.ts'
import { confirmationExpiry } from '../../rules.ts'
import { confirmationMail, type Site } from './present.ts'

/**
 * Mails a new confirmation link, once the caller's transaction commits. Links sent before stay good until their own
 * end: mails overtake one another, and people open whichever they find.
 */
export async function sendConfirmation(
  db: Tx,
  { userId, email, site, now }: { userId: string; email: string; site: Site; now: Date },
): Promise<void> {
  const token = randomBytes(32).toString('base64url')
  await db
    .insertInto('email_confirmations')
    .values({
      token_hash: hashToken(token),
      user_id: userId,
      email,
      created_at: now,
      expires_at: confirmationExpiry(now),
    })
    .execute()
  const messageId = `<${randomUUID()}@${new URL(site.publicUrl).hostname}>`
  await enqueue(db, 'mail.send', { to: email, ...confirmationMail(site, email, token), messageId })
}

/**
 * Confirms the address that the link was mailed to, if it still is the account's; throws `confirmation_invalid`.
 * The first use spends the account's other links. The used one goes on answering yes until its end, and changes
 * nothing any more, because a page that confirms by itself may be loaded twice.
 */
export async function confirmEmail(
  db: Tx,
  { email, token, now }: { email: string; token: string; now: Date },
): Promise<void> {
  const tokenHash = hashToken(token)
  const account = await db
    .selectFrom('email_confirmations')
    .innerJoin('users', (join) =>
      join
        .onRef('users.id', '=', 'email_confirmations.user_id')
        .onRef('users.email', '=', 'email_confirmations.email'),
    )
    .select(['users.id', 'users.email_verified_at'])
    .where('email_confirmations.token_hash', '=', tokenHash)
    .where('email_confirmations.email', '=', email)
    .where('email_confirmations.expires_at', '>', now)
    .forUpdate('users')
    .executeTakeFirst()
  if (!account) throw new AppError('confirmation_invalid')
  if (account.email_verified_at) return
  await db.updateTable('users').set({ email_verified_at: now }).where('id', '=', account.id).execute()
  await db
    .deleteFrom('email_confirmations')
    .where('user_id', '=', account.id)
    .where('token_hash', '<>', tokenHash)
    .execute()
}
