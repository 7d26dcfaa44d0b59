import type { Logger } from 'pino'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../db/client.ts'
import type { JobHandlers } from '../../jobs/catalogue.ts'
import type { Mail } from '../../ports/mail/port.ts'
import { sweep } from './actions.ts'

/** Mail is this domain's because every mail goes to an account's address. */
export function identityJobs(context: {
  db: Db
  clock: Clock
  mail: Mail
  log: Logger
}): Pick<JobHandlers, 'mail.send' | 'identity.sweep'> {
  return {
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
    'identity.sweep': () => sweep(context.db, context.clock.now()),
  }
}
