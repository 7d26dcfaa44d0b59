import type { Context } from '../../../context.ts'
import type { JobHandlers } from '../../../jobs/catalogue.ts'
import { deleteCustomer, findDueDeletions } from './actions.ts'

const BATCH = 50

export const cardJobs = (context: Context) =>
  ({
    'cards.forget': async () => {
      for (const due of await findDueDeletions(context.db, context.clock.now(), BATCH))
        await deleteCustomer(context, due)
    },
  }) satisfies Partial<JobHandlers>
