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

type Role = 'creator' | 'referrer'

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

/** The amount that each referrer can be asked for: they never come to owe us, as creators may. */
export type ReferrerFunds = (referrerId: string) => number

/** Gives part of an order, or all of what is left of it, back to the buyer. */
export function refundEntries(order: OrderBalance, cents: number, funds: ReferrerFunds, now: Date): Entry[] {
  return [platform('gateway', -cents), ...takenBack(order, cents, { funds, now })]
}

/** A refund that turned up after a bank had taken the same money: what was given back twice is the platform's loss. */
export function duplicateRefundEntries(
  order: OrderBalance,
  cents: number,
  funds: ReferrerFunds,
  now: Date,
): Entry[] {
  const left = refundableCents(order)
  return [
    platform('gateway', -cents),
    platform('dispute_losses', cents - left),
    ...(left > 0 ? takenBack(order, left, { funds, now }) : []),
  ]
}

/** The bank gave the same money back, so that it was given back once, by the refund: everybody gives their part after all. */
export function refundAloneEntries(order: OrderBalance, cents: number, covers: Covered): Entry[] {
  return [platform('dispute_losses', -cents), ...takenBack(order, cents, covers)]
}

/**
 * The bank took the money and its fee; everybody's part is kept in reserve until the dispute is decided, as far as they have
 * it: of what is still to be delivered all that is theirs. What had been given back before is the platform's loss.
 */
export function disputeOpenedEntries(
  order: OrderBalance,
  { cents, feeCents, isUndelivered }: { cents: number; feeCents: number; isUndelivered: boolean },
  { funds, now }: Covered,
): Entry[] {
  if (order.disputedCents !== 0) throw new Error('this order is disputed already')
  const sharedCents = Math.min(cents, refundableCents(order))
  const earning = sharedCents > 0 ? order.parties : []
  // Its deadline stands still, and what isn't delivered then is given back, so nobody has the rest before.
  const keptCents = isUndelivered ? refundableCents(order) : sharedCents
  const reserved = earning.flatMap((party) => {
    // Some may be kept already, as its refund is sent another way.
    const lacking = Math.max(0, portion(order, party, keptCents) - party.reservedCents)
    return kept(party, lacking, { funds, now })
  })
  return [
    platform('gateway', -cents - feeCents),
    platform('dispute_clearing', sharedCents),
    platform('dispute_losses', cents - sharedCents),
    platform('dispute_fees', feeCents),
    ...reserved,
  ]
}

/**
 * When a dispute was decided, and until when what it was of is to be delivered now, where that isn't done; of that, whether a
 * refund is sent another way, so that all of it stays in reserve.
 */
export type Decided = { now: Date; deliveredBy: Date | null; isSent: boolean }

/**
 * Keeps all shares of what is still to be delivered in reserve while a refund of it is sent another way: its deadline stands
 * still, and nobody knows how long.
 */
export function sendingBegunEntries(order: OrderBalance, covers: Covered): Entry[] {
  return order.parties.flatMap((party) => kept(party, unreserved(party), covers))
}

/** Puts them back where they came from, to wait for the new deadline; an open dispute keeps them. */
export function sendingEndedEntries(
  order: OrderBalance,
  { now, deliveredBy }: { now: Date; deliveredBy: Date | null },
): Entry[] {
  return order.disputedCents === 0 ? fromReserve(putOff(order, deliveredBy), now) : []
}

/** Keeps so much of a share in reserve, as far as its person has it. */
function kept(party: Party, cents: number, covers: Covered): Entry[] {
  const part = covered(party, cents, covers)
  return [own(party, part, covers.now), reserve(party, -part)]
}

/** The bank gives so much money back, all that it took but for its fee. */
export function disputeWonEntries(order: OrderBalance, cents: number, decided: Decided): Entry[] {
  return [
    platform('gateway', cents),
    platform('dispute_clearing', -order.disputedCents),
    platform('dispute_losses', order.disputedCents - cents),
    ...(decided.isSent ? [] : fromReserve(putOff(order, decided.deliveredBy), decided.now)),
  ]
}

/** The buyer keeps the money, which everyone who earned by it gives back; nothing of what was given back before. */
export function disputeLostEntries(
  order: OrderBalance,
  funds: ReferrerFunds,
  { now, deliveredBy, isSent }: Decided,
): Entry[] {
  const cents = order.disputedCents
  if (cents === 0) return []
  if (isSent)
    return [
      platform('dispute_clearing', -cents),
      ...takenBack({ ...order, disputedCents: 0 }, cents, { funds, now }),
    ]
  const later = putOff(order, deliveredBy)
  const parties = later.parties.map((party) => ({ ...party, reservedCents: 0 }))
  const undisputed = { ...order, parties, disputedCents: 0 }
  const reservedOf = (userId: string) =>
    order.parties.find((party) => party.role === 'referrer' && party.userId === userId)?.reservedCents ?? 0
  return [
    platform('dispute_clearing', -cents),
    // The reserve covers everybody's part, to the cent by which a refund in between moved it.
    ...fromReserve(later, now),
    ...takenBack(undisputed, cents, { funds: (userId) => funds(userId) + reservedOf(userId), now }),
  ]
}

