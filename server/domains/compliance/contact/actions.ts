import { randomUUID } from 'node:crypto'
import type { Tx } from '../../../db/client.ts'
import { enqueue } from '../../../jobs/enqueue.ts'
import { type ContactMessage, contactMail } from './present.ts'

/** Mails a message to the operator once the caller's transaction commits. */
export async function sendToOperator(
  db: Tx,
  { site, ...message }: ContactMessage & { site: { brand: string; publicUrl: string; operator: string } },
): Promise<void> {
  const messageId = `<${randomUUID()}@${new URL(site.publicUrl).hostname}>`
  await enqueue(db, 'mail.send', { to: site.operator, ...contactMail(site.brand, message), messageId })
}
