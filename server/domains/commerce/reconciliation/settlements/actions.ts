import { type Insertable, sql } from 'kysely'
import type { Context } from '../../../../context.ts'
import type { Tx } from '../../../../db/client.ts'
import type { PaymentTables } from '../../../../db/tables/commerce/payments.ts'
import { enqueueMany } from '../../../../jobs/enqueue.ts'
import type { SettledBatch } from '../../../../ports/payments/port.ts'
import { postSettlement } from '../../ledger/actions.ts'
import { isResolvedByHand, recordFindings, resolveSettled } from '../actions.ts'
import { AFTER_ALL, BATCH_KINDS, comparedUntil } from '../rules.ts'
import {
  findExplained,
  findOwn,
  findPosted,
  findRecorded,
  findSettled,
  hasUndecided,
  listGivenUp,
  listOwn,
  listUncounted,
  listUnmade,
  listUnsettled,
  listUntold,
} from './data.ts'
import { differenceCents, isMadeUpBy, netCents, recordedCents, settledSince, waitsUntil } from './rules.ts'

/**
 * Moves what the gateway settled to the bank account, batch by batch, each once: where its transactions, as we have them,
 * come to what its statistics say, or an operator has explained the difference; else that is a finding, as soon as nothing
 * that may be in it is undecided, or has been for days.
 */
export async function postSettlements({ db, clock, log, payments, checkpoint }: Context): Promise<void> {
  const now = clock.now()
  const since = settledSince(await findSettled(db))
  if (!since) return
  const unavailable = (detail: string) => log.error({ detail }, 'the gateway’s batches could not be compared')
  const listed = await payments.listBatches({ since, until: comparedUntil(now) })
  if (listed.kind === 'unavailable') return unavailable(listed.detail)
  const posted = await findPosted(
    db,
    listed.batches.map(({ batchId }) => batchId),
  )
  let found = 0
  // The oldest first, as what is recorded counts for it first.
  const unposted = listed.batches
    .filter(({ batchId }) => !posted.has(batchId))
    .toSorted((one, other) => one.settledAt.getTime() - other.settledAt.getTime())
  for (const batch of unposted) {
    const held = await payments.listBatch(batch.batchId)
    if (held.kind === 'unavailable') return unavailable(held.detail)
    const outcome = await db.transaction().execute(async (tx) => {
      const settledIds = [...held.chargeIds, ...held.refundIds]
      const settled = await settleBatch(tx, batch, { ...held, settledIds }, now)
      await lookUpOtherwise(tx, held)
      await resolveSettled(tx, held.chargeIds, now)
      await checkpoint('settlement.before-commit')
      return settled
    })
    await checkpoint('settlement.committed')
    if (outcome === 'differs') found += 1
  }
  if (found > 0) log.error({ found }, 'settled batches differ from our payments and refunds')
}

/** The gateway's numbers of all that is in a batch, and of what was settled with it. */
type Held = { transactionIds: string[]; settledIds: string[] }

