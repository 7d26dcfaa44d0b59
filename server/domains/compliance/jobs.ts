import type { Context } from '../../context.ts'
import type { JobHandlers } from '../../jobs/catalogue.ts'
import { eraseDueAccounts, tellBuyers } from './erasure/actions.ts'
import { makeExport, sweepExports } from './exports/actions.ts'

export function accountJobs(
  context: Context,
): Pick<JobHandlers, 'account.erase' | 'account.tell-buyers' | 'account.export' | 'account.sweep'> {
  return {
    'account.erase': () => eraseDueAccounts(context),
    'account.tell-buyers': ({ creatorId }) => tellBuyers(context, creatorId),
    'account.export': ({ exportId }, run) => makeExport(context, exportId, run),
    'account.sweep': () => sweepExports(context),
  }
}