/** Shares wait for the new deadline where all that is left of one comes from reserve, so that each keeps one date. */
function putOff(order: OrderBalance, deliveredBy: Date | null): OrderBalance {
  if (deliveredBy === null) return order
  const availableAt = availableFrom(deliveredBy)
  const parties = order.parties.map((party) =>
    unreserved(party) === 0 && availableAt > party.availableAt ? { ...party, availableAt } : party,
  )
  return { ...order, parties }
}

/** The part of a person's share that is neither reversed nor in reserve. */
const unreserved = ({ earnedCents, returnedCents, reservedCents }: Party): number =>
  earnedCents - returnedCents - reservedCents

/** Puts what is reserved back where it came from; what has become due since is available. */
function fromReserve(order: OrderBalance, now: Date): Entry[] {
  return order.parties.flatMap((party) => [
    reserve(party, party.reservedCents),
    own(party, -party.reservedCents, now),
  ])
}

function reserve({ role, userId }: Party, amountCents: number): Entry {
  return { kind: `${role}_reserve`, userId, amountCents, availableAt: null }
}

/** Takes from everyone their part of what is given back; the platform bears rounding and what a referrer can't pay. */
function takenBack(order: OrderBalance, cents: number, { funds, now }: Covered): Entry[] {
  requireRefundable(order, cents)
  const people = order.parties.flatMap((party) => {
    const part = portion(order, party, cents)
    // A dispute may hold more than its own part, of which another refund takes what isn't there otherwise.
    const fromReserve = Math.min(party.reservedCents, Math.max(0, part - unreserved(party)))
    return [own(party, covered(party, part - fromReserve, { funds, now }), now), reserve(party, fromReserve)]
  })
  const fromPeople = people.reduce((sum, { amountCents }) => sum + amountCents, 0)
  return [...people, platform('platform_fees', cents - fromPeople)]
}

type Covered = { funds: ReferrerFunds; now: Date }

/** As much of a part as can be taken from somebody: of a creator all, of a referrer what is pending or what they have. */
function covered({ role, userId, availableAt }: Party, part: number, { funds, now }: Covered): number {
  return role === 'creator' || availableAt > now ? part : Math.min(part, Math.max(0, funds(userId)))
}

/**
 * The amount still to be reversed from one person when so much more is refunded: their whole part up to there, less
 * what was reversed already, so that a full refund ends at exactly zero.
 */
function portion(order: OrderBalance, party: Party, cents: number): number {
  const given = BigInt(order.returnedCents + cents)
  const target = (BigInt(party.earnedCents) * given) / BigInt(order.grossCents)
  const part = Number(target) - party.returnedCents
  // A commission that was canceled is back whole already.
  return party.role === 'referrer' ? Math.max(0, part) : part
}

/** Takes a commission that is still pending, or all in reserve, back to the platform's fees; nothing of one that is available or gone. */
export function commissionCanceledEntries(order: OrderBalance, referrerId: string, now: Date): Entry[] {
  const party = order.parties.find(({ role, userId }) => role === 'referrer' && userId === referrerId)
  const cents = party ? party.earnedCents - party.returnedCents : 0
  if (!party || cents <= 0) return []
  const { reservedCents } = party
  if (party.availableAt <= now && reservedCents !== cents) return []
  return [
    own(party, cents - reservedCents, now),
    reserve(party, reservedCents),
    platform('platform_fees', -cents),
  ]
}

/** A line on a person's own account: pending as long as the sale's share is, then available. */
function own(party: Party, amountCents: number, now: Date): Entry {
  const isPending = party.availableAt > now
  return {
    kind: `${party.role}_${isPending ? 'pending' : 'available'}`,
    userId: party.userId,
    amountCents,
    availableAt: isPending ? party.availableAt : null,
  }
}

function requireRefundable(order: OrderBalance, cents: number): void {
  if (cents <= 0 || cents > refundableCents(order))
    throw new Error(`${cents} cents can't be given back of ${refundableCents(order)}`)
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

function platform(kind: AccountKind, amountCents: number): Entry {
  return { kind, userId: null, amountCents, availableAt: null }
}
