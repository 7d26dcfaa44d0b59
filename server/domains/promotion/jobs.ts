import type { Context } from '../../context.ts'
import type { JobHandlers } from '../../jobs/catalogue.ts'
import { revokeDue } from './accounts/revocations/actions.ts'
import { forgetVisits } from './attribution/actions.ts'
import { makeVideoCopy } from './copies/actions.ts'
import { forumJobs } from './forum/jobs.ts'
import { syncDueInboxes } from './inbox/syncing/actions.ts'
import { expectDueEarnings } from './ranking/actions.ts'
import { recyclePosts, takeDownPosts } from './recycling/actions.ts'
import { fillDueSlots } from './slots/actions.ts'
import { submissionJobs } from './submissions/jobs.ts'
import { remindOfVerifications } from './verification/actions.ts'

/** The background jobs of this folder, by name. */
export const promotionJobs = (context: Context) =>
  ({
    'forum.revoke': () => revokeDue(context),
    'visits.forget': () => {
      const { db, clock } = context
      return db.transaction().execute((tx) => forgetVisits(tx, clock.now()))
    },
    'verification.remind': () => remindOfVerifications(context),
    'posts.copy': (copy) => makeVideoCopy(context, copy),
    'posts.expect': () => expectDueEarnings(context),
    'slots.fill': () => fillDueSlots(context),
    'posts.recycle': () => recyclePosts(context),
    'posts.take-down': () => takeDownPosts(context),
    'inbox.sync': () => syncDueInboxes(context),
    ...forumJobs(context),
    ...submissionJobs(context),
  }) satisfies Partial<JobHandlers>
