import { randomUUID } from 'node:crypto'
import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/client.ts'
import { enqueue } from '../../../jobs/enqueue.ts'
import { type Letter, type LetterSite, letterMail } from './present.ts'

/** The site as its mails name it. */
export function letterSite({ config, publicUrl }: { config: Config; publicUrl: string }): LetterSite {
  return { brand: config.BRAND_NAME, publicUrl, contact: config.OPERATOR_EMAIL }
}

/** Mails a letter to an address once the caller's transaction commits. */
export async function sendLetter(
  db: Db,
  { to, site, letter }: { to: string; site: LetterSite; letter: Letter },
): Promise<void> {
  const messageId = `<${randomUUID()}@${new URL(site.publicUrl).hostname}>`
  await enqueue(db, 'mail.send', { to, ...letterMail(site, letter), messageId })
}

/** Mails a letter to the address of an account. */
export async function tellOwner(
  db: Db,
  site: { config: Config; publicUrl: string },
  userId: string,
  letter: Letter,
): Promise<void> {
  const { email } = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  await sendLetter(db, { to: email, site: letterSite(site), letter })
}
