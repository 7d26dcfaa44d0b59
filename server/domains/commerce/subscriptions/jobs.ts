import type { Context } from '../../../context.ts'
import type { JobHandlers } from '../../../jobs/catalogue.ts'
import { expireSubscriptions } from './actions.ts'

/** The background jobs of this folder, by name. */
export const subscriptionJobs = ({ db, clock }: Context) =>
  ({
    'subscriptions.expire': async () => {
      const now = clock.now()
      let ended: number
      do ended = await db.transaction().execute((tx) => expireSubscriptions(tx, now))
      while (ended > 0)
    },
  }) satisfies Partial<JobHandlers>
