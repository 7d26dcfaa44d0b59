import type { Context } from '../../context.ts'
import type { Tx } from '../../db/client.ts'
import type { JobHandlers } from '../../jobs/catalogue.ts'
import { customRequestJobs } from './custom-requests/jobs.ts'
import { workMassMessage } from './mass-messages/jobs.ts'
import { remind, remindMany } from './reminders/actions.ts'
import { forgetDeleted } from './reports/actions.ts'
import { welcome } from './welcome/actions.ts'

/** This folder's background jobs, by name. */
export const messagingJobs = (context: Context) =>
  ({
    'messages.forget': async () => {
      const forget = (tx: Tx) => forgetDeleted(tx, context.clock.now())
      while (await context.db.transaction().execute(forget));
    },
    'messages.mass': (message) => workMassMessage(context, message),
    'messages.remind': (reminded) => remind(context, reminded),
    'messages.remind-many': (batch) => remindMany(context, batch),
    'messages.welcome': (subscribed) => welcome(context, subscribed),
    ...customRequestJobs(context),
  }) satisfies Partial<JobHandlers>
