import type { Logger } from 'pino'
import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import type { Db } from '../../db/client.ts'
import type { JobHandlers } from '../../jobs/catalogue.ts'
import type { Mail } from '../../ports/mail/port.ts'
import { sweep } from './actions.ts'
import { emailContext } from './emails/actions.ts'
import { sendReset } from './passwords/reset/actions.ts'

/** Mail is this domain's because every mail goes to an account's address. */
export const identityJobs = (context: {
  db: Db
  clock: Clock
  mail: Mail
  log: Logger
  config: Config
  publicUrl: string
}) =>
  ({
    // The message keeps its id over all attempts, so that receivers can tell a repeated one.
    async 'mail.send'(message, { lastAttempt }) {
      try {
        await context.mail.send(message)
      } catch (error) {
        // What the mail server said may name the address, so only its code is passed on.
        const { code, responseCode } = error as { code?: string; responseCode?: number }
        const reason = `the mail server did not take the message (${code ?? 'no code'} ${responseCode ?? ''})`
        if (!lastAttempt) throw new Error(reason)
        context.log.error({ messageId: message.messageId, reason }, 'a mail was given up')
      }
    },
    'identity.send-reset': ({ email }) =>
      context.db
        .transaction()
        .execute((db) => sendReset(db, { email, site: emailContext(context), now: context.clock.now() })),
    'identity.sweep': () => context.db.transaction().execute((tx) => sweep(tx, context.clock.now())),
  }) satisfies Partial<JobHandlers>
