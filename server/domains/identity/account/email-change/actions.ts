import type { Tx } from '../../../../db/client.ts'
import { AppError, violates } from '../../../../errors.ts'
import { sendEmail } from '../../emails/actions.ts'
import type { EmailContext } from '../../emails/present.ts'
import { sendConfirmation } from '../confirmation/actions.ts'

/**
 * Moves an account to another address, which is unconfirmed until its link is opened. The address that it has already
 * changes nothing. Throws `email_taken`, decided by the unique key.
 */
export async function changeEmail(
  db: Tx,
  { userId, email, site, now }: { userId: string; email: string; site: EmailContext; now: Date },
): Promise<void> {
  const before = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (before.email === email) return
  try {
    await db.updateTable('users').set({ email, email_verified_at: null }).where('id', '=', userId).execute()
  } catch (error) {
    if (violates(error, 'users_email_key')) throw new AppError('email_taken')
    throw error
  }
  await announceMove(db, { userId, from: before.email, to: email, site, now })
}

/** After an account moved to another address: a link goes there and a notice to the old one, whose links end. */
export async function announceMove(
  db: Tx,
  {
    userId,
    from,
    to,
    site,
    now,
  }: { userId: string; from: string; to: string; site: EmailContext; now: Date },
): Promise<void> {
  await db.deleteFrom('email_confirmations').where('user_id', '=', userId).execute()
  await db.deleteFrom('password_resets').where('user_id', '=', userId).execute()
  await sendConfirmation(db, { userId, email: to, site, now })
  await sendEmail(db, {
    to: from,
    site,
    message: {
      subject: 'Your e-mail address was changed',
      paragraphs: [
        `The account of this address at ${site.brand} now uses another one. Nothing more will be sent here.`,
        'If that was not you, write to us at once.',
      ],
      action: { label: 'Contact us', path: '/contact' },
    },
  })
}
