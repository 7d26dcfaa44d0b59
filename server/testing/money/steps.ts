import { expect } from 'vitest'
import { routes } from '../../../contract/index.ts'
import { formatMoney } from '../../../contract/money.ts'
import type { DisputeCause } from '../../../contract/orders.ts'
import type { Person } from '../builders.ts'
import { cardToken, planFault, TEST_CARDS } from '../gateway.ts'
import { refundPayment } from '../refunds.ts'
import { tellOfPrices, work } from '../year/business.ts'
import { compare, owedBy } from './comparing.ts'
import { type Buying, type Failure, ITEMS } from './model.ts'
import type { Shop } from './offers.ts'
import { leftOf, type Order, type Thing } from './orders.ts'
import { payOut } from './paying-out.ts'
import { makeOffers, redeemTrial, send } from './personal.ts'
import type { Seller } from './sellers.ts'
import { giveBackOutside } from './sending-outside.ts'
import { isLive, type Sub } from './subs.ts'
import { CREATORS, FANS, World } from './world.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** Cards are counted by the hour, so that nobody tries many. */
const BETWEEN_MS = 13 * MINUTE_MS
/** After this a charge has settled, so that a part of it can be refunded. */
const SETTLED_MS = 2 * DAY_MS
/** How long the gateway refunds a charge, less a day. */
const REFUNDABLE_MS = 179 * DAY_MS

/** How many things there are to do, the usual ones counted several times. */
export const ACTS = 34

/** One thing that somebody does, chosen by numbers: what, on whom, and how much. */
export type Step = { act: number; pick: number; part: number }

/** What people do, one after the other, in a world and in its model. */
export class Steps extends World {
  /** Does it here and in the model, which says how the call ends. */
  async step({ act, pick, part }: Step): Promise<void> {
    this.harness.clock.advance(BETWEEN_MS)
    const fan = Math.floor(pick * FANS)
    const creator = Math.floor(pick * FANS * CREATORS) % CREATORS
    const { orders, subs } = this.model
    // The latest things are those that are likely to have something left to do.
    const order = orders.at(-1 - Math.floor(pick * Math.min(orders.length, 12)))
    const sub = subs.at(-1 - Math.floor(pick * Math.min(subs.length, 6)))
    const asked = subs.filter((sub) => sub.asked && isLive(sub)).at(part < 0.5 ? 0 : -1)
    const subscribe = () =>
      this.buy(
        fan,
        creator,
        { kind: 'subscription', months: part < 0.7 ? 1 : 3 },
        pick * 10 - Math.floor(pick * 10),
      )
    const price = 300 + Math.floor(part * 1500)
    const setPrice = () => this.setPrice(creator, price, pick * 7 - Math.floor(pick * 7) < 0.7)
    const answer = () => (asked ?? sub) && this.answer((asked ?? sub) as Sub, part < 0.7)
    const pass = () => this.pass(part, null)
    const { discount } = this.model.shops[creator] as Shop
    const byOffer = () => discount && this.buy(fan, creator, { kind: 'bundle', offer: discount }, part)
    const message = this.model.messages.at(-1 - Math.floor(pick * Math.min(this.model.messages.length, 6)))
    const acts = [
      ...[subscribe, subscribe, subscribe, setPrice, setPrice, answer, answer, pass, pass, pass, pass],
      () => this.buy(fan, creator, { kind: 'single', item: Math.floor(part * ITEMS) }, pick),
      () => this.buy(fan, creator, { kind: 'bundle', offer: null }, part),
      () => this.buy(fan, creator, { kind: 'tip', cents: 100 + Math.floor(part * 5000) }, pick),
      () => order && this.refund(order, part),
      () => order && this.dispute(order, part),
      () => this.decide(part < 0.5),
      () => sub && this.cancel(sub),
      () => sub && this.resume(sub),
      () => payOut(this, creator, part),
      () => this.pass(part, pick < 0.3 ? 'hard' : 'soft'),
      () => makeOffers(this, creator, part),
      ...[byOffer, byOffer],
      () => redeemTrial(this, fan, creator),
      () => send(this, fan, creator, part),
      () => message && this.buy(message.fan, message.creator, { kind: 'message', message }, part),
      () => message && this.buyInOutage(message.fan, message.creator, { kind: 'message', message }, pick),
      () => this.buyInOutage(fan, creator, { kind: 'single', item: Math.floor(part * ITEMS) }, pick),
      () => order && giveBackOutside(this, order, { part, isSettled: this.isRefundable(order) }),
      ...[() => this.extend(fan, creator, part), () => this.extend(fan, creator, part)],
      () => this.outage(),
      () => this.subscribeAsPriceChanges(fan, creator, price),
    ]
    await acts[act]?.()
  }

