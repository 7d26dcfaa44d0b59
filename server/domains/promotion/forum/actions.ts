import type { Context } from '../../../context.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import type {
  Answer,
  Failure,
  Priority,
  SubredditFacts,
  SubredditUnreadable,
} from '../../../ports/forum/port.ts'
import { type AccountRow, findReader } from '../accounts/data.ts'
import { askAs, requireForum } from '../accounts/tokens/actions.ts'
import { failureOf } from '../present.ts'
import { track } from '../subreddits/actions.ts'
import { findInterested, findReading, findTracked, type Reading } from './data.ts'
import { afterFailure, changedParts, type Facts, isFresh, nextReading } from './rules.ts'

type Unreadable = SubredditUnreadable['kind']

/**
 * What the forum says of a subreddit: what is kept if it is fresh, else what it says now. Tracks one that wasn't.
 * `of`: whose account reads what takes one; without a connected one only rules are read. Throws `subreddit_not_found`
 * and what keeps the forum from answering.
 */
export async function currentReading(
  context: Context,
  asked: { name: string; userId: string; again?: boolean; needs?: 'account' },
): Promise<Reading> {
  const { db, clock } = context
  const { name, userId } = asked
  const kept = await findReading(db, name)
  const account = await findReader(db, userId)
  const connected = account?.revoked_at === null ? account : undefined
  const readAt = kept?.state === 'read' && connected ? kept.account_read_at : kept?.read_at
  if (kept && !asked.again && isFresh(readAt ?? null, clock.now())) {
    if (asked.needs && kept.state === 'read' && !kept.flair) requireConnected(account)
    return kept
  }
  if (asked.needs && !kept?.flair) requireConnected(account)
  const reading = await readSubreddit(context, { name, account: connected, priority: 'interactive' })
  // The account may have turned out to be revoked.
  if (asked.needs && reading.state === 'read' && !reading.flair)
    requireConnected(await findReader(db, userId))
  return reading
}

function requireConnected(account: AccountRow | undefined): void {
  if (!account) throw new AppError('forum_not_connected')
  if (account.revoked_at) throw new AppError('forum_reconnect')
}

/** Asks the forum for everything about a subreddit, and keeps it with what changed. */
export async function readSubreddit(
  context: Context,
  asked: { name: string; account: AccountRow | undefined; priority: Priority },
): Promise<Reading> {
  const { db, clock } = context
  const { name, account, priority } = asked
  const about = await requireForum(context).subreddit(name, priority)
  const found = foundOrState(about)
  const facts: Facts =
    found.facts === null
      ? { state: found.state, rules: [] }
      : await readFacts(context, { name: found.facts.name, account, priority })
  const known = await findTracked(db, [name])
  if (!known.has(name.toLowerCase()) && facts.state !== 'read') throw failureOf({ kind: facts.state })
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    await track(tx, [found.facts ?? { name }], now)
    await keepReading(tx, { name, facts, about: found.facts, withAccount: facts.flair !== undefined, now })
  })
  return (await findReading(db, name)) as Reading
}

/** The facts of a subreddit that can be read, or why it can’t; throws what is no answer. */
function foundOrState(
  answer: Answer<SubredditFacts, SubredditUnreadable>,
): { facts: SubredditFacts; state: 'read' } | { facts: null; state: Unreadable } {
  if (answer.kind === 'answered') return { facts: answer.value, state: 'read' }
  if (isUnreadable(answer)) return { facts: null, state: answer.kind }
  throw failureOf(answer)
}

function isUnreadable(answer: Failure | SubredditUnreadable): answer is SubredditUnreadable {
  return ['private', 'gone', 'banned', 'quarantined'].includes(answer.kind)
}

