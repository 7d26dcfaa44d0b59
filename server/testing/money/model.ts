/**
 * The expected results of a small business of subscriptions and things to buy: written from docs/product.md, sharing
 * no code with the product. Amounts are integer cents; fans, creators and items are numbers.
 */

import { after, offerRefusal, releaseUnpaid, type Shop } from './offers.ts'
import { isHeld, leftOf, type Message, type Order, type Thing } from './orders.ts'
import {
  endOf,
  isLive,
  isOver,
  lastDayOf,
  nextOf,
  passOn,
  paysOf,
  priceOf,
  renews,
  retryAfter,
  type Sub,
  settleMissed,
} from './subs.ts'

const NOTICE_DAYS = 30
const GRACE_DAYS = 3
const HOUR_MS = 3600 * 1000
const LEAST_CENTS = 100
export const TRIAL_DAYS = 7
export const ITEMS = 3

/** An issuer's soft or hard decline of a card, or a gateway that can't be reached. */
export type Failure = 'soft' | 'hard' | 'outage'

export type Buying = { fan: number; creator: number; thing: Thing; now: Date }

export class Model {
  readonly orders: Order[] = []
  readonly subs: Sub[] = []
  readonly messages: Message[] = []
  readonly shops: Shop[]

  constructor(shops: Shop[]) {
    this.shops = shops
  }

  /** What a creator is owed of what was sold, less what was given back and paid out; the platform keeps a fifth. */
  owed(creator: number): number {
    const shares = this.orders.filter((order) => order.creator === creator)
    return shares.reduce(
      (sum, { cents, returned }) => {
        const share = cents - Math.floor(cents / 5)
        return sum + share - Math.floor((share * returned) / cents)
      },
      0 - (this.shops[creator]?.paidOut ?? 0),
    )
  }

  /** The items of a creator that a fan has for good. */
  owned(fan: number, creator: number): Set<number> {
    const paid = this.orders.filter(
      (order) => order.fan === fan && order.creator === creator && order.state === 'paid',
    )
    return new Set(paid.flatMap(({ items }) => items))
  }

  live(fan: number, creator: number): Sub | undefined {
    return this.subs.find((sub) => sub.fan === fan && sub.creator === creator && isLive(sub))
  }

  /** What the thing costs this fan now and what they get, or why they can't buy it. */
  quote(
    fan: number,
    creator: number,
    thing: Thing,
  ): { cents: number; items: number[] } | { refused: string } {
    const { price, itemPrices, bundlePrice } = this.shops[creator] as Shop
    if (thing.kind === 'tip') return { cents: thing.cents, items: [] }
    const disputed = this.orders.filter(
      (order) => order.fan === fan && order.creator === creator && order.state === 'disputed',
    )
    if (thing.kind === 'subscription') {
      const live = this.live(fan, creator)
      if (live && live.status !== 'past_due') return { refused: 'already_subscribed' }
      if (disputed.some(({ kind }) => kind === 'subscription')) return { refused: 'purchase_disputed' }
      return { cents: priceOf(price, thing.months), items: [] }
    }
    if (thing.kind === 'message') {
      const { message } = thing
      const earlier = this.orders.find((order) => order.message === message && isHeld(order))
      if (earlier) return { refused: earlier.state === 'paid' ? 'already_owned' : 'purchase_disputed' }
      return { cents: message.cents, items: [] }
    }
    const offer = thing.kind === 'bundle' ? thing.offer : null
    const refused = offer && offerRefusal(offer, fan)
    if (refused) return { refused }
    const owned = this.owned(fan, creator)
    const wanted = thing.kind === 'single' ? [thing.item] : [...Array(ITEMS).keys()]
    const earlier = this.orders.find(
      (order) =>
        order.fan === fan &&
        order.creator === creator &&
        order.kind === thing.kind &&
        (thing.kind === 'bundle' || order.items[0] === thing.item) &&
        isHeld(order),
    )
    if (earlier?.state === 'paid' || wanted.every((item) => owned.has(item)))
      return { refused: 'already_owned' }
    const items = wanted.filter((item) => !owned.has(item))
    // Nothing of it is paid for twice, should the bank give it back.
    if (earlier || disputed.some((order) => order.items.some((item) => items.includes(item))))
      return { refused: 'purchase_disputed' }
    if (thing.kind === 'single') return { cents: itemPrices[thing.item] as number, items: wanted }
    const whole = offer?.cents ?? bundlePrice
    return { cents: Math.max(LEAST_CENTS, Math.ceil((whole * items.length) / ITEMS)), items }
  }