  private async buy(fan: number, creator: number, thing: Thing, chance: number): Promise<void> {
    const isDeclined = chance < 0.08
    const isLost = thing.kind !== 'subscription' && !isDeclined && chance < 0.14
    const card = isDeclined ? 'declined' : isLost ? 'resetAfter' : 'approved'
    const begun = await this.begin(fan, creator, thing, card)
    if (!begun) return
    const { quote, body, call } = begun
    if (isDeclined) {
      await this.says(`buy ${thing.kind}`, 'card_declined', call())
      return
    }
    const once = crypto.randomUUID()
    const first = await call(once)
    // A second press with the same card is the same purchase; with another card it isn't.
    expect(await call(once)).toEqual(first)
    await this.says(
      'reuse a key',
      'idempotency_key_reused',
      call(once, { ...body, dataValue: 'another card' }),
    )
    if (isLost) {
      // The charge was made, and its answer lost: it is found, once, and not sent again.
      expect(first.status).toBe('unknown')
      this.harness.clock.advance(2 * MINUTE_MS)
      await this.recover()
    }
    await this.bought(first, { fan, creator, thing, now: this.now }, quote)
  }

  /** What was charged, or not, is in doubt for as long as the gateway is down: nothing is given, nor sold again. */
  private async buyInOutage(fan: number, creator: number, thing: Thing, chance: number): Promise<void> {
    const isCharged = chance * 100 - Math.floor(chance * 100) < 0.5
    const begun = await this.begin(fan, creator, thing, isCharged ? 'resetAfter' : 'resetBefore')
    if (!begun) return
    const first = await begun.call()
    expect(first.status).toBe('unknown')
    const owed = await owedBy(this, creator)
    this.harness.context.payments = this.gateway.down
    for (const minutes of [2, 20, 90]) {
      this.harness.clock.advance(minutes * MINUTE_MS)
      await this.recover()
      await this.says('buy what is in doubt', 'purchase_in_progress', begun.call())
      expect(await owedBy(this, creator)).toBe(owed)
    }
    this.harness.context.payments = this.gateway.up
    // A charge that isn't there is looked for several times.
    for (let times = 0; times < 3; times++) {
      this.harness.clock.advance(2 * MINUTE_MS)
      await this.recover()
    }
    const name = isCharged ? 'charged in an outage' : 'not charged in an outage'
    this.count(name)
    if (isCharged) await this.bought(first, { fan, creator, thing, now: this.now }, begun.quote)
  }

  /** The price changes while the gateway is asked for the first payment of a subscription. */
  private async subscribeAsPriceChanges(fan: number, creator: number, price: number): Promise<void> {
    if (this.model.live(fan, creator)) return
    const thing: Thing = { kind: 'subscription', months: price % 2 === 0 ? 1 : 3 }
    const begun = await this.begin(fan, creator, thing, 'approved')
    if (!begun) return
    const { up } = this.gateway
    this.harness.context.payments = {
      ...up,
      charge: async (wanted) => {
        const outcome = await up.charge(wanted)
        await this.setPrice(creator, price, true)
        return outcome
      },
    }
    const first = await begun.call()
    this.harness.context.payments = up
    await this.bought(first, { fan, creator, thing, now: this.now }, begun.quote)
    if (this.model.live(fan, creator)?.ahead.length) this.count('begin at a price that fell meanwhile')
  }

