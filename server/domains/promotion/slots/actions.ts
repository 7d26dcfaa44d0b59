import { MAX_SLOTS } from '../../../../contract/promotion.ts'
import { wallTime } from '../../../../contract/wall-time.ts'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { schedulePlan } from '../plans/actions.ts'
import { type CandidateRow, firstCandidates } from '../schedule/candidates/data.ts'
import { listPosters } from '../schedule/data.ts'
import { lockQueue } from '../schedule/queue/actions.ts'
import { findByNames } from '../subreddits/data.ts'
import { listFilled, listSlotOwners, listSlots, listTakenTimes, type SlotRow } from './data.ts'
import { minuteOf, type Occurrence, occurrencesOf, type Reach, reachOf } from './rules.ts'

type SavedSlot = {
  slotId: string | undefined
  days: number[]
  time: string
  subreddit: string | null
  accountId: string | null
  byHand: boolean
}

/**
 * Adds a slot or changes one; answers its id. Throws `slot_not_found`, `slots_full`, `subreddit_not_found` and
 * `forum_account_not_found`.
 */
export async function saveSlot(tx: Tx, userId: string, slot: SavedSlot, now: Date): Promise<string> {
  // Two that are added at once must not both be the last.
  await lockQueue(tx, userId)
  const [named] = slot.subreddit === null ? [] : await findByNames(tx, [slot.subreddit])
  if (slot.subreddit !== null && !named) throw new AppError('subreddit_not_found')
  const accounts = slot.accountId === null ? [] : await listPosters(tx, userId)
  if (slot.accountId !== null && !accounts.some(({ id }) => id === slot.accountId))
    throw new AppError('forum_account_not_found')
  const values = {
    days: [...new Set(slot.days)].sort((a, b) => a - b),
    minute: minuteOf(slot.time),
    subreddit_id: named?.id ?? null,
    account_id: slot.accountId,
    by_hand: slot.byHand,
    awaits_forum_id: null,
  }
  if (slot.slotId !== undefined) {
    const changed = await tx
      .updateTable('forum_slots')
      .set(values)
      .where('id', '=', slot.slotId)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    if (changed.numUpdatedRows === 0n) throw new AppError('slot_not_found')
    return slot.slotId
  }
  const { count } = await tx
    .selectFrom('forum_slots')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  if (count >= MAX_SLOTS) throw new AppError('slots_full')
  const { id } = await tx
    .insertInto('forum_slots')
    .values({ user_id: userId, ...values, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Throws `slot_not_found`. */
export async function deleteSlot(tx: Tx, userId: string, slotId: string): Promise<void> {
  const deleted = await tx
    .deleteFrom('forum_slots')
    .where('id', '=', slotId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (deleted.numDeletedRows === 0n) throw new AppError('slot_not_found')
}

/** Candidates that are tried for one time, and, with what is read for them, for all times of somebody at once. */
const MAX_TRIED = 200
const MAX_TRIED_AT_ONCE = 400
/** Candidates that are read at a time; a slot of one subreddit has its own. */
const MAX_CANDIDATES = 200

const NOTHING_LEFT = 'You’ve run out of posts to schedule. Add posts, or choose more subreddits for them.'
const LATER = 'We’re still filling your slots. Check again in a few minutes.'

/** Why candidates aren't taken, by the ids of what the refusal reaches. */
type Refusals = Record<Reach['of'], Map<string, string>>

/** One filling of somebody's slots: what is known by now, and how many tries are left. */
type Filling = {
  userId: string
  publicUrl: string
  now: Date
  /** By the subreddit that slots name. */
  candidates: Map<string | null, { rows: CandidateRow[]; areAll: boolean }>
  /** Reasons for a refusal at any time, by account. */
  refusals: Map<string, Refusals>
  tries: number
}

/**
 * Fills the free times of somebody's slots with the first candidates that suit, each time once: a post that is taken off
 * the timeline leaves its time free. Answers how many were scheduled per slot.
 */
export async function fillSlots(
  tx: Tx,
  { userId, publicUrl, now }: { userId: string; publicUrl: string; now: Date },
): Promise<Map<string, number>> {
  const { time_zone: timeZone } = await lockQueue(tx, userId)
  // Items that wait for an account already have their problem.
  const slots = (await listSlots(tx, userId)).filter(({ awaits_forum_id }) => awaits_forum_id === null)
  const times = await takeOpenTimes(tx, { userId, slots, timeZone, now })
  // Times of slots whose turn didn't come last time are first, or the ones before them would use up all tries again.
  const open = [true, false].flatMap((isLate) =>
    times.filter(({ slot }) => (slot.problem === LATER) === isLate),
  )
  const nothing = { candidates: new Map(), refusals: new Map() }
  const filling: Filling = { userId, publicUrl, now, ...nothing, tries: MAX_TRIED_AT_ONCE }
  const problems = new Map<string, string>()
  const filled = new Map<string, number>()
  for (const time of open) {
    const { id } = time.slot
    const problem = await fillTime(tx, time, filling)
    if (problem === null) filled.set(id, (filled.get(id) ?? 0) + 1)
    else if (!problems.has(id)) problems.set(id, problem)
  }
  for (const { id, problem } of slots) {
    const next = problems.get(id) ?? null
    if (next !== problem)
      await tx.updateTable('forum_slots').set({ problem: next }).where('id', '=', id).execute()
  }
  return filled
}

type OpenTime = Occurrence & { slot: SlotRow }

/**
 * Schedules the first candidate that suits at this time, and answers null, or why none does. What a refusal reaches isn't
 * tried: where a subreddit takes no more posts, another post isn't taken there either.
 */
async function fillTime(tx: Tx, { slot, on, at }: OpenTime, filling: Filling): Promise<string | null> {
  const { userId, publicUrl, now } = filling
  const poster = `${slot.account_id} ${slot.by_hand}`
  const always = filling.refusals.get(poster) ?? copyOf()
  filling.refusals.set(poster, always)
  const refusals = copyOf(always)
  const planner = { userId, publicUrl, now, slot: { id: slot.id, on } }
  const least = Math.max(filling.tries - MAX_TRIED, 0)
  const seen: Seen = { rows: 0, problem: null }
  while (filling.tries > least) {
    const candidate = await nextCandidate(tx, slot.subreddit_id, { filling, refusals, seen })
    if (!candidate) return seen.problem ?? NOTHING_LEFT
    filling.tries -= 1
    const [planned] = await schedulePlan(tx, [rowFor(candidate, slot, at)], planner)
    if (!planned?.problem) {
      for (const each of filling.candidates.values())
        each.rows = each.rows.filter((row) => pairOf(row) !== pairOf(candidate))
      return null
    }
    const { rule, message } = planned.problem
    const reach = reachOf(rule)
    for (const each of reach.always ? [refusals, always] : [refusals])
      each[reach.of].set(keysOf(candidate)[reach.of], message)
  }
  return filling.tries > 0 ? (seen.problem ?? NOTHING_LEFT) : LATER
}

/** How many candidates were looked at for a time, and why the first wasn't taken: it is the one its person expects. */
type Seen = { rows: number; problem: string | null }

/** The first candidate behind those seen that nothing is known against, be it one that must be read first. */
async function nextCandidate(
  tx: Tx,
  subredditId: string | null,
  { filling, refusals, seen }: { filling: Filling; refusals: Refusals; seen: Seen },
): Promise<CandidateRow | undefined> {
  const query = { userId: filling.userId, subredditId, limit: MAX_CANDIDATES }
  let known = filling.candidates.get(subredditId)
  if (!known) {
    const rows = await firstCandidates(tx, query)
    known = { rows, areAll: rows.length < MAX_CANDIDATES }
    filling.candidates.set(subredditId, known)
  }
  for (; seen.rows < known.rows.length; seen.rows += 1) {
    const row = known.rows[seen.rows] as CandidateRow
    const keys = keysOf(row)
    const problem = KINDS.map((kind) => refusals[kind].get(keys[kind])).find((each) => each !== undefined)
    if (problem === undefined) return row
    seen.problem ??= problem
  }
  if (known.areAll) return undefined
  // Whatever is known was refused by now, so that all that comes is new.
  const leftOut = {
    posts: refusals.posts.keys(),
    subreddits: refusals.subreddits.keys(),
    pairs: refusals.pairs.keys(),
  }
  known.rows.push(...(await firstCandidates(tx, { ...query, leftOut })))
  filling.tries -= 1
  return known.rows[seen.rows]
}

const KINDS = ['posts', 'subreddits', 'pairs'] as const

const copyOf = (refusals?: Refusals): Refusals => ({
  posts: new Map(refusals?.posts),
  subreddits: new Map(refusals?.subreddits),
  pairs: new Map(refusals?.pairs),
})

const keysOf = (row: CandidateRow) => ({ posts: row.id, subreddits: row.subreddit_id, pairs: pairOf(row) })

const pairOf = ({ id, subreddit_id }: CandidateRow) => `${id} ${subreddit_id}`

const rowFor = ({ id, subreddit }: CandidateRow, { account_id, by_hand }: SlotRow, at: Date) => ({
  line: 0,
  postId: id,
  subreddit,
  title: null,
  comment: null,
  nsfw: null,
  flairId: null,
  flairText: null,
  accountId: account_id,
  byHand: by_hand,
  wanted: at.toISOString(),
})

/** The times of slots at which nothing stands yet, the earliest first; what stands there by itself becomes theirs. */
async function takeOpenTimes(
  tx: Tx,
  of: { userId: string; slots: SlotRow[]; timeZone: string; now: Date },
): Promise<OpenTime[]> {
  const { userId, slots, timeZone, now } = of
  const times = slots
    .flatMap((slot) => occurrencesOf(slot, { timeZone, now }).map((time) => ({ ...time, slot })))
    .sort((one, other) => one.at.getTime() - other.at.getTime())
  const last = times.at(-1)
  if (!last) return []
  const filled = await listFilled(tx, userId, wallTime(now, timeZone).slice(0, 10))
  const taken = await listTakenTimes(tx, userId, now, last.at)
  const open = times.filter(({ slot, on }) => !filled.has(`${slot.id} ${on}`))
  // A post at that very minute fills it too, so that a slot that is deleted and added again schedules nothing twice.
  for (const { slot, on, at } of open) {
    const there = taken.get(at.getTime())
    if (!there || there.slot_id !== null) continue
    await tx
      .updateTable('scheduled_posts')
      .set({ slot_id: slot.id, slot_on: on })
      .where('id', '=', there.id)
      .execute()
    there.slot_id = slot.id
  }
  return open.filter(({ slot, at }) => taken.get(at.getTime())?.slot_id !== slot.id)
}

const OWNERS_AT_ONCE = 100

/** Fills everybody's slots, each in a transaction of its own; what fails for one keeps nobody else waiting. */
export async function fillDueSlots({ db, clock, publicUrl, log }: Context): Promise<void> {
  for (let behind: string | null = null; ; ) {
    const owners = await listSlotOwners(db, behind, OWNERS_AT_ONCE)
    for (const userId of owners) {
      try {
        await db.transaction().execute((tx) => fillSlots(tx, { userId, publicUrl, now: clock.now() }))
      } catch (error) {
        log.error({ err: error }, 'recurring slots were not filled')
      }
    }
    behind = owners.at(-1) ?? null
    if (owners.length < OWNERS_AT_ONCE) return
  }
}