/** Compares one batch with our rows and posts it; a second run finds it posted. One that waits is compared again. */
export async function settleBatch(
  db: Tx,
  batch: SettledBatch,
  { transactionIds, settledIds }: Held,
  now: Date,
): Promise<'posted' | 'differs' | 'waits'> {
  // Asked before the sums: what is decided between the two counts as undecided, and the next comparison has it.
  const mayChange =
    now < waitsUntil(batch.settledAt) && (await hasUndecided(db, transactionIds, batch.settledAt))
  const found = {
    ...(await findOwn(db, transactionIds)),
    chargedBackCents: batch.chargedBackCents === 0 ? 0 : recordedCents(batch, await findRecorded(db, batch)),
  }
  const compared = {
    charged_cents: batch.chargedCents,
    refunded_cents: batch.refundedCents,
    charged_back_cents: batch.chargedBackCents,
    own_charged_cents: found.chargedCents,
    own_refunded_cents: found.refundedCents,
    compared_at: now,
  }
  const row = await lockUnposted(db, {
    ...{ batch_id: batch.batchId, settled_at: batch.settledAt },
    ...{ ...compared, own_charged_back_cents: found.chargedBackCents },
  })
  if (row === null) return 'posted'
  const { id } = row
  const findingOf = (own: typeof found) => ({
    kind: batch.hasFailed ? ('settlement_failed' as const) : ('settlement_differs' as const),
    paymentId: null,
    transactionId: batch.batchId,
    amountCents: differenceCents(batch, own),
    chargedAt: batch.settledAt,
  })
  // What an operator resolved is the difference as they saw it. A dispute recorded since still counts for this batch: left
  // over, it would hide as much of a chargeback that nobody records.
  const seen = { ...found, chargedBackCents: row.own_charged_back_cents }
  const isResolved = await isResolvedByHand(db, findingOf(seen))
  const finding = findingOf(found)
  const isExplained =
    isResolved ||
    finding.amountCents === null ||
    isMadeUpBy(await findExplained(db, transactionIds), { batch, own: found })
  const givenUp = isResolved ? await listOwn(db, transactionIds) : []
  const earlier = isExplained ? await listGivenUp(db, transactionIds) : []
  await db
    .updateTable('settlements')
    .set({
      ...compared,
      given_up: givenUp.filter((number) => !settledIds.includes(number)),
      own_charged_back_cents: found.chargedBackCents,
      posted_at: isExplained ? now : null,
    })
    .where('id', '=', id)
    .execute()
  if (!isExplained) {
    if (mayChange) return 'waits'
    await recordFindings(db, [finding], now)
    return 'differs'
  }
  const nets = { netCents: netCents(batch), ownNetCents: netCents(found) }
  await postSettlement(db, { settlementId: id, ...nets, now })
  await findSettledAfterAll(db, batch, { earlier, now })
  await db
    .updateTable('findings')
    .set({ resolved_at: now })
    .where('kind', 'in', BATCH_KINDS)
    .where('gateway_transaction_id', '=', batch.batchId)
    .where('resolved_at', 'is', null)
    .execute()
  return 'posted'
}

/** What an operator gave up is in suspense, and what settles it now is counted once more: a person takes it out. */
async function findSettledAfterAll(
  db: Tx,
  { batchId, settledAt }: SettledBatch,
  { earlier, now }: { earlier: string[]; now: Date },
): Promise<void> {
  if (earlier.length === 0) return
  const amountCents = netCents({ ...(await findOwn(db, earlier)), chargedBackCents: 0 })
  if (amountCents === 0) return
  const of = { kind: AFTER_ALL, paymentId: null, transactionId: batchId }
  await recordFindings(db, [{ ...of, amountCents, chargedAt: settledAt }], now)
}

/**
 * Has charges looked up that it settled and that we hold for not made, as those of a batch that had failed; refunds that were made
 * at the gateway itself, and that it hasn't told of; ours that it didn't settle; and those that it settled after all.
 */
async function lookUpOtherwise(
  db: Tx,
  held: { transactionIds: string[]; chargeIds: string[]; refundIds: string[] },
): Promise<void> {
  const { chargeIds, refundIds } = held
  const numbers = [
    ...(await listUncounted(db, chargeIds)),
    ...(await listUntold(db, refundIds)),
    ...(await listUnsettled(db, held)),
    ...(await listUnmade(db, refundIds)),
  ]
  await enqueueMany(
    db,
    'gateway.look-up',
    numbers.map((transactionId) => ({ payload: { transactionId }, key: `gateway:${transactionId}` })),
  )
}

/** The row of a batch, made where there is none, for as long as the transaction lasts; null for one that is posted. */
async function lockUnposted(db: Tx, batch: Insertable<PaymentTables['settlements']>) {
  await db
    .insertInto('settlements')
    .values(batch)
    .onConflict((conflict) => conflict.columns(['batch_id', 'livemode']).doNothing())
    .execute()
  const row = await db
    .selectFrom('settlements')
    .select(['id', 'posted_at', 'own_charged_back_cents'])
    .where('batch_id', '=', batch.batch_id)
    .where('livemode', '=', sql<boolean>`installation_livemode()`)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return row.posted_at === null ? row : null
}
