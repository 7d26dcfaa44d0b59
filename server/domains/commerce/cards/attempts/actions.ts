import { sql } from 'kysely'
import type { Context } from '../../../../context.ts'
import type { Db, Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import { isLoopback, networkOf } from '../../../../networks.ts'
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
  /** The network of the request, as `hashedNetwork` gives it. */
  network: string
  creatorId: string | null
  storedCardId: string | null
}

const THIS_MACHINE = ''

/**
 * Where a use of a card comes from, as it is counted; with a sandbox this machine itself is no network, and isn't. With real
 * cards it is one: it may be a proxy that isn't trusted to say who is behind it.
 */
export function hashedNetwork({ signer, payments }: Context, ip: string): string {
  return isLoopback(ip) && payments.sandbox ? THIS_MACHINE : signer.sign('card-attempts', networkOf(ip))
}

/**
 * Counts a use of a card; throws what `attemptRefusal` says. Uses that one limit counts come one after the other, until the
 * caller's transaction ends.
 */
export async function countAttempt(db: Tx, attempt: CardAttempt, now: Date): Promise<void> {
  const sources = await sourcesOf(db, attempt)
  await takeTurns(db, sources)
  const refused = attemptRefusal(
    await countFor(db, attempt, sources, now),
    await findLatest(db, attempt.userId),
    now,
  )
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

/** The keys by which a use is counted, each with its value. */
type Sources = Partial<Record<CountedBy, string>>

async function sourcesOf(db: Db, attempt: CardAttempt): Promise<Sources> {
  const { userId: user, network, creatorId: creator, storedCardId: card } = attempt
  // Else strangers with stolen cards could close a creator's shop to those who have paid before.
  const countsForCreator = creator !== null && !(await hasPaid(db, user))
  return {
    ...(network === THIS_MACHINE ? {} : { network }),
    ...(countsForCreator ? { creator } : {}),
    user,
    ...(card === null ? {} : { card }),
  }
}

/** In this order everywhere, so that none waits for another in a circle. A card is one person's. */
async function takeTurns(db: Tx, sources: Sources): Promise<void> {
  for (const by of ['network', 'creator', 'user'] as const)
    if (sources[by] !== undefined)
      await sql`select pg_advisory_xact_lock(hashtextextended(${`card attempts by ${by} ${sources[by]}`}, 0))`.execute(
        db,
      )
}

const COLUMN = { user: 'user_id', network: 'network', creator: 'creator_id', card: 'stored_card_id' } as const

async function countFor(db: Db, attempt: CardAttempt, sources: Sources, now: Date): Promise<Counted[]> {
  const counted = {
    newCards: sql`stored_card_id is null`,
    attempts: sql`true`,
    declines: sql`declined_at is not null`,
  }
  const met: Counted[] = []
  for (const [by, source] of Object.entries(sources) as [CountedBy, string][])
    for (const limit of LIMITS[by]) {
      // A stored card is no new one, whatever else its owner used.
      if (limit.of === 'newCards' && attempt.storedCardId !== null) continue
      const after = new Date(now.getTime() - limit.withinMs)
      const { rows } = await sql<{ count: string; since: Date | null }>`
        select count(*) as count, min(created_at) as since from card_attempts
        where ${sql.ref(COLUMN[by])} = ${source} and ${counted[limit.of]} and created_at > ${after}`.execute(
        db,
      )
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

/** Forgets uses of cards that no limit counts anymore. */
export async function forgetAttempts(db: Tx, now: Date): Promise<void> {
  const before = new Date(now.getTime() - LONGEST_WINDOW_MS)
  await db.deleteFrom('card_attempts').where('created_at', '<=', before).execute()
}
