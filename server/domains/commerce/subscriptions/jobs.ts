import type { Context } from '../../../context.ts'
import type { JobHandlers } from '../../../jobs/catalogue.ts'
import { expireSubscriptions } from './actions.ts'

export function subscriptionJobs({ db, clock }: Context): Pick<JobHandlers, 'subscriptions.expire'> {
  return {
    'subscriptions.expire': () => db.transaction().execute((tx) => expireSubscriptions(tx, clock.now())),
  }
}
