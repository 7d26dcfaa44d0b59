import type { Context } from '../../context.ts'
import type { JobHandlers } from '../../jobs/catalogue.ts'
import { purchaseJobs } from './purchases/jobs.ts'
import { subscriptionJobs } from './subscriptions/jobs.ts'

export function commerceJobs(
  context: Context,
): Pick<JobHandlers, 'purchases.recover' | 'subscriptions.expire'> {
  return { ...purchaseJobs(context), ...subscriptionJobs(context) }
}
