import { setTimeout as wait } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { Context } from '../../../context.ts'
import type { JobHandlers } from '../../../jobs/catalogue.ts'
import { postSome } from './actions.ts'
import { findPostedByHand, tellOfDue } from './by-hand/actions.ts'
import { sendComments } from './comments/actions.ts'
import { listDueAccounts } from './data.ts'
import { resolveDoubts } from './doubts/actions.ts'
import { followPosts } from './following/actions.ts'

/** Accounts that post at the same time; none waits for another's answer. */
const ACCOUNTS_AT_ONCE = 8
/** The most items that an account submits in one turn, so that nobody waits for another's hundreds. */
const TURN = 3
/** A run ends after that; the next goes on with what is left. */
const MAX_RUN_MS = 50_000
/** How often a run looks for what became due beside turns that take long, and until when where such a turn outlasts it. */
const LOOK_AGAIN_MS = 2000
const MAX_LOOKING_MS = 120_000
/** When an account takes its turn whose person was changing the queue. */
const BUSY_MS = 200

/**
 * Posts everything that is due, in turns: each account in its own order, its next turn behind those that wait, and what
 * becomes due meanwhile as well.
 */
export async function postDue(context: Context): Promise<void> {
  const { db, clock, forum } = context
  const millis = () => clock.now().getTime()
  let endsAt = millis() + MAX_RUN_MS
  const looksUntil = millis() + MAX_LOOKING_MS
  await db.transaction().execute((tx) => tellOfDue(tx, clock.now()))
  if (!forum) return
  const limit = pLimit(ACCOUNTS_AT_ONCE)
  const started = new Set<string | null>()
  /** Those that had nothing more to publish, or no time, and may take another turn. */
  const through = new Set<string | null>()
  let turnsUntilListed = 0
  const beginDue = async (): Promise<void> => {
    turnsUntilListed = Number.POSITIVE_INFINITY
    const due = (await listDueAccounts(db, clock.now())).filter((id) => !started.has(id))
    for (const id of due) started.add(id)
    const turns = due.map(takeTurns)
    // Once all waiting ones have started; so the more there are, the less often they are listed.
    turnsUntilListed = limit.pendingCount
    await Promise.all(turns)
  }
  const takeTurns = async (id: string | null): Promise<void> => {
    const outcome = await limit(() => takeTurn(context, id))
    const isOver = millis() >= endsAt
    if (outcome === 'through' || (isOver && outcome !== 'stopped')) through.add(id)
    if (isOver) return
    const next = outcome === 'more' ? [takeTurns(id)] : []
    // Waits outside the limit, so it takes nobody else's turn.
    if (outcome === 'busy') next.push(wait(BUSY_MS).then(() => takeTurns(id)))
    turnsUntilListed--
    if (turnsUntilListed <= 0) next.push(beginDue())
    await Promise.all(next)
  }
  const runs: Promise<void>[] = []
  const begin = () => {
    const run = beginDue()
    run.catch(() => {
      // Where one turn failed, the others take no further ones.
      endsAt = 0
    })
    runs.push(run)
  }
  const looking = setInterval(() => {
    const isFree = limit.activeCount + limit.pendingCount < ACCOUNTS_AT_ONCE
    if (!isFree || endsAt === 0 || millis() >= looksUntil) return
    for (const id of through) started.delete(id)
    through.clear()
    begin()
  }, LOOK_AGAIN_MS)
  try {
    begin()
    // With those that begin meanwhile.
    for (const run of runs) await run
  } finally {
    clearInterval(looking)
    endsAt = 0
  }
}

/** An account's turn; `more` where another one of this run may bring more, `stopped` where none may. */
async function takeTurn(
  context: Context,
  accountId: string | null,
): Promise<'more' | 'stopped' | 'busy' | 'through'> {
  // Unfinished work of earlier posts comes before the next ones, which may use up the forum's rate limit.
  const owed = await sendComments(context, accountId, TURN)
  const posts = accountId === null ? 'through' : await postSome(context, accountId, TURN)
  const last = owed === 'stopped' ? owed : await sendComments(context, accountId, TURN)
  // After one that the forum didn't take, the others are left to the next run.
  return last === 'through' ? posts : last
}

/** The background jobs of this folder, by name. */
export const submissionJobs = (context: Context) =>
  ({
    'posts.submit': () => postDue(context),
    'posts.look-up': async () => {
      if (context.forum) await Promise.all([resolveDoubts(context), findPostedByHand(context)])
    },
    'posts.follow': async () => {
      if (context.forum) await followPosts(context)
    },
  }) satisfies Partial<JobHandlers>
