import { split } from '../../../../contract/money.ts'
import type { AccountKind, AdjustedAccount, JournalKind } from '../../../db/tables/commerce/ledger.ts'

/** One line of a journal in cents: debits are positive, credits (what is owed to people, what was earned) negative. */
export type Entry = {
  kind: AccountKind
  userId: string | null
  amountCents: number
  /** When a pending share becomes available; null on every other line. */
  availableAt: Date | null
}

const DAY_MS = 24 * 3600 * 1000
/** A share waits for refunds and disputes, most of which come early. */
export const PENDING_DAYS = 7

/** When the share of a sale may be paid out. */
export function availableFrom(soldAt: Date): Date {
  return new Date(soldAt.getTime() + PENDING_DAYS * DAY_MS)
}

export type Sale = {
  creatorId: string
  grossCents: number
  /** 0 to 10,000 hundredths of a percent. */
  feeBasisPoints: number
  /** The referrers' part of the platform's fee. */
  commissions?: { referrerId: string; cents: number }[]
  /** When what was sold is delivered at the latest, where that isn't at once. */
  deliveredBy?: Date | null
}

/** The gateway owes us gross, of which the platform keeps its fee and people are owed the rest (docs/product.md, Money). */
export function saleEntries(sale: Sale, now: Date): Entry[] {
  const { feeCents, shareCents } = split(sale.grossCents, sale.feeBasisPoints / 100)
  const commissions = sale.commissions ?? []
  const paidOn = commissions.reduce((sum, { cents }) => sum + cents, 0)
  // Undelivered requests are refunded, so nobody gets their money before delivery.
  const availableAt = availableFrom(sale.deliveredBy ?? now)
  return [
    platform('gateway', sale.grossCents),
    platform('platform_fees', paidOn - feeCents),
    { kind: 'creator_pending', userId: sale.creatorId, amountCents: -shareCents, availableAt },
    ...commissions.map(({ referrerId, cents }) => ({
      kind: 'referrer_pending' as const,
      userId: referrerId,
      amountCents: -cents,
      availableAt,
    })),
  ]
}

export type Role = 'creator' | 'referrer'

/** One person's share of an order, the part that was reversed, and the part that an open dispute keeps in reserve. */
export type Party = {
  role: Role
  userId: string
  earnedCents: number
  returnedCents: number
  reservedCents: number
  /** When what is still pending of it becomes available: later than at the sale if a dispute has put it off. */
  availableAt: Date
}

/** The sums of one order's journals; money held by an open dispute is neither earned nor returned yet. */
export type OrderBalance = {
  grossCents: number
  returnedCents: number
  disputedCents: number
  parties: Party[]
}

/** Postings of an order, summed by account and by whether they are of its sale. */
export type OrderPosting = Entry & { journalKind: JournalKind }

/** Sums up the postings of one order. */
export function orderBalance(postings: OrderPosting[]): OrderBalance {
  const parties = new Map<string, Party>()
  const balance = { grossCents: 0, returnedCents: 0, disputedCents: 0 }
  for (const { kind, userId, amountCents, journalKind, availableAt } of postings) {
    const isSale = journalKind === 'sale'
    if (kind === 'gateway' && isSale) balance.grossCents += amountCents
    if (kind === 'dispute_clearing') balance.disputedCents += amountCents
    if (kind === 'platform_fees' && !isSale) balance.returnedCents += amountCents
    if (userId === null) continue
    const role = kind.startsWith('creator_') ? 'creator' : 'referrer'
    const key = `${role} ${userId}`
    const party: Party = parties.get(key) ?? {
      role,
      userId,
      earnedCents: 0,
      returnedCents: 0,
      reservedCents: 0,
      availableAt: new Date(0),
    }
    if (kind.endsWith('_reserve')) party.reservedCents -= amountCents
    if (availableAt && availableAt > party.availableAt) party.availableAt = availableAt
    if (isSale) party.earnedCents -= amountCents
    else {
      party.returnedCents += amountCents
      balance.returnedCents += amountCents
    }
    parties.set(key, party)
  }
  return { ...balance, parties: [...parties.values()] }
}

