import { sql } from 'kysely'
import type { Context } from '../../../../context.ts'
import type { Db, Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import { isThisMachine, networkOf } from '../../../../networks.ts'
import {
  attemptRefusal,
  type Counted,
  type CountedBy,
  type LatestDeclines,
  LIMITS,
  LONGEST_WINDOW_MS,
} from './rules.ts'

/** One use of a card, by the id of the payment or the addition that it is. */
export type CardAttempt = {
  id: string
  userId: string
  /** What `hashedNetwork` says of where it comes from. */
  network: string
  creatorId: string | null
  storedCardId: string | null
}

const THIS_MACHINE = ''

/** Where a use of a card comes from, as it is counted; this machine itself is no network, and isn't. */
export function hashedNetwork({ signer }: Context, ip: string): string {
  return isThisMachine(ip) ? THIS_MACHINE : signer.sign('card-attempts', networkOf(ip))
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
  const sources = {
    user: sql`user_id = ${userId}`,
    network: sql`network = ${network}`,
    creator: sql`creator_id = ${creatorId}::uuid`,
    card: sql`stored_card_id = ${storedCardId}::uuid`,
  }
  const counted = {
    newCards: sql`stored_card_id is null`,
    attempts: sql`true`,
    declines: sql`declined_at is not null`,
  }
  const met: Counted[] = []
  // Else strangers with stolen cards could close a creator's shop to those who have paid before.
  const known = creatorId !== null && (await hasPaid(db, userId))
  const exempt = new Set<CountedBy>([
    ...(network === THIS_MACHINE ? (['network'] as const) : []),
    ...(known ? (['creator'] as const) : []),
  ])
  for (const by of (Object.keys(LIMITS) as CountedBy[]).filter((by) => !exempt.has(by)))
    for (const limit of LIMITS[by]) {
      // A stored card is no new one, whatever else its owner used.
      if (limit.of === 'newCards' && storedCardId !== null) continue
      const after = new Date(now.getTime() - limit.withinMs)
      const { rows } = await sql<{ count: string; since: Date | null }>`
        select count(*) as count, min(created_at) as since from card_attempts
        where ${sources[by]} and ${counted[limit.of]} and created_at > ${after}`.execute(db)
      met.push({ limit, count: Number(rows[0]?.count), since: rows[0]?.since ?? null })
    }
  return met
}

async function hasPaid(db: Db, userId: string): Promise<boolean> {
  const order = await db
    .selectFrom('orders')
    .select('id')
    .where('buyer_id', '=', userId)
    .where('status', '=', 'paid')
    .where('refunded_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return order !== undefined
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
  const before = new Date(now.getTime() - LONGEST_WINDOW_MS)
  await db.deleteFrom('card_attempts').where('created_at', '<=', before).execute()
}
