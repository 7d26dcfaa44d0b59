import { sql } from 'kysely'
import type { Flair, SubredditChange } from '../../../../contract/forum.ts'
import { type ChangedPart, MAX_SUBREDDIT_CHANGES } from '../../../../contract/promotion.ts'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import type {
  Answer,
  Failure,
  Forum,
  Priority,
  SubredditFacts,
  SubredditUnreadable,
} from '../../../ports/forum/port.ts'
import { notify } from '../../notifications/actions.ts'
import { type AccountRow, findReadingAccount } from '../accounts/data.ts'
import { askAs, requireForum } from '../accounts/tokens/actions.ts'
import { failureOf } from '../present.ts'
import { track } from '../subreddits/actions.ts'
import { findInterested, findReading, findTracked, type Reading } from './data.ts'
import { afterFailure, changesOf, type Facts, isFreshFor, nextReading } from './rules.ts'

type Unreadable = SubredditUnreadable['kind']

/**
 * What the forum says of a subreddit: what is kept if it is fresh, else what it says now, or, where it doesn't answer and
 * nobody asked it `again`, what it said before. Tracks one that wasn't.
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
  const account = await findReadingAccount(db, userId)
  const connected = account?.revoked_at === null ? account : undefined
  if (kept && !asked.again && isFreshFor(kept, connected !== undefined, clock.now())) {
    if (asked.needs && kept.state === 'read' && !kept.flair) requireConnected(account)
    return kept
  }
  if (asked.needs && !kept?.flair) requireConnected(account)
  if (!kept) await takeLookUp(requireForum(context), userId)
  const accounts = connected ? [connected] : []
  const isEnough = !asked.again && !(asked.needs && !kept?.flair)
  const reading = await readOrKept(context, { name, accounts }, isEnough ? kept : undefined)
  // The account may have turned out to be revoked.
  if (asked.needs && reading.state === 'read' && !reading.flair)
    requireConnected(await findReadingAccount(db, userId))
  return reading
}

/** A fresh reading, or the previous one if the forum doesn't answer. */
async function readOrKept(
  context: Context,
  of: { name: string; accounts: AccountRow[] },
  kept: Reading | undefined,
): Promise<Reading> {
  try {
    return await readSubreddit(context, { ...of, priority: 'interactive' })
  } catch (error) {
    const isUnanswered = error instanceof AppError && UNANSWERED.includes(error.code)
    if (!isUnanswered || !kept?.read_at) throw error
    return kept
  }
}

const UNANSWERED: string[] = ['forum_down', 'forum_busy', 'forum_malformed']

/**
 * The flair of a private subreddit that a person's own account is a member of, which is kept for nobody else; null where
 * it isn't one. Throws what keeps the forum from answering.
 */
export async function memberFlair(
  context: Context,
  { name, userId }: { name: string; userId: string },
): Promise<Flair[] | null> {
  const account = await findReadingAccount(context.db, userId)
  if (!account || account.revoked_at) return null
  const forum = requireForum(context)
  return knownOf(await askAs(context, account, (token) => forum.flair(name, token, 'interactive')))
}

function requireConnected(account: AccountRow | undefined): void {
  if (!account) throw new AppError('forum_not_connected')
  if (account.revoked_at) throw new AppError('forum_reconnect')
}

/**
 * Asks the forum for everything about a subreddit, and keeps it with what changed. Of `accounts` the next is asked what
 * those before can’t tell.
 */
export async function readSubreddit(
  context: Context,
  asked: { name: string; accounts: AccountRow[]; priority: Priority },
): Promise<Reading> {
  const { db, clock } = context
  const { name, accounts, priority } = asked
  const about = await requireForum(context).subreddit(name, priority)
  const found = foundOrState(about)
  const facts: Facts =
    found.facts === null
      ? { state: found.state, rules: [] }
      : await readFacts(context, { name: found.facts.name, accounts, priority })
  const known = await findTracked(db, [name])
  if (!known.has(name.toLowerCase()) && facts.state !== 'read') throw failureOf({ kind: facts.state })
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    await track(tx, [found.facts ?? { name }], now)
    await keepReading(tx, { name, facts, about: found.facts, now })
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
  { name, accounts, priority }: { name: string; accounts: AccountRow[]; priority: Priority },
): Promise<Facts> {
  const forum = requireForum(context)
  const rules = await forum.rules(name, priority)
  if (rules.kind !== 'answered') {
    if (isUnreadable(rules)) return { state: rules.kind, rules: [] }
    throw failureOf(rules)
  }
  const facts: Facts = { state: 'read', rules: rules.value }
  for (const account of accounts) {
    if (facts.flair && facts.requirements) break
    try {
      facts.flair ??= knownOf(await askAs(context, account, (token) => forum.flair(name, token, priority)))
      facts.requirements ??= knownOf(
        await askAs(context, account, (token) => forum.requirements(name, token, priority)),
      )
    } catch (error) {
      // Rules are worth keeping without the account that was taken back or disconnected.
      const isGone = error instanceof AppError && ACCOUNT_GONE.includes(error.code)
      if (!isGone) throw error
    }
  }
  return facts
}

