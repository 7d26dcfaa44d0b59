import type { Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import { lockPeople, releaseDue } from '../actions.ts'
import { accountKey, findAvailable, findEntries, findOrderBalances } from '../data.ts'
import { accountIds, post, postEach } from '../posting/actions.ts'
import { cutShortEntries } from '../reversals/rules.ts'
import { type Entry, paidReturnedEntries, payoutEntries, payoutPaidEntries, reversed } from '../rules.ts'
import { listGivenBackSince } from './data.ts'

/** Sets aside what a person asked to be paid. Throws `payout_exceeds_balance`. */
export async function postPayout(
  db: Tx,
  payout: { payoutId: string; userId: string; cents: number; now: Date },
): Promise<void> {
  const { payoutId, userId, cents, now } = payout
  await lockPeople(db, [userId])
  await releaseDue(db, userId, now)
  const entries = payoutEntries(userId, await findAvailable(db, userId), cents)
  if (!entries) throw new AppError('payout_exceeds_balance')
  await post(db, payoutJournal('payout', payoutId), entries, now)
}

/** The bank has paid it out. */
export async function postPayoutPaid(
  db: Tx,
  { payoutId, cents, now }: { payoutId: string; cents: number; now: Date },
): Promise<void> {
  await post(db, payoutJournal('payout_paid', payoutId), payoutPaidEntries(cents), now)
}

/** What refunds and lost disputes took of money that came back, and what open disputes keep of it, in cents. */
type Cut = { takenCents: number; reservedCents: number }

/** It was canceled, or the bank failed to pay it: the money is available again, but for what is cut of it. */
export async function postPayoutReturned(
  db: Tx,
  { payoutId, now }: { payoutId: string; now: Date },
): Promise<Cut> {
  const setAside = await lockSetAside(db, payoutId)
  await post(db, payoutJournal('payout_returned', payoutId), reversed(setAside), now)
  return postCutShort(db, { payoutId, setAside, now })
}

/** A paid payout came back to the bank account: the money is available again, but for what is cut of it. */
export async function postPaidReturned(
  db: Tx,
  { payoutId, cents, now }: { payoutId: string; cents: number; now: Date },
): Promise<Cut> {
  const setAside = await lockSetAside(db, payoutId)
  await post(db, payoutJournal('payout_returned', payoutId), paidReturnedEntries(setAside, cents), now)
  return postCutShort(db, { payoutId, setAside, now })
}

const payoutJournal = (kind: 'payout' | 'payout_paid' | 'payout_returned', payoutId: string) =>
  ({ kind, order_id: null, source_type: 'payout', source_id: payoutId }) as const

/** What was set aside; its person is locked first, as whatever is posted for an order of theirs waits for the same lock. */
async function lockSetAside(db: Tx, payoutId: string): Promise<Entry[]> {
  const setAside = await findEntries(db, { source_type: 'payout', source_id: payoutId, kind: 'payout' })
  await lockPeople(
    db,
    setAside.flatMap(({ userId }) => userId ?? []),
  )
  return setAside
}

/**
 * Takes from a referrer, out of what has come back, the amounts that refunds and disputes couldn't take because it was set
 * aside. What was cut short before that stays the platform's.
 */
async function postCutShort(
  db: Tx,
  { payoutId, setAside, now }: { payoutId: string; setAside: Entry[]; now: Date },
): Promise<Cut> {
  const back = setAside.find(({ kind, amountCents }) => kind === 'referrer_available' && amountCents > 0)
  if (!back?.userId) return { takenCents: 0, reservedCents: 0 }
  const { userId } = back
  const given = await listGivenBackSince(db, { payoutId, referrerId: userId })
  const balances = await findOrderBalances(
    db,
    given.map(({ orderId }) => orderId),
  )
  let left = back.amountCents
  const lines = given.flatMap(({ orderId, isGivenBack }) => {
    const order = balances.get(orderId)
    const asked = { referrerId: userId, cents: left, isGivenBack, now }
    const entries = order ? cutShortEntries(order, asked) : []
    left -= entries[0]?.amountCents ?? 0
    return entries.length === 0 ? [] : [{ orderId, entries }]
  })
  const sumOf = (kind: Entry['kind']) =>
    -lines
      .flatMap((line) => line.entries)
      .reduce((sum, entry) => sum + (entry.kind === kind ? entry.amountCents : 0), 0)
  const cut = { takenCents: sumOf('platform_fees'), reservedCents: sumOf('referrer_reserve') }
  if (lines.length === 0) return cut
  const accounts = await accountIds(db, [back])
  const account_id = accounts.get(accountKey(back)) ?? ''
  const releases = await db
    .insertInto('ledger_releases')
    .values(lines.map(({ orderId: order_id }) => ({ account_id, order_id, released_at: now })))
    .returning(['id', 'order_id'])
    .execute()
  const sources = new Map(releases.map(({ id, order_id }) => [order_id, id]))
  const journals = lines.map(({ orderId, entries }) => ({
    journal: {
      ...({ kind: 'refund', order_id: orderId, source_type: 'release' } as const),
      source_id: sources.get(orderId) ?? '',
    },
    entries,
  }))
  await postEach(db, journals, now)
  return cut
}
