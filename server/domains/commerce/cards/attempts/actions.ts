import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import {
  ATTEMPTS_WINDOW_MS,
  attemptRefusal,
  type Counted,
  type CountedBy,
  DECLINES_WINDOW_MS,
  type LatestDeclines,
} from './rules.ts'

/** One use of a card, by the id of the payment or the addition that it is. */
export type CardAttempt = {
  id: string
  userId: string
  /** A keyed hash of where it comes from. */
  network: string
  creatorId: string | null
  storedCardId: string | null
}

/** Counts a use of a card; throws what `attemptRefusal` says. Uses of one person come one after the other. */
export async function countAttempt(db: Tx, attempt: CardAttempt, now: Date): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('card_attempts'), hashtext(${attempt.userId}))`.execute(db)
  const refused = attemptRefusal(await countFor(db, attempt, now), await findLatest(db, attempt.userId), now)
  if (refused) throw new AppError(refused.code, { retryAfterSeconds: refused.retryAfterSeconds })
  await db
    .insertInto('card_attempts')
    .values({
      id: attempt.id,
      user_id: attempt.userId,
      network: attempt.network,
      creator_id: attempt.creatorId,
      stored_card_id: attempt.storedCardId,
      created_at: now,
    })
    .execute()
}

async function countFor(db: Tx, attempt: CardAttempt, now: Date): Promise<Counted[]> {
  const { userId, network, creatorId, storedCardId } = attempt
  const sources: [CountedBy, ReturnType<typeof sql>][] = [
    ['user', sql`user_id = ${userId}`],
    ['network', sql`network = ${network}`],
    ['creator', sql`creator_id = ${creatorId}::uuid`],
    ['card', sql`stored_card_id = ${storedCardId}::uuid`],
  ]
  const [hour, day] = [ATTEMPTS_WINDOW_MS, DECLINES_WINDOW_MS].map((ms) => new Date(now.getTime() - ms))
  const counted: Counted[] = []
  for (const [by, isCounted] of sources) {
    const { rows } = await sql<{
      attempts: number
      first: Date | null
      declines: number
      declined: Date | null
    }>`
      select count(*) filter (where created_at > ${hour}) as attempts,
        min(created_at) filter (where created_at > ${hour}) as first,
        count(declined_at) as declines, min(created_at) filter (where declined_at is not null) as declined
      from card_attempts where ${isCounted} and created_at > ${day}`.execute(db)
    const [row] = rows
    if (row)
      counted.push({
        by,
        attempts: Number(row.attempts),
        attemptsEnd: new Date((row.first ?? now).getTime() + ATTEMPTS_WINDOW_MS),
        declines: Number(row.declines),
        declinesEnd: new Date((row.declined ?? now).getTime() + DECLINES_WINDOW_MS),
      })
  }
  return counted
}

async function findLatest(db: Db, userId: string): Promise<LatestDeclines> {
  const rows = await db
    .selectFrom('card_attempts')
    .select('declined_at')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(2)
    .execute()
  return rows.map((row) => row.declined_at)
}

/** Notes that the use of a card was declined. */
export async function noteDecline(db: Tx, attemptId: string, now: Date): Promise<void> {
  await db.updateTable('card_attempts').set({ declined_at: now }).where('id', '=', attemptId).execute()
}

/** Forgets uses of cards that no limit counts any more. */
export async function forgetAttempts(db: Tx, now: Date): Promise<void> {
  const before = new Date(now.getTime() - DECLINES_WINDOW_MS)
  await db.deleteFrom('card_attempts').where('created_at', '<=', before).execute()
}