const ACCOUNT_GONE: string[] = ['forum_reconnect', 'forum_account_not_found']

/** The answer, or null if this account isn't allowed to know; throws the reason when the forum doesn't answer. */
function knownOf<T>(answer: Answer<T, SubredditUnreadable>): T | null {
  if (answer.kind === 'answered') return answer.value
  if (isUnreadable(answer) || answer.kind === 'forbidden') return null
  throw failureOf(answer)
}

async function keepReading(
  tx: Tx,
  of: { name: string; facts: Facts; about: SubredditFacts | null; now: Date },
): Promise<void> {
  const { name, facts, about, now } = of
  // Two readings at once would both compare with the same, and tell each change twice.
  await lockReading(tx, name)
  const before = await findReading(tx, name)
  if (!before) return
  const changes = changesOf(before, facts)
  const parts = changes.map(({ part }) => part)
  await tx
    .updateTable('subreddit_readings')
    .set({
      state: facts.state,
      rules: JSON.stringify(facts.rules),
      read_at: now,
      next_read_at: nextReading(facts.state, now),
      // Where this account can't tell, the value that another account read stays.
      ...(facts.flair ? { flair: JSON.stringify(facts.flair) } : {}),
      ...(facts.requirements ? { requirements: JSON.stringify(facts.requirements) } : {}),
      ...(about?.submissionType ? { submission_type: about.submissionType } : {}),
      ...(facts.flair || facts.requirements ? { account_read_at: now } : {}),
      ...(facts.flair !== undefined ? { account_tried_at: now } : {}),
      ...(parts.length > 0 ? { changed_at: now, changed_parts: parts } : {}),
    })
    .where('subreddit_id', '=', before.id)
    .execute()
  if (changes.length > 0) {
    await keepChanges(tx, { subredditId: before.id, changes, now })
    await tellOfChanges(tx, { subredditId: before.id, name: before.name, parts, now })
  }
  if (about)
    await tx
      .updateTable('subreddits')
      .set({ subscribers: about.subscribers, description: about.description })
      .where('id', '=', before.id)
      .execute()
}

async function lockReading(tx: Tx, name: string): Promise<void> {
  await tx
    .selectFrom('subreddit_readings')
    .select('subreddit_id')
    .where('subreddit_id', 'in', (eb) =>
      eb.selectFrom('subreddits').select('id').where(sql`lower(name)`, '=', name.toLowerCase()),
    )
    .forUpdate()
    .execute()
}

/** Keeps what changed, and of what changed before the latest few. */
async function keepChanges(
  tx: Tx,
  { subredditId, changes, now }: { subredditId: string; changes: SubredditChange[]; now: Date },
): Promise<void> {
  await tx
    .insertInto('subreddit_changes')
    .values(
      changes.map(({ part, before, after }) => ({
        subreddit_id: subredditId,
        part,
        before: JSON.stringify(before),
        after: JSON.stringify(after),
        changed_at: now,
      })),
    )
    .execute()
  await tx
    .deleteFrom('subreddit_changes')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('subreddit_changes')
        .select('id')
        .where('subreddit_id', '=', subredditId)
        .orderBy('changed_at', 'desc')
        .orderBy('id', 'desc')
        .offset(MAX_SUBREDDIT_CHANGES),
    )
    .execute()
}

