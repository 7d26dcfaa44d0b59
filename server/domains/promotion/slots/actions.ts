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
import { minuteOf, type Occurrence, occurrencesOf } from './rules.ts'

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

/** Candidates that are tried for one time, and for all times of somebody at once. */
const MAX_TRIED = 20
const MAX_TRIED_AT_ONCE = 400
/** Candidates that are read at a time; a slot of one subreddit has its own. */
const MAX_CANDIDATES = 200

const NOTHING_LEFT = 'You’ve run out of posts to schedule. Add posts, or choose more subreddits for them.'
const LATER = 'We’re still filling your slots. Check again in a few minutes.'

/**
 * Fills the free times of somebody's slots with the first candidates that suit, each time once: a post that is taken off
 * the timeline leaves its time free. Answers how many were scheduled per slot.
 */
export async function fillSlots(
  tx: Tx,
  { userId, publicUrl, now }: { userId: string; publicUrl: string; now: Date },
): Promise<Map<string, number>> {
  const { time_zone: timeZone } = await lockQueue(tx, userId)
  // What waits for an account has its problem already.
  const slots = (await listSlots(tx, userId)).filter(({ awaits_forum_id }) => awaits_forum_id === null)
  const open = await takeOpenTimes(tx, { userId, slots, timeZone, now })
  const candidates = new Map<string | null, { rows: CandidateRow[]; areAll: boolean }>()
  const problems = new Map<string, string>()
  const filled = new Map<string, number>()
  let tries = MAX_TRIED_AT_ONCE
  for (const { slot, on, at } of open) {
    const { subreddit_id: subredditId } = slot
    let known = candidates.get(subredditId)
    if (!known || (known.rows.length === 0 && !known.areAll)) {
      const rows = await firstCandidates(tx, { userId, subredditId, limit: MAX_CANDIDATES })
      known = { rows, areAll: rows.length < MAX_CANDIDATES }
      candidates.set(subredditId, known)
    }
    let problem: string | null = tries > 0 ? NOTHING_LEFT : LATER
    for (const candidate of known.rows.slice(0, Math.min(MAX_TRIED, tries))) {
      tries -= 1
      const planner = { userId, publicUrl, now, slot: { id: slot.id, on } }
      const [planned] = await schedulePlan(tx, [rowFor(candidate, slot, at)], planner)
      if (!planned?.problem) {
        problem = null
        filled.set(slot.id, (filled.get(slot.id) ?? 0) + 1)
        for (const each of candidates.values()) each.rows = each.rows.filter((row) => !isSame(row, candidate))
        break
      }
      // The first candidate is the one its person expects there.
      if (problem === NOTHING_LEFT) problem = planned.problem.message
    }
    if (problem !== null && !problems.has(slot.id)) problems.set(slot.id, problem)
  }
  for (const { id, problem } of slots) {
    const next = problems.get(id) ?? null
    if (next !== problem)
      await tx.updateTable('forum_slots').set({ problem: next }).where('id', '=', id).execute()
  }
  return filled
}

const isSame = (one: CandidateRow, other: CandidateRow) =>
  one.id === other.id && one.subreddit === other.subreddit

const rowFor = ({ id, subreddit }: CandidateRow, { account_id, by_hand }: SlotRow, at: Date) => ({
  line: 0,
  postId: id,
  subreddit,
  title: null,
  comment: null,
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
): Promise<(Occurrence & { slot: SlotRow })[]> {
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