async function readFacts(
  context: Context,
  { name, account, priority }: { name: string; account: AccountRow | undefined; priority: Priority },
): Promise<Facts> {
  const forum = requireForum(context)
  const rules = await forum.rules(name, priority)
  if (rules.kind !== 'answered') {
    if (isUnreadable(rules)) return { state: rules.kind, rules: [] }
    throw failureOf(rules)
  }
  const facts: Facts = { state: 'read', rules: rules.value }
  if (!account) return facts
  try {
    const flair = await askAs(context, account, (token) => forum.flair(name, token, priority))
    const requirements = await askAs(context, account, (token) => forum.requirements(name, token, priority))
    return {
      ...facts,
      flair:
        flair.kind === 'answered'
          ? flair.value
          : isUnreadable(flair) || flair.kind === 'forbidden'
            ? []
            : fail(flair),
      requirements:
        requirements.kind === 'answered'
          ? requirements.value
          : isUnreadable(requirements) || requirements.kind === 'forbidden'
            ? null
            : fail(requirements),
    }
  } catch (error) {
    // Rules are worth keeping without the account that was taken back.
    if (error instanceof AppError && error.code === 'forum_reconnect') return facts
    throw error
  }
}

function fail(failure: Failure): never {
  throw failureOf(failure)
}

async function keepReading(
  tx: Tx,
  of: { name: string; facts: Facts; about: SubredditFacts | null; withAccount: boolean; now: Date },
): Promise<void> {
  const { name, facts, about, withAccount, now } = of
  const before = await findReading(tx, name)
  if (!before) return
  const parts = changedParts(before, facts)
  await tx
    .updateTable('subreddit_readings')
    .set({
      state: facts.state,
      rules: JSON.stringify(facts.rules),
      read_at: now,
      next_read_at: nextReading(facts.state, now),
      ...(withAccount
        ? {
            flair: JSON.stringify(facts.flair ?? []),
            requirements: facts.requirements ? JSON.stringify(facts.requirements) : null,
            account_read_at: now,
          }
        : {}),
      ...(parts.length > 0 ? { changed_at: now, changed_parts: parts } : {}),
    })
    .where('subreddit_id', '=', before.id)
    .execute()
  if (about)
    await tx
      .updateTable('subreddits')
      .set({ subscribers: about.subscribers, description: about.description })
      .where('id', '=', before.id)
      .execute()
}

/** How many names one call may have the forum asked for. */
const MAX_NEW_NAMES = 25
const AT_ONCE = 5

/**
 * Tracks those of these names that nobody used before, as the forum spells them. Throws `subreddit_not_found` and
 * `subreddit_banned` with the name, and what keeps the forum from answering; nothing is tracked then.
 */
export async function trackNew(context: Context, names: string[]): Promise<void> {
  const { db, clock } = context
  const known = await findTracked(db, names)
  const unknown = [...new Map(names.map((name) => [name.toLowerCase(), name]))].filter(
    ([lower]) => !known.has(lower),
  )
  if (unknown.length === 0) return
  if (unknown.length > MAX_NEW_NAMES) throw new AppError('too_many_new_subreddits')
  const forum = requireForum(context)
  const found: (SubredditFacts | { name: string })[] = []
  for (let first = 0; first < unknown.length; first += AT_ONCE) {
    const names = unknown.slice(first, first + AT_ONCE).map(([, name]) => name)
    const answers = await Promise.all(names.map((name) => forum.subreddit(name, 'interactive')))
    for (const [index, answer] of answers.entries()) {
      if (answer.kind === 'answered') found.push(answer.value)
      else if (answer.kind === 'private' || answer.kind === 'quarantined')
        found.push({ name: names[index] ?? '' })
      else throw failureOf(answer)
    }
  }
  await db.transaction().execute((tx) => track(tx, found, clock.now()))
}

/** Reads one subreddit that is due; what fails is tried again later, and never keeps the others waiting. */
export async function refreshDue(context: Context, name: string): Promise<'read' | 'failed'> {
  const { db, clock, log } = context
  const kept = await findReading(db, name)
  if (!kept) return 'read'
  try {
    const account = await findInterested(db, kept.id)
    await readSubreddit(context, { name, account, priority: 'background' })
    return 'read'
  } catch (error) {
    if (!(error instanceof AppError)) log.error({ err: error }, 'a subreddit could not be read')
    await db.transaction().execute((tx) =>
      tx
        .updateTable('subreddit_readings')
        .set({ next_read_at: afterFailure(clock.now()) })
        .where('subreddit_id', '=', kept.id)
        .execute(),
    )
    return 'failed'
  }
}