  /** Somebody begins to pay for the thing, which gives up what they began before of the same in another way. */
  begun({ fan, creator, thing, now }: Buying): void {
    if (thing.kind === 'subscription') settleMissed(this.live(fan, creator), now)
    if (thing.kind !== 'bundle') return
    this.shops[creator]?.discount?.reserved.delete(fan)
    thing.offer?.reserved.set(fan, now)
  }

  /** What was tried days ago and never paid is given up. */
  closeUnpaid(now: Date): void {
    for (const { discount } of this.shops) if (discount) releaseUnpaid(discount, now)
  }

  /** The plan for free, which ends by itself; or why not. */
  redeem(fan: number, creator: number, now: Date): Sub | { refused: string } {
    const { trial, price } = this.shops[creator] as Shop
    this.expire(now, fan)
    if (!trial) return { refused: 'offer_not_found' }
    const refused = offerRefusal(trial, fan)
    if (refused) return { refused }
    if (this.live(fan, creator)) return { refused: 'already_subscribed' }
    trial.redeemed.add(fan)
    const anchor = after(now, TRIAL_DAYS)
    const sub: Sub = {
      ...{ id: '', fan, creator, months: 1, cents: price, anchor, paid: 0, periods: 0 },
      ...{ status: 'trialing', dueAt: anchor, owed: null, ahead: [], asked: null },
      ...{ wasDisputed: false, hasCard: false },
    }
    this.subs.push(sub)
    return sub
  }

  /** The thing was paid for, as it was quoted. Of a subscription it is a renewal that was owed, or a new one. */
  bought(
    id: string,
    { fan, creator, thing, now }: Buying,
    { cents, items }: { cents: number; items: number[] },
  ): Order {
    const order: Order = {
      ...{ id, fan, creator, kind: thing.kind, items, cents },
      message: thing.kind === 'message' ? thing.message : null,
      ...{ returned: 0, contested: 0, disputed: 0, lost: 0, ended: false },
      ...{ state: 'paid', paidAt: now, sub: null, period: 0 },
    }
    this.orders.push(order)
    if (thing.kind === 'bundle' && thing.offer) {
      thing.offer.reserved.delete(fan)
      thing.offer.redeemed.add(fan)
    }
    if (thing.kind !== 'subscription') return order
    const owing = this.live(fan, creator)
    if (owing && owing.owed === cents && owing.months === thing.months) {
      this.renewed(owing, order)
      owing.hasCard = true
    } else {
      if (owing) this.end(owing)
      order.sub = {
        ...{ id: '', fan, creator, months: thing.months, cents, anchor: now, paid: thing.months, periods: 1 },
        ...{ status: 'active', dueAt: now, owed: null, ahead: [], asked: null },
        ...{ wasDisputed: false, hasCard: true },
      }
      order.period = 1
      order.sub.dueAt = endOf(order.sub)
      // The price may have fallen since it was quoted.
      passOn(order.sub, (this.shops[creator] as Shop).price, now)
      this.subs.push(order.sub)
    }
    return order
  }

  private renewed(sub: Sub, order: Order): void {
    const applied = sub.ahead.findLastIndex(({ from }) => from <= endOf(sub))
    const dropped = sub.ahead.splice(0, applied + 1)
    // What was agreed to is charged, so nothing is asked anymore.
    if (dropped.some(({ consented }) => consented)) sub.asked = null
    sub.cents = order.cents
    sub.paid += sub.months
    sub.periods += 1
    sub.status = 'active'
    sub.owed = null
    sub.dueAt = endOf(sub)
    order.sub = sub
    order.period = sub.periods
  }

  private end(sub: Sub): void {
    sub.status = 'expired'
    sub.owed = null
  }

