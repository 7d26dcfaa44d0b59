import type { Context } from '../../context.ts'
import type { JobHandlers } from '../../jobs/catalogue.ts'
import { customRequestJobs } from './custom-requests/jobs.ts'
import { workMassMessage } from './mass-messages/jobs.ts'
import { welcome } from './messages/sending/actions.ts'
import { remind, remindDue, remindMany } from './reminders/actions.ts'
import { forgetDeleted, forgetEdited } from './reports/actions.ts'

/** This folder's background jobs, by name. */
export const messagingJobs = (context: Context) =>
  ({
    'messages.forget': async () => {
      const now = context.clock.now()
      for (const forget of [forgetDeleted, forgetEdited])
        while (await context.db.transaction().execute((tx) => forget(tx, now)));
    },
    'messages.mass': (message) => workMassMessage(context, message),
    'messages.remind': (reminded) => remind(context, reminded),
    'messages.remind-due': () => remindDue(context),
    'messages.remind-many': (batch) => remindMany(context, batch),
    'messages.welcome': (subscribed) => welcome(context, subscribed),
    ...customRequestJobs(context),
  }) satisfies Partial<JobHandlers>
