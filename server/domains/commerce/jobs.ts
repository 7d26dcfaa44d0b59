import type { Context } from '../../context.ts'
import type { JobHandlers } from '../../jobs/catalogue.ts'
import { cardJobs } from './cards/jobs.ts'
import { ledgerJobs } from './ledger/jobs.ts'
import { paymentJobs } from './payments/jobs.ts'
import { forgetExports } from './payouts/exports/actions.ts'
import { priceChangeJobs } from './price-changes/jobs.ts'
import { reconciliationJobs } from './reconciliation/jobs.ts'
import { refundJobs } from './refunds/jobs.ts'
import { renewalJobs } from './renewals/jobs.ts'
import { subscriptionJobs } from './subscriptions/jobs.ts'
import { webhookJobs } from './webhooks/jobs.ts'

/** The background jobs of this folder, by name. */
export const commerceJobs = (context: Context) =>
  ({
    ...paymentJobs(context),
    ...refundJobs(context),
    ...reconciliationJobs(context),
    ...cardJobs(context),
    ...subscriptionJobs(context),
    ...renewalJobs(context),
    ...priceChangeJobs(context),
    ...ledgerJobs(context),
    ...webhookJobs(context),
    'payouts.forget': () => context.db.transaction().execute((tx) => forgetExports(tx, context.clock.now())),
  }) satisfies Partial<JobHandlers>
