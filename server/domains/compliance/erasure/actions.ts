import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../db/client.ts'
import { personalData } from '../../../db/personal-data.ts'
import { LATER } from '../../../jobs/enqueue.ts'
import { requestCustomerDeletion } from '../../commerce/cards/forgetting/actions.ts'
import { erasePlans } from '../../commerce/subscriptions/plans/actions.ts'
import { beginErasure, endErasure } from '../../identity/account/deletion/actions.ts'
import { hashPassword } from '../../identity/passwords/actions.ts'
import { holdEvidence } from '../../media/versions/actions.ts'
import { forgetPerson, notifyEach } from '../../notifications/actions.ts'
import { forgetTitles } from '../../profiles/shared-codes/actions.ts'
import { revokeAllGrants } from '../../promotion/accounts/actions.ts'
import { findBuyers, findDueDeletions, findHold, findReferences, findStored, type Reference } from './data.ts'

const FOREIGN_KEY_VIOLATION = '23503'

/** Erases every account whose deletion is due; safe to run again after a crash at any point. */
export async function eraseDueAccounts(context: Context): Promise<void> {
  const { db, clock, log } = context
  let failed = 0
  for (const userId of await findDueDeletions(db, clock.now())) {
    try {
      await eraseAccount(context, userId)
    } catch (error) {
      // One account that can't be erased must not keep the others.
      failed++
      log.error({ err: error, userId }, 'an account could not be erased')
    }
  }
  if (failed > 0) throw new Error(`${failed} accounts could not be erased`)
}

/** Files first, then rows: rows are what the next run finds the files by. */
async function eraseAccount(context: Context, userId: string): Promise<void> {
  const { db, clock, storage, log } = context
  // An undecided payment must find what it grants, a refund must find its payment, and a payout needs its account.
  const hold = await findHold(db, userId, clock.now())
  if (hold) {
    log.warn({ userId, hold }, 'an account that is due is not erased yet')
    return
  }
  const started = await db.transaction().execute(async (tx) => {
    if (!(await beginErasure(tx, userId, clock.now()))) return false
    await holdEvidence(tx, userId, clock.now())
    return true
  })
  if (!started) return
  const { storageIds, uploadIds } = await findStored(db, userId)
  for (const id of storageIds) await storage.removeAll(`media/${id}`)
  for (const id of uploadIds) {
    await storage.remove(`uploads/${id}`)
    await storage.removeAll(`uploads/${id}.chunks`)
    await storage.removeAll(`uploads/${id}.whole`)
  }
  await storage.removeAll(`profile/${userId}`)
  await storage.removeAll(`exports/${userId}`)
  const passwordHash = await hashPassword(randomUUID())
  await db.transaction().execute(async (transaction) => {
    await eraseQueue(transaction, userId)
    await erasePlans(transaction, userId, clock.now())
    await requestCustomerDeletion(transaction, userId, clock.now())
    await revokeAllGrants(transaction, context.vault, userId, clock.now())
    await forgetPerson(transaction, userId)
    await forgetTitles(transaction, userId)
    await eraseRows(transaction, userId)
    await endErasure(transaction, { userId, passwordHash, now: clock.now() })
  })
}

/**
 * Jobs that wait, or were given up, name the account or its address. An address is a whole value between quotes, as
 * ann@… is part of joann@…; the quotes inside of texts are escaped, and left out before one looks.
 */
async function eraseQueue(db: Tx, userId: string): Promise<void> {
  await sql`
    select graphile_worker.complete_jobs(array_agg(jobs.id)) from graphile_worker._private_jobs jobs, users
    where users.id = ${userId} and jobs.locked_at is null and (
      position('"' || users.email || '"' in regexp_replace(lower(jobs.payload::text), '\\\\.', '', 'g')) > 0
      or position(users.id::text in jobs.payload::text) > 0
    )
    having count(*) > 0`.execute(db)
}

/** Tables that need more than the removal of their rows. */
const SCRUBBED = new Set(['users', 'subscription_plans'])

/**
 * Removes a person's rows from every table that `personalData` marks; where somebody else's row names them, only the
 * name is cleared. Tables that hold one another wait for the next round.
 */
async function eraseRows(db: Tx, userId: string): Promise<void> {
  const erased = Object.keys(personalData).filter(
    (table) => personalData[table] === 'erased' && !SCRUBBED.has(table),
  )
  let left = await findReferences(db, erased)
  while (left.length > 0) {
    const blocked: Reference[] = []
    for (const reference of left) if (!(await eraseBy(db, reference, userId))) blocked.push(reference)
    if (blocked.length === left.length)
      throw new Error(`rows of ${blocked.map(({ table }) => table).join(', ')} can't be removed`)
    left = blocked
  }
}

/** False when rows elsewhere still need them. */
async function eraseBy(db: Tx, { table, column, owner }: Reference, userId: string): Promise<boolean> {
  const [from, named] = [sql.table(table), sql.ref(column)]
  await sql`savepoint erasing`.execute(db)
  try {
    await (owner
      ? sql`delete from ${from} where ${named} = ${userId}`.execute(db)
      : sql`update ${from} set ${named} = null where ${named} = ${userId}`.execute(db))
    await sql`release savepoint erasing`.execute(db)
    return true
  } catch (error) {
    if ((error as { code?: string }).code !== FOREIGN_KEY_VIOLATION) throw error
    await sql`rollback to savepoint erasing`.execute(db)
    return false
  }
}

/** Buyers who are told in one transaction. */
const TOLD_AT_ONCE = 200

/**
 * Tells everybody who holds something of a creator whose account will be erased, until that is taken back; some at a time.
 * Run again after a crash, it tells those who weren't.
 */
export async function tellBuyers({ db, clock }: Context, creatorId: string): Promise<void> {
  const buyers = await findBuyers(db, creatorId, clock.now())
  for (let told = 0; told < buyers.length; told += TOLD_AT_ONCE) {
    const some = buyers.slice(told, told + TOLD_AT_ONCE)
    const isLeaving = await db
      .transaction()
      .execute((tx) => tellOfLeaving(tx, { creatorId, buyers: some, now: clock.now() }))
    if (!isLeaving) return
  }
}

/** False when the deletion was canceled or the erasure has started: then nobody is told. */
async function tellOfLeaving(
  db: Tx,
  { creatorId, buyers, now }: { creatorId: string; buyers: string[]; now: Date },
): Promise<boolean> {
  const request = await db
    .selectFrom('account_deletions')
    .innerJoin('users', 'users.id', 'account_deletions.user_id')
    .select(['due_at', 'username'])
    .where('user_id', '=', creatorId)
    .where('started_at', 'is', null)
    .executeTakeFirst()
  if (!request) return false
  const until = request.due_at.toISOString().slice(0, 10)
  const data = { username: request.username, creatorId, until }
  // Once for each date, however often the creator changes their mind.
  const once = `creator.leaving ${creatorId} ${until}`
  const events = buyers.map((person) => ({ event: { kind: 'creator.leaving' as const, person, data }, once }))
  await notifyEach(db, events, { now, priority: LATER })
  return true
}
