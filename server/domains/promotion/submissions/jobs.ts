import pLimit from 'p-limit'
import type { Context } from '../../../context.ts'
import type { JobHandlers } from '../../../jobs/catalogue.ts'
import { postDueOf } from './actions.ts'
import { findPostedByHand, tellOfDue } from './by-hand/actions.ts'
import { sendDueComments } from './comments/actions.ts'
import { listDueAccounts } from './data.ts'
import { resolveDoubts } from './doubts/actions.ts'
import { followPosts } from './following/actions.ts'

/** Accounts that post at the same time; none waits for another's answer. */
const ACCOUNTS_AT_ONCE = 8

/** Posts everything that is due, each account in its own order. */
export async function postDue(context: Context): Promise<void> {
  const { db, clock, forum } = context
  await db.transaction().execute((tx) => tellOfDue(tx, clock.now()))
  if (!forum) return
  await resolveDoubts(context)
  // What is still owed to earlier posts goes before the next ones, which may use up what the forum allows.
  await sendDueComments(context)
  const limit = pLimit(ACCOUNTS_AT_ONCE)
  const accounts = await listDueAccounts(db, clock.now())
  await Promise.all(accounts.map((id) => limit(() => postDueOf(context, id))))
  await sendDueComments(context)
  // Comes last as it has no time to keep; what is found owes its comment.
  await findPostedByHand(context)
  await sendDueComments(context)
}

/** What the background jobs of this folder do, by their names. */
export const submissionJobs = (context: Context) =>
  ({
    'posts.submit': () => postDue(context),
    'posts.follow': async () => {
      if (context.forum) await followPosts(context)
    },
  }) satisfies Partial<JobHandlers>
