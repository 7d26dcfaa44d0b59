import type { Context } from '../../context.ts'
import type { JobHandlers } from '../../jobs/catalogue.ts'
import { send, sweepMails } from './actions.ts'

export const notificationJobs = (context: Context) =>
  ({
    'notifications.send': (delivery, run) => send(context, delivery, run),
    'notifications.sweep': () =>
      context.db.transaction().execute((tx) => sweepMails(tx, context.clock.now())),
  }) satisfies Partial<JobHandlers>
