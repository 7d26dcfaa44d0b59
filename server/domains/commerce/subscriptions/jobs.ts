import type { Context } from '../../../context.ts'
import type { JobHandlers } from '../../../jobs/catalogue.ts'
import { expireSubscriptions } from './actions.ts'

/** What the background jobs of this folder do, by their names. */
export const subscriptionJobs = ({ db, clock }: Context) =>
  ({
    'subscriptions.expire': () => db.transaction().execute((tx) => expireSubscriptions(tx, clock.now())),
  }) satisfies Partial<JobHandlers>
