import type { Context } from '../../context.ts'
import type { JobHandlers } from '../../jobs/catalogue.ts'
import { sweepChecks } from './age/actions.ts'
import { eraseDueAccounts, tellBuyers } from './erasure/actions.ts'
import { makeExport, sweepExports } from './exports/actions.ts'

/** The background jobs of this folder, by name. */
export const complianceJobs = (context: Context) =>
  ({
    'age.sweep': () => context.db.transaction().execute((tx) => sweepChecks(tx, context.clock.now())),
    'account.erase': () => eraseDueAccounts(context),
    'account.tell-buyers': ({ creatorId }) => tellBuyers(context, creatorId),
    'account.export': ({ exportId }, run) => makeExport(context, exportId, run),
    'account.sweep': () => sweepExports(context),
  }) satisfies Partial<JobHandlers>