  /** How the thing is paid for by a card, once it can be; else it is refused as the model says. */
  private async begin(fan: number, creator: number, thing: Thing, card: keyof typeof TEST_CARDS) {
    const { plan, items, bundle, person } = this.sellers[creator] as Seller
    const itemId = {
      subscription: plan,
      single: thing.kind === 'single' ? (items[thing.item] ?? '') : '',
      bundle,
      tip: person.id,
      message: thing.kind === 'message' ? thing.message.id : '',
    }[thing.kind]
    this.model.expire(this.now, thing.kind === 'subscription' ? fan : -1)
    const quote = this.model.quote(fan, creator, thing)
    const body = {
      kind: thing.kind,
      itemId,
      ...(thing.kind === 'tip' ? { amount: formatMoney(thing.cents) } : {}),
      ...(thing.kind === 'subscription' ? { months: thing.months } : {}),
      ...(thing.kind === 'bundle' && thing.offer ? { offerId: thing.offer.id } : {}),
      ...('cents' in quote ? { price: formatMoney(quote.cents) } : {}),
      ...(await cardToken(this.harness, TEST_CARDS[card])),
      saveCard: false,
    }
    const buyer = this.fans[fan] as Person
    const call = async (key: string = crypto.randomUUID(), asked = body) =>
      (await this.as(buyer)).call(routes.purchase, { body: asked }, { idempotencyKey: key })
    if ('refused' in quote) {
      await this.says(`buy ${thing.kind}`, quote.refused, call())
      return null
    }
    this.model.begun({ fan, creator, thing, now: this.now })
    return { quote, body, call }
  }

  private async recover(): Promise<void> {
    await work(this, ['purchases.recover'])
    this.model.closeUnpaid(this.now)
  }

  private async bought(
    { _id, amount }: { _id: string; amount: string },
    buying: Buying,
    quote: { cents: number; items: number[] },
  ): Promise<void> {
    const { thing } = buying
    expect(amount).toBe(formatMoney(quote.cents))
    const order = this.model.bought(_id, buying, quote)
    if (order.sub?.id === '') await this.identify(order.sub)
    const name = `bought ${thing.kind}${thing.kind === 'bundle' && thing.offer ? ' by an offer' : ''}`
    this.count(name)
    if (order.period > 1) this.count('paid what was owed')
  }

  /** Whether parts of it can be given back at the gateway. */
  private isRefundable({ paidAt }: Order): boolean {
    const age = this.now.getTime() - paidAt.getTime()
    return age > SETTLED_MS && age <= REFUNDABLE_MS
  }

  private async refund(order: Order, part: number): Promise<void> {
    const age = this.now.getTime() - order.paidAt.getTime()
    if (age > REFUNDABLE_MS) return
    const isSettled = age > SETTLED_MS
    const left = leftOf(order)
    // What a bank left of a charge is a part of it, which isn't given back before its settlement.
    if (!isSettled && left > 0 && left < order.cents) return
    const cents = isSettled && part < 0.6 ? Math.max(1, Math.ceil(left * part * 2)) : Math.max(1, left)
    const api = await this.as(this.operators[0])
    const asked = { transactionId: order.id, amount: formatMoney(cents) }
    await this.says('refund', this.model.refund(order, cents), refundPayment(api, asked))
  }

  private async dispute(order: Order, part: number): Promise<void> {
    // Of what is left all or a part, or all that was paid, whatever was given back of it.
    const left = leftOf(order)
    const cents = part < 0.2 ? order.cents : Math.max(1, part < 0.5 ? left : Math.ceil(left * part))
    const api = await this.as(this.operators[0])
    // What had settled when it was given back was refunded, else voided.
    const { status } = await api.call(routes.payment, { params: { transactionId: order.id } })
    const cause = Math.floor(part * 1000) % 2 === 0 ? 'fraud' : 'not_received'
    const body = {
      ...{ transactionId: order.id, amount: formatMoney(cents), fee: '$15', cause: cause as DisputeCause },
      ...{ caseNumber: crypto.randomUUID(), reason: 'By the bank’s letter' },
    }
    const expected = this.model.dispute(order, cents, {
      now: this.now,
      isVoided: status === 'voided',
      isStolen: cause === 'fraud',
    })
    const call = api.call(routes.openDispute, { body }, { idempotencyKey: crypto.randomUUID() })
    await this.says(`dispute for ${cause}`, expected, call)
  }

  private async decide(isWon: boolean): Promise<void> {
    const api = await this.as(this.operators[0])
    const { items } = await api.call(routes.disputes, { query: { showing: 'open' } })
    const open = items.at(-1)
    const order = this.model.orders.find(({ id }) => id === open?.transactionId)
    expect(order === undefined).toBe(open === undefined)
    if (!open || !order) return
    const outcome = isWon ? 'won' : 'lost'
    const body = { disputeId: open._id, outcome, reason: 'The bank’s decision' } as const
    this.model.decide(order, isWon, this.now)
    await this.says(outcome, null, api.call(routes.decideDispute, { body }))
  }

