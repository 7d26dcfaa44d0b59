import type { Context } from '../../../context.ts'
import type { JobHandlers } from '../../../jobs/catalogue.ts'
import { describeCard, findUndescribed } from './actions.ts'
import { findUndecided, lookUpAddition } from './adding/actions.ts'
import { forgetAttempts } from './attempts/actions.ts'
import { deleteCard, deleteCustomer, findDueDeletions, findRemovedCards } from './forgetting/actions.ts'

const BATCH = 50

/** The background jobs of this folder, by name. */
export const cardJobs = (context: Context) =>
  ({
    'cards.recover': async () => {
      const { db, clock } = context
      await db.transaction().execute((tx) => forgetAttempts(tx, clock.now()))
      // A call that the gateway doesn't answer would keep all others waiting; the next run starts with those.
      for (const addition of await findUndecided(db, clock.now(), BATCH))
        if (!(await lookUpAddition(context, addition))) return
      for (const card of await findUndescribed(db, BATCH)) if (!(await describeCard(context, card))) return
    },
    'cards.forget': async () => {
      const { db, clock } = context
      for (const due of await findDueDeletions(db, clock.now(), BATCH))
        if (!(await deleteCustomer(context, due))) return
      for (const card of await findRemovedCards(db, clock.now(), BATCH))
        if (!(await deleteCard(context, card))) return
    },
  }) satisfies Partial<JobHandlers>
