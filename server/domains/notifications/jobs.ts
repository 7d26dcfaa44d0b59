import type { Context } from '../../context.ts'
import type { JobHandlers } from '../../jobs/catalogue.ts'
import { send, sweepMails } from './actions.ts'
import { sendDigests, summarize } from './digests/actions.ts'
import { sweepNotifications } from './inbox/actions.ts'
import { push } from './push/actions.ts'

/** The background jobs of this folder, by name. */
export const notificationJobs = (context: Context) =>
  ({
    'notifications.send': (delivery, run) => send(context, delivery, run),
    'notifications.push': (job) => push(context, job),
    'notifications.digests': () => sendDigests(context),
    'notifications.summarize': (job) => summarize(context, job),
    async 'notifications.sweep'() {
      const now = context.clock.now()
      await context.db.transaction().execute((tx) => sweepMails(tx, now))
      await sweepNotifications(context.db, now)
    },
  }) satisfies Partial<JobHandlers>
