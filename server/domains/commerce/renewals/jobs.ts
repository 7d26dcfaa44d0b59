import type { Context } from '../../../context.ts'
import type { JobHandlers } from '../../../jobs/catalogue.ts'
import { confirmCancellation } from './actions.ts'
import { chargeDue } from './charging/actions.ts'
import { remindOfUnpaid } from './dunning/actions.ts'
import { remindOfRenewals } from './reminders/actions.ts'

/** The background jobs of this folder, by name. */
export const renewalJobs = (context: Context) =>
  ({
    'renewals.charge': async () => {
      await chargeDue(context)
    },
    'subscriptions.confirm': (asked) =>
      context.db
        .transaction()
        .execute((tx) => confirmCancellation(tx, { ...asked, now: context.clock.now() })),
    'renewals.remind': () =>
      context.db.transaction().execute(async (tx) => {
        await remindOfRenewals(tx, context.clock.now())
        await remindOfUnpaid(tx, context.clock.now())
      }),
  }) satisfies Partial<JobHandlers>
