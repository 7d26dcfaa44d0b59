import {
  availableFrom,
  type Entry,
  type OrderBalance,
  type Party,
  platform,
  refundableCents,
  returnedPart,
} from '../rules.ts'

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
  const { grossCents, returnedCents } = order
  const target = returnedPart(party.earnedCents, { grossCents, returnedCents: returnedCents + cents })
  const part = target - party.returnedCents
  // A commission that was canceled is back whole already.
  return party.role === 'referrer' ? Math.max(0, part) : part
}

/** `isGivenBack`: by a refund or a lost dispute since the money was set aside, not only disputed. */
type CutShort = { referrerId: string; cents: number; isGivenBack: boolean; now: Date }

/**
 * Takes of these cents of a referrer's, which have come back to them, what refunds of an order couldn't take, and keeps what
 * its open dispute couldn't: the first line says how much.
 */
export function cutShortEntries(
  order: OrderBalance,
  { referrerId, cents, isGivenBack, now }: CutShort,
): Entry[] {
  const party = order.parties.find(({ role, userId }) => role === 'referrer' && userId === referrerId)
  if (!party) return []
  const most = Math.min(cents, unreserved(party))
  // A dispute alone takes nothing before it is lost.
  const taken = isGivenBack ? Math.min(most, portion(order, party, 0)) : 0
  const lacking =
    order.disputedCents > 0 ? portion(order, party, order.disputedCents) - taken - party.reservedCents : 0
  const reserved = Math.min(most - taken, Math.max(0, lacking))
  if (taken + reserved <= 0) return []
  return [own(party, taken + reserved, now), reserve(party, -reserved), platform('platform_fees', -taken)]
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