  /** Whose renewal is sent to the gateway at this moment, with the price of each. */
  due(now: Date): { sub: Sub; cents: number }[] {
    return this.subs
      .filter((sub) => renews(sub) && sub.dueAt <= now && sub.hasCard && !isOver(sub, now))
      .map((sub) => ({ sub, cents: sub.owed ?? nextOf(sub)?.cents ?? sub.cents }))
  }

  /** All that is due is charged, or declined, hard for good, or can't be, and what is over ends. Returns the orders that were paid, without ids. */
  charge(now: Date, failure: Failure | null): Order[] {
    const due = this.due(now)
    for (const sub of this.subs.filter((sub) => renews(sub) && sub.dueAt <= now)) {
      if (isOver(sub, now)) this.end(sub)
      else if (!sub.hasCard) {
        const owed = sub.owed ?? nextOf(sub)?.cents ?? sub.cents
        Object.assign(sub, { status: 'past_due', owed, dueAt: lastDayOf(sub) })
      }
    }
    const paid = due.flatMap(({ sub, cents }) => {
      if (failure === 'outage') {
        sub.owed = cents
        sub.dueAt = new Date(now.getTime() + HOUR_MS)
        return []
      }
      if (failure) {
        sub.status = 'past_due'
        sub.owed = cents
        sub.dueAt = failure === 'soft' ? retryAfter(sub, now) : lastDayOf(sub)
        return []
      }
      const { fan, creator } = sub
      const order: Order = {
        ...{ id: '', fan, creator, kind: 'subscription', items: [], message: null, cents },
        ...{ returned: 0, contested: 0, disputed: 0, lost: 0, ended: false },
        ...{ state: 'paid', paidAt: now, sub: null, period: 0 },
      }
      this.orders.push(order)
      this.renewed(sub, order)
      return [order]
    })
    this.expire(now)
    return paid
  }

  /** Canceled ones end with what was paid, trials with their days; what nobody could charge within its grace is past due. */
  expire(now: Date, fan?: number): void {
    for (const sub of this.subs.filter((sub) => fan === undefined || sub.fan === fan)) {
      if ((sub.status === 'canceled' || sub.status === 'trialing') && endOf(sub) <= now) this.end(sub)
      if (sub.status === 'active' && after(endOf(sub), GRACE_DAYS) <= now) sub.status = 'past_due'
    }
  }

  /** Months for free, which take the place of a renewal that couldn't be charged; or why they can't be given. */
  extend(fan: number, creator: number, months: number, now: Date): string | null {
    this.expire(now, fan)
    const sub = this.live(fan, creator)
    if (!sub) return 'not_subscribed'
    if (sub.status === 'past_due') return 'renewal_unpaid'
    sub.paid += months
    sub.owed = null
    sub.dueAt = endOf(sub)
    return null
  }

  /** When the next renewal is charged; null where nothing renews. */
  nextDue(): Date | null {
    const due = this.subs.filter((sub) => renews(sub) && sub.hasCard).map(({ dueAt }) => dueAt.getTime())
    return due.length === 0 ? null : new Date(Math.min(...due))
  }

  cancel(sub: Sub, now: Date): void {
    if (renews(sub)) sub.status = 'canceled'
    this.expire(now, sub.fan)
  }

  /** Why it can't go on, or null once it does. */
  resume(sub: Sub, now: Date): string | null {
    if (sub.status === 'expired') return 'subscription_ended'
    if (sub.status !== 'canceled') return null
    if (endOf(sub) <= now) return 'subscription_ended'
    if (sub.wasDisputed) return 'not_renewable'
    sub.status = 'active'
    passOn(sub, (this.shops[sub.creator] as Shop).price, now)
    return null
  }

  refund(order: Order, cents: number): string | null {
    if (order.state !== 'paid') return 'not_refundable'
    if (cents > leftOf(order)) return 'refund_exceeds_payment'
    order.returned += cents
    if (leftOf(order) === 0) {
      order.state = 'refunded'
      this.revoke(order)
    }
    return null
  }

