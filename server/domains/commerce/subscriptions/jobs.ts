import type { Context } from '../../../context.ts'
import type { JobHandlers } from '../../../jobs/catalogue.ts'
import { expireSubscriptions } from './actions.ts'

export const subscriptionJobs = ({ db, clock }: Context) =>
  ({
    'subscriptions.expire': () => db.transaction().execute((tx) => expireSubscriptions(tx, clock.now())),
  }) satisfies Partial<JobHandlers>
