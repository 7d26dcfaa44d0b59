import { randomUUID } from 'node:crypto'
import type { Config } from '../../../config.ts'
import type { Tx } from '../../../db/client.ts'
import { enqueue } from '../../../jobs/enqueue.ts'
import { type EmailContent, type EmailContext, renderEmail } from './present.ts'

/** The site as its mails name it. */
export function emailContext({ config, publicUrl }: { config: Config; publicUrl: string }): EmailContext {
  return { brand: config.BRAND_NAME, publicUrl, contact: config.OPERATOR_EMAIL }
}

/** Emails a message to an address once the caller's transaction commits. */
export async function sendEmail(
  db: Tx,
  { to, site, message }: { to: string; site: EmailContext; message: EmailContent },
): Promise<void> {
  const messageId = `<${randomUUID()}@${new URL(site.publicUrl).hostname}>`
  await enqueue(db, 'mail.send', { to, ...renderEmail(site, message), messageId })
}

/** Emails a message to the address of an account. */
export async function tellOwner(
  db: Tx,
  site: { config: Config; publicUrl: string },
  userId: string,
  message: EmailContent,
): Promise<void> {
  const { email } = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  await sendEmail(db, { to: email, site: emailContext(site), message })
}