/** The part of an order that can still be refunded or disputed. */
export function refundableCents(order: OrderBalance): number {
  return order.grossCents - order.returnedCents - order.disputedCents
}

/**
 * How much of a part of an order goes with what is given back of it, in cents: rounded down, and all of it with all of the
 * order.
 */
export function returnedPart(
  partCents: number,
  { grossCents, returnedCents }: Pick<OrderBalance, 'grossCents' | 'returnedCents'>,
): number {
  return grossCents === 0 ? 0 : Number((BigInt(partCents) * BigInt(returnedCents)) / BigInt(grossCents))
}

/** Makes what is due of a pending account available. */
export function releaseEntries(role: Role, userId: string, cents: number): Entry[] {
  return [
    { kind: `${role}_pending`, userId, amountCents: cents, availableAt: null },
    { kind: `${role}_available`, userId, amountCents: -cents, availableAt: null },
  ]
}

/** A person's payable amount: a creator's debt is netted against what they earned as a referrer. */
export type Available = { creatorCents: number; referrerCents: number }

/** Sets an amount aside to be paid out; null when there isn't as much. */
export function payoutEntries(userId: string, available: Available, cents: number): Entry[] | null {
  if (cents <= 0 || cents > available.creatorCents + available.referrerCents) return null
  const fromCreator = Math.min(cents, Math.max(0, available.creatorCents))
  return [
    { kind: 'creator_available', userId, amountCents: fromCreator, availableAt: null },
    { kind: 'referrer_available', userId, amountCents: cents - fromCreator, availableAt: null },
    platform('payout_in_transit', -cents),
  ]
}

/** The bank has paid it. */
export function payoutPaidEntries(cents: number): Entry[] {
  return [platform('payout_in_transit', cents), platform('bank', -cents)]
}

/** The bank has given back what it paid: the money is where it was before it was set aside. */
export function paidReturnedEntries(setAside: Entry[], cents: number): Entry[] {
  return reversed([...setAside, ...payoutPaidEntries(cents)]).filter(
    ({ kind }) => kind !== 'payout_in_transit',
  )
}

/**
 * A settled batch has come to the bank account. What the gateway settled beyond our own payments and refunds, as an operator
 * has explained, stays in suspense; nothing where a batch comes to nothing.
 */
export function settlementEntries({
  netCents,
  ownNetCents,
}: {
  netCents: number
  ownNetCents: number
}): Entry[] {
  return [
    platform('bank', netCents),
    platform('gateway', -ownNetCents),
    platform('suspense', ownNetCents - netCents),
  ].filter(({ amountCents }) => amountCents !== 0)
}

/** An adjustment from an outside document: one of the platform's own accounts holds less, another more. */
export function adjustmentEntries({
  from,
  to,
  cents,
}: {
  from: AdjustedAccount
  to: AdjustedAccount
  cents: number
}): Entry[] {
  return [platform(to, cents), platform(from, -cents)]
}

/** A share of the subreddit program, pending like any other: out of the platform's fees, or out of what was held. */
export function affiliateEntries(
  { userId, cents, from }: { userId: string; cents: number; from: 'platform_fees' | 'suspense' },
  now: Date,
): Entry[] {
  return [
    platform(from, cents),
    { kind: 'referrer_pending', userId, amountCents: -cents, availableAt: availableFrom(now) },
  ]
}

/** Takes a share of the subreddit program that is still pending back to the platform's fees. */
export function shareCanceledEntries(share: {
  userId: string
  cents: number
  availableAt: Date | null
}): Entry[] {
  const { userId, cents, availableAt } = share
  return [
    { kind: 'referrer_pending', userId, amountCents: cents, availableAt },
    platform('platform_fees', -cents),
  ]
}

/** A share that nobody has claimed yet is set aside. */
export function heldEntries(cents: number): Entry[] {
  return [platform('platform_fees', cents), platform('suspense', -cents)]
}

/** The opposite of what was posted: the money goes back to where it came from. */
export function reversed(entries: Entry[]): Entry[] {
  return entries.map((entry) => ({ ...entry, amountCents: -entry.amountCents }))
}

/** A line on an account of the platform's own. */
export function platform(kind: AccountKind, amountCents: number): Entry {
  return { kind, userId: null, amountCents, availableAt: null }
}
