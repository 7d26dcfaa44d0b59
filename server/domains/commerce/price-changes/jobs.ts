import type { Context } from '../../../context.ts'
import type { JobHandlers } from '../../../jobs/catalogue.ts'
import { tellOfPrices } from './telling/actions.ts'

/** The background jobs of this folder, by name. */
export const priceChangeJobs = (context: Context) =>
  ({
    'prices.tell': (batch) => tellOfPrices(context, batch),
  }) satisfies Partial<JobHandlers>