/** Tells everybody who has a post planned there. */
async function tellOfChanges(
  tx: Tx,
  of: { subredditId: string; name: string; parts: ChangedPart[]; now: Date },
): Promise<void> {
  const { subredditId, name, parts, now } = of
  const planners = await tx
    .selectFrom('scheduled_posts')
    .select('user_id')
    .distinct()
    .where('subreddit_id', '=', subredditId)
    .where('state', 'in', ['scheduled', 'waiting'])
    .orderBy('user_id')
    .execute()
  for (const { user_id } of planners)
    await notify(
      tx,
      { kind: 'subreddit.changed', person: user_id, data: { subreddit: name, parts } },
      { now },
    )
}

/** Takes one of the look-ups of new names that a person has. Throws `rate_limited`. */
async function takeLookUp(forum: Forum, userId: string): Promise<void> {
  const retryAfterSeconds = await forum.takeLookUp(userId)
  if (retryAfterSeconds !== null) throw new AppError('rate_limited', { retryAfterSeconds })
}

/** How many names one call may have the forum asked for. */
const MAX_NEW_NAMES = 25
const AT_ONCE = 5
/** Why asking for further names is no use. */
const OVER: string[] = ['rate_limited', 'forum_off', 'forum_busy', 'forum_down']

/** The public facts about a subreddit name, as far as the forum tells non-members. */
type Found = SubredditFacts | { name: string }
/** A name that isn’t tracked, and why. */
type Refused = { name: string; error: AppError }

/**
 * Tracks those of these names that nobody used before, as the forum spells them; answers those that can’t be, which keep
 * no other name waiting. Each look-up is counted for `userId`, or for nobody where it is null.
 */
export async function trackNames(
  context: Context,
  { names, userId }: { names: string[]; userId: string | null },
): Promise<Refused[]> {
  const { db, clock } = context
  const known = await findTracked(db, names)
  const unknown = [...new Map(names.map((name) => [name.toLowerCase(), name]))].flatMap(([lower, name]) =>
    known.has(lower) ? [] : [name],
  )
  if (unknown.length === 0) return []
  const refused: Refused[] = unknown
    .slice(MAX_NEW_NAMES)
    .map((name) => ({ name, error: new AppError('too_many_new_subreddits') }))
  const asked = unknown.slice(0, MAX_NEW_NAMES)
  const found: Found[] = []
  while (asked.length > 0) {
    const names = asked.splice(0, AT_ONCE)
    const answers = await Promise.all(names.map((name) => lookUp(context, name, userId)))
    for (const answer of answers) {
      if (!('error' in answer)) {
        found.push(answer)
        continue
      }
      const { error } = answer
      refused.push(answer)
      if (OVER.includes(error.code)) refused.push(...asked.splice(0).map((name) => ({ name, error })))
    }
  }
  await db.transaction().execute((tx) => track(tx, found, clock.now()))
  return refused
}

/** The forum's answer about a name that is new here, or the reason why it can't be tracked. */
async function lookUp(context: Context, name: string, userId: string | null): Promise<Found | Refused> {
  try {
    const forum = requireForum(context)
    if (userId !== null) await takeLookUp(forum, userId)
    const answer = await forum.subreddit(name, 'interactive')
    if (answer.kind === 'answered') return answer.value
    // It is there, though only its members see more of it.
    if (answer.kind === 'private' || answer.kind === 'quarantined') return { name }
    throw failureOf(answer)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { name, error }
  }
}

/** Tracks a name that nobody used before. Throws why it can’t be. */
export async function trackName(context: Context, asked: { name: string; userId: string }): Promise<void> {
  const [refused] = await trackNames(context, { names: [asked.name], userId: asked.userId })
  if (refused) throw refused.error
}

/**
 * Reads one subreddit that is due; what fails is tried again later. Answers whether the forum can be asked for more:
 * `failed` says nothing of it, `down` that it is in trouble, `busy` that its limit is used up.
 */
export async function refreshDue(
  context: Context,
  name: string,
): Promise<'read' | 'failed' | 'down' | 'busy'> {
  const { db, clock, log } = context
  const kept = await findReading(db, name)
  if (!kept) return 'read'
  try {
    const accounts = await findInterested(db, kept.id, clock.now())
    await readSubreddit(context, { name, accounts, priority: 'background' })
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
    const code = error instanceof AppError ? error.code : null
    return code === 'forum_busy' ? 'busy' : code === 'forum_down' ? 'down' : 'failed'
  }
}
