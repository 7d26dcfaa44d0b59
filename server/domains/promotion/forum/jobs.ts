import type { Context } from '../../../context.ts'
import type { JobHandlers } from '../../../jobs/catalogue.ts'
import { refreshDue } from './actions.ts'
import { findDue } from './data.ts'

/** At most so many in one run, and so many without an answer: a forum that is down isn’t asked for all of them. */
const BATCH = 100
const MAX_FAILURES = 3

export const forumJobs = (context: Context) =>
  ({
    'forum.refresh': async () => {
      const { db, clock, forum } = context
      if (!forum) return
      let failures = 0
      for (const name of await findDue(db, clock.now(), BATCH)) {
        const outcome = await refreshDue(context, name)
        if (outcome === 'down') failures++
        if (outcome === 'busy' || failures >= MAX_FAILURES) return
      }
    },
  }) satisfies Partial<JobHandlers>
