import type { Context } from '../../../context.ts'
import type { JobHandlers } from '../../../jobs/catalogue.ts'
import { refreshDue } from './actions.ts'
import { findDue } from './data.ts'

/** At most so many in one run, and so many without an answer: a forum that is down isn’t asked for all of them. */
const BATCH = 100
const MAX_FAILURES = 3
/** How long a run reads: with a slow forum the rest stays due for the next, and the lane is free meanwhile. */
const RUN_MS = 90_000

/** The background jobs of this folder, by name. */
export const forumJobs = (context: Context) =>
  ({
    'forum.refresh': async () => {
      const { db, clock, forum } = context
      if (!forum) return
      let failures = 0
      const ends = clock.now().getTime() + RUN_MS
      for (const name of await findDue(db, clock.now(), BATCH)) {
        const outcome = await refreshDue(context, name)
        if (outcome === 'down') failures++
        if (outcome === 'busy' || failures >= MAX_FAILURES || clock.now().getTime() > ends) return
      }
    },
  }) satisfies Partial<JobHandlers>
