import type { Context } from '../../context.ts'
import type { JobHandlers } from '../../jobs/catalogue.ts'
import { remind } from './reminders/actions.ts'

export const messagingJobs = (context: Context) =>
  ({
    'messages.remind': (reminded) => remind(context, reminded),
  }) satisfies Partial<JobHandlers>