  /** Ends the order's subscription, unless a later period of it is paid. */
  private revoke({ sub, period }: Order): void {
    if (!sub || !isLive(sub)) return
    const isLater = (other: Order) =>
      other.sub === sub && other.period > period && (other.state === 'paid' || other.state === 'disputed')
    if (!this.orders.some(isLater)) this.end(sub)
  }

  /**
   * A bank may take what was given back before, at the platform's cost; nothing of a charge that was voided. A fan has one
   * card, which nothing is charged to once it is stolen, until it is typed again.
   */
  dispute(
    order: Order,
    cents: number,
    { now, isVoided, isStolen }: { now: Date; isVoided: boolean; isStolen: boolean },
  ): string | null {
    const left = order.cents - order.lost
    if (isVoided || order.contested > 0 || left === 0) return 'not_disputable'
    if (cents > left) return 'dispute_exceeds_payment'
    order.contested = cents
    if (isStolen) for (const sub of this.subs) if (sub.fan === order.fan) sub.hasCard = false
    const isPaid = order.state === 'paid'
    if (isPaid) Object.assign(order, { state: 'disputed', disputed: Math.min(cents, leftOf(order)) })
    if (!order.sub) return null
    order.sub.wasDisputed = true
    this.cancel(order.sub, now)
    const wasLive = isLive(order.sub)
    if (isPaid) this.revoke(order)
    order.ended = wasLive && !isLive(order.sub)
    return null
  }

  /** What the remaining money paid for stays unlocked. */
  decide(order: Order, isWon: boolean, now: Date): void {
    if (!isWon) {
      order.returned += order.disputed
      order.lost += order.contested
    }
    order.contested = 0
    order.disputed = 0
    if (order.state === 'disputed') order.state = leftOf(order) > 0 ? 'paid' : 'lost'
    const { sub, ended } = order
    order.ended = false
    // What is left of its period, unless the fan has another one by now.
    if (!sub || !ended || order.state !== 'paid' || endOf(sub) <= now) return
    if (!this.live(sub.fan, sub.creator)) sub.status = 'canceled'
  }

  /** Another monthly price: a lower one is passed on, a higher one asked for if that is wanted. */
  setPrice(creator: number, price: number, ask: boolean, now: Date): void {
    const shop = this.shops[creator] as Shop
    if (shop.price === price) return
    const wasAsking = shop.isAsking
    const mayAsk = ask && (price > shop.price || wasAsking)
    Object.assign(shop, { price, isAsking: false })
    for (const sub of this.subs.filter((sub) => sub.creator === creator && isLive(sub))) {
      const { asked } = sub
      if (wasAsking && asked) {
        sub.ahead = sub.ahead.filter(({ consented }) => !consented)
        if (asked.answer === 'agreed' && sub.owed === asked.cents) sub.owed = null
        sub.asked = null
        if (asked.answer === 'declined' && renews(sub)) {
          sub.status = 'canceled'
          continue
        }
      }
      if (!renews(sub)) continue
      const pays = paysOf(sub)
      const cents = priceOf(price, sub.months)
      passOn(sub, price, now)
      if (cents > pays && mayAsk) {
        sub.asked = { cents, from: after(now, NOTICE_DAYS), told: false, answer: null }
        shop.isAsking = true
      }
    }
  }

  /** Who is asked, and hasn't answered, hears of it: the days of notice begin. */
  tell(now: Date): void {
    for (const sub of this.subs.filter(renews))
      if (sub.asked && !sub.asked.told && sub.asked.answer === null)
        Object.assign(sub.asked, { told: true, from: after(now, NOTICE_DAYS) })
  }

  /** The days of notice begin with the answer of who hasn't heard of it yet. */
  answer(sub: Sub, isAgreed: boolean, now: Date): string | null {
    const { asked } = sub
    if (!renews(sub) || !asked) return 'price_change_over'
    if (!asked.told && asked.answer === null) asked.from = after(now, NOTICE_DAYS)
    if (isAgreed && asked.answer !== 'agreed')
      sub.ahead.push({ cents: asked.cents, from: asked.from, consented: true })
    if (!isAgreed) sub.ahead = sub.ahead.filter(({ consented }) => !consented)
    asked.answer = isAgreed ? 'agreed' : 'declined'
    return null
  }
}