  private async cancel(sub: Sub): Promise<void> {
    const api = await this.as(this.fans[sub.fan] as Person)
    this.model.cancel(sub, this.now)
    await this.says('cancel', null, api.call(routes.cancelSubscription, { body: { subscriptionId: sub.id } }))
  }

  private async resume(sub: Sub): Promise<void> {
    const api = await this.as(this.fans[sub.fan] as Person)
    const agreed = sub.ahead.length
    const expected = this.model.resume(sub, this.now)
    if (sub.ahead.length > agreed) this.count('resume at a lower price')
    const body = { subscriptionId: sub.id }
    await this.says('resume', expected, api.call(routes.resumeSubscription, { body }))
  }

  /** A creator gives a fan free months: mostly whoever couldn't be charged just now. */
  private async extend(fan: number, creator: number, part: number): Promise<void> {
    const owing = this.model.subs.findLast(({ status, owed }) => status === 'active' && owed !== null)
    const given = part < 0.7 && owing ? owing : { fan, creator }
    const months = (1 + (Math.floor(part * 100) % 3)) as 1 | 2 | 3
    const { person, plan } = this.sellers[given.creator] as Seller
    const subscriberId = (this.fans[given.fan] as Person).id
    const isOwing = this.model.live(given.fan, given.creator)?.owed != null
    const expected = this.model.extend(given.fan, given.creator, months, this.now)
    const call = (await this.as(person)).call(routes.extendSubscription, {
      body: { subscriberId, subscriptionId: plan, months },
    })
    const name = isOwing ? 'extend what couldn’t be charged' : 'extend'
    await this.says(name, expected, call)
  }

  private async setPrice(creator: number, cents: number, askSubscribers: boolean): Promise<void> {
    const { person, plan, items: mediaIds } = this.sellers[creator] as Seller
    const api = await this.as(person)
    const shown = { title: 'All', chatEnabled: false, mediaIds }
    const body = { subscriptionId: plan, price: formatMoney(cents), askSubscribers, ...shown }
    const before = this.now
    await this.says('set a price', null, api.call(routes.editSubscription, { body }))
    this.model.setPrice(creator, cents, askSubscribers, before)
  }

  private async answer(sub: Sub, agree: boolean): Promise<void> {
    const api = await this.as(this.fans[sub.fan] as Person)
    const price = formatMoney(sub.asked?.cents ?? 100)
    const expected = this.model.answer(sub, agree, this.now)
    const body = { subscriptionId: sub.id, agree, price }
    await this.says(agree ? 'agree' : 'decline', expected, api.call(routes.answerPriceChange, { body }))
  }

  /** Days go by; the cards of all renewals of these days may be declined. */
  private async pass(part: number, decline: 'hard' | 'soft' | null): Promise<void> {
    // A minute more: what falls due in the very millisecond of the run may or may not be in it.
    this.harness.clock.advance((1 + Math.floor(part * 14)) * DAY_MS + MINUTE_MS)
    await this.runs(decline)
  }

  /** The gateway can't be reached when the next renewal is due, which is then neither paid nor declined. */
  private async outage(): Promise<void> {
    const due = this.model.nextDue()
    if (!due) return
    // Fans are told of new prices once a day, which the model leaves to steps of a day or more.
    this.harness.clock.advance(Math.max(DAY_MS, due.getTime() - this.now.getTime()) + MINUTE_MS)
    this.harness.context.payments = this.gateway.down
    await this.runs('outage')
    this.harness.context.payments = this.gateway.up
  }

  /** What runs by itself runs once, and all renewals that are due end like this. */
  private async runs(failure: Failure | null): Promise<void> {
    await tellOfPrices(this)
    this.model.tell(this.now)
    const due = this.model.due(this.now).length
    const effect = failure === 'hard' ? 'lostOrStolen' : 'declined'
    if (failure && failure !== 'outage' && due > 0)
      await planFault(this.harness, { call: 'createTransactionRequest', effect, times: due })
    await work(this, ['renewals.charge', 'subscriptions.expire', 'ledger.release'])
    const renewed = this.model.charge(this.now, failure)
    const what = {
      ...{ hard: 'renewals declined for good', soft: 'renewals declined' },
      outage: 'renewals that couldn’t be charged',
    }
    const name = failure ? what[failure] : 'renewals'
    this.done[name] = (this.done[name] ?? 0) + due
    await compare(this, renewed)
  }

  /** The last day passes. */
  close(): Promise<void> {
    return this.pass(0, null)
  }
}
