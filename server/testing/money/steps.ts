import { expect } from 'vitest'
import { routes } from '../../../contract/index.ts'
import { formatMoney } from '../../../contract/money.ts'
import { type Api, Refused } from '../api.ts'
import { buildFan, buildSession, buildUser, type Person } from '../builders.ts'
import { cardToken, planFault, TEST_CARDS } from '../gateway.ts'
import { type Harness, startHarness } from '../harness.ts'
import { pages, tellOfPrices, work } from '../year/business.ts'
import {
  type Decline,
  endOf,
  ITEMS,
  isLive,
  leftOf,
  Model,
  type Order,
  type Sub,
  type Thing,
} from './model.ts'
import { buildSeller, PRICES, type Seller } from './sellers.ts'
import { byId, expectedSub, shownSub, signedCents } from './shown.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const CREATORS = 2
const FANS = 3
/** Cards are counted by the hour, so that nobody tries many. */
const BETWEEN_MS = 13 * MINUTE_MS
/** By when what was charged has settled, so that a part of it can be refunded. */
const SETTLED_MS = 2 * DAY_MS
/** Until when the gateway gives something back, less a day. */
const REFUNDABLE_MS = 179 * DAY_MS

/** How many things there are to do, the usual ones counted several times. */
export const ACTS = 21

/** One thing that somebody does, chosen by numbers: what, on whom, and how much. */
export type Step = { act: number; pick: number; part: number }

/** A business on the real server beside its model. */
export class World {
  readonly done: Record<string, number> = {}
  readonly harness: Harness
  private readonly model: Model
  private readonly sellers: Seller[]
  private readonly fans: Person[]
  private readonly operators: [Person, Person]
  private readonly sessions = new Map<string, { api: Api; until: Date }>()

  private constructor(
    harness: Harness,
    model: Model,
    sellers: Seller[],
    fans: Person[],
    operators: [Person, Person],
  ) {
    this.harness = harness
    this.model = model
    this.sellers = sellers
    this.fans = fans
    this.operators = operators
  }

  static async open(): Promise<World> {
    const harness = await startHarness()
    const sellers: Seller[] = []
    for (let made = 0; made < CREATORS; made++) sellers.push(await buildSeller(harness))
    const fans = await Promise.all(Array.from({ length: FANS }, () => buildFan(harness)))
    const operator = () => buildUser(harness, { role: 'finance' })
    const model = new Model(sellers.map(() => ({ ...PRICES, isAsking: false, paidOut: 0 })))
    return new World(harness, model, sellers, fans, [await operator(), await operator()])
  }

  private get now(): Date {
    return this.harness.clock.now()
  }

  private async as(person: Person): Promise<Api> {
    const known = this.sessions.get(person.id)
    if (known && known.until > this.now) return known.api
    const token = await buildSession(this.harness, person.id, { reauthenticatedAt: this.now })
    const until = new Date(this.now.getTime() + 4 * MINUTE_MS)
    const api = this.harness.api.as({ token })
    this.sessions.set(person.id, { api, until })
    return api
  }

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
    const setPrice = () =>
      this.setPrice(creator, 300 + Math.floor(part * 1500), pick * 7 - Math.floor(pick * 7) < 0.7)
    const answer = () => (asked ?? sub) && this.answer((asked ?? sub) as Sub, part < 0.7)
    const pass = () => this.pass(part, null)
    const acts = [
      ...[subscribe, subscribe, subscribe, setPrice, setPrice, answer, answer, pass, pass, pass, pass],
      () => this.buy(fan, creator, { kind: 'single', item: Math.floor(part * ITEMS) }, pick),
      () => this.buy(fan, creator, { kind: 'bundle' }, part),
      () => this.buy(fan, creator, { kind: 'tip', cents: 100 + Math.floor(part * 5000) }, pick),
      () => order && this.refund(order, part),
      () => order && this.dispute(order, part),
      () => this.decide(part < 0.5),
      () => sub && this.cancel(sub),
      () => sub && this.resume(sub),
      () => this.payOut(creator, part),
      () => this.pass(part, pick < 0.3 ? 'hard' : 'soft'),
    ]
    await acts[act]?.()
  }

  /** What a call refuses with, or null, as the model says. */
  private async says(what: string, expected: string | null, call: Promise<unknown>): Promise<boolean> {
    const code = await call.then(
      () => null,
      (error: unknown) => {
        if (error instanceof Refused) return error.code
        throw error
      },
    )
    expect({ what, code }).toEqual({ what, code: expected })
    const name = expected === null ? what : `${what}: ${expected}`
    this.done[name] = (this.done[name] ?? 0) + 1
    return code === null
  }

  private async buy(fan: number, creator: number, thing: Thing, chance: number): Promise<void> {
    const { plan, items, bundle, person } = this.sellers[creator] as Seller
    const itemId = {
      subscription: plan,
      single: thing.kind === 'single' ? (items[thing.item] ?? '') : '',
      bundle,
      tip: person.id,
    }[thing.kind]
    this.model.expire(this.now, thing.kind === 'subscription' ? fan : -1)
    const quote = this.model.quote(fan, creator, thing)
    const isDeclined = chance < 0.08
    const isLost = thing.kind !== 'subscription' && !isDeclined && chance < 0.14
    const card = isDeclined ? TEST_CARDS.declined : isLost ? TEST_CARDS.resetAfter : TEST_CARDS.approved
    const body = {
      kind: thing.kind,
      itemId,
      ...(thing.kind === 'tip' ? { amount: formatMoney(thing.cents) } : {}),
      ...(thing.kind === 'subscription' ? { months: thing.months } : {}),
      ...('cents' in quote ? { price: formatMoney(quote.cents) } : {}),
      ...(await cardToken(this.harness, card)),
      saveCard: false,
    }
    const api = await this.as(this.fans[fan] as Person)
    const once = { idempotencyKey: crypto.randomUUID() }
    const call = () => api.call(routes.purchase, { body }, once)
    if ('refused' in quote) {
      await this.says(`buy ${thing.kind}`, quote.refused, call())
      return
    }
    if (isDeclined) {
      await this.says(`buy ${thing.kind}`, 'card_declined', call())
      return
    }
    const first = await call()
    // Pressed again, it is the same purchase; with another card it isn't.
    expect(await call()).toEqual(first)
    const other = api.call(routes.purchase, { body: { ...body, dataValue: 'another card' } }, once)
    await this.says('reuse a key', 'idempotency_key_reused', other)
    if (isLost) {
      // The charge was made, and its answer lost: it is found, once, and not sent again.
      expect(first.status).toBe('unknown')
      this.harness.clock.advance(2 * MINUTE_MS)
      await work(this, ['purchases.recover'])
    }
    expect(first.amount).toBe(formatMoney(quote.cents))
    const order = this.model.bought(first._id, { fan, creator, thing, now: this.now }, quote)
    if (order.sub?.id === '') await this.identify(order.sub)
    this.done[`bought ${thing.kind}`] = (this.done[`bought ${thing.kind}`] ?? 0) + 1
    if (order.period > 1) this.done['paid what was owed'] = (this.done['paid what was owed'] ?? 0) + 1
  }

  /** A new subscription begins when its charge was recorded. */
  private async identify(sub: Sub): Promise<void> {
    const api = await this.as(this.fans[sub.fan] as Person)
    const { items } = await api.call(routes.ownSubscriptions, { query: {} })
    const { person } = this.sellers[sub.creator] as Seller
    const own = items.find(({ creator }) => creator._id === person.id)
    sub.id = own?._id ?? ''
    const startedAt = new Date(own?.startedAt ?? 0)
    expect(Math.abs(startedAt.getTime() - this.now.getTime())).toBeLessThan(MINUTE_MS)
    sub.anchor = startedAt
    sub.dueAt = endOf(sub)
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
    const body = { transactionId: order.id, amount: formatMoney(cents), reason: 'They asked for it' }
    const expected = this.model.refund(order, cents, this.now)
    await this.says(
      'refund',
      expected,
      api.call(routes.refund, { body }, { idempotencyKey: crypto.randomUUID() }),
    )
  }

  private async dispute(order: Order, part: number): Promise<void> {
    // Of what is left all or a part, or all that was paid, whatever was given back of it.
    const left = leftOf(order)
    const cents = part < 0.2 ? order.cents : Math.max(1, part < 0.5 ? left : Math.ceil(left * part))
    const api = await this.as(this.operators[0])
    // What had settled when it was given back was refunded, else voided.
    const { status } = await api.call(routes.payment, { params: { transactionId: order.id } })
    const body = {
      ...{ transactionId: order.id, amount: formatMoney(cents), fee: '$15', cause: 'fraud' as const },
      ...{ caseNumber: crypto.randomUUID(), reason: 'By the bank’s letter' },
    }
    const expected = this.model.dispute(order, cents, { now: this.now, isVoided: status === 'voided' })
    const call = api.call(routes.openDispute, { body }, { idempotencyKey: crypto.randomUUID() })
    await this.says('dispute', expected, call)
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
    this.model.decide(order, isWon)
    await this.says(outcome, null, api.call(routes.decideDispute, { body }))
  }

  private async cancel(sub: Sub): Promise<void> {
    const api = await this.as(this.fans[sub.fan] as Person)
    this.model.cancel(sub, this.now)
    await this.says('cancel', null, api.call(routes.cancelSubscription, { body: { subscriptionId: sub.id } }))
  }

  private async resume(sub: Sub): Promise<void> {
    const api = await this.as(this.fans[sub.fan] as Person)
    const expected = this.model.resume(sub, this.now)
    const body = { subscriptionId: sub.id }
    await this.says('resume', expected, api.call(routes.resumeSubscription, { body }))
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
    const expected = this.model.answer(sub, agree)
    const body = { subscriptionId: sub.id, agree, price }
    await this.says(agree ? 'agree' : 'decline', expected, api.call(routes.answerPriceChange, { body }))
  }

  private async payOut(creator: number, part: number): Promise<void> {
    const { person } = this.sellers[creator] as Seller
    const api = await this.as(person)
    const cents = signedCents((await api.call(routes.balance, { query: {} })).available)
    const asked = Math.max(1, Math.ceil(Math.abs(cents) * part * 1.1))
    const expected = asked < 2000 ? 'payout_below_minimum' : asked > cents ? 'payout_exceeds_balance' : null
    const call = api.call(
      routes.requestPayout,
      { body: { amount: formatMoney(asked) } },
      { idempotencyKey: crypto.randomUUID() },
    )
    if (!(await this.says('payout', expected, call))) return
    const [operator, other] = [await this.as(this.operators[0]), await this.as(this.operators[1])]
    const { items } = await operator.call(routes.allPayouts, { query: { showing: 'open' } })
    const payoutId = items[0]?._id ?? ''
    // Who records that one failed or came back isn't who approves the next.
    const decide = (decision: 'approve' | 'cancel' | 'paid' | 'failed' | 'returned') =>
      this.says(
        decision,
        null,
        (decision === 'approve' ? operator : other).call(routes.decidePayout, {
          body: { payoutId, decision, reason: 'Checked' },
        }),
      )
    if (part < 0.2) return void (await decide('cancel'))
    await decide('approve')
    const file = { body: { reason: 'For the bank' } }
    await operator.call(routes.exportPayouts, file, { idempotencyKey: crypto.randomUUID() })
    const isPaid = part < 0.8
    await decide(isPaid ? 'paid' : 'failed')
    const comesBack = isPaid && part > 0.65
    if (comesBack) await decide('returned')
    else if (isPaid) (this.model.shops[creator] as { paidOut: number }).paidOut += asked
  }

  /** Days go by, and what runs by itself runs; the cards of all renewals of these days may be declined. */
  private async pass(part: number, decline: Decline | null): Promise<void> {
    this.harness.clock.advance((1 + Math.floor(part * 14)) * DAY_MS)
    await tellOfPrices(this)
    this.model.tell(this.now)
    const due = this.model.due(this.now).length
    const effect = decline === 'hard' ? 'lostOrStolen' : 'declined'
    if (decline && due > 0)
      await planFault(this.harness, { call: 'createTransactionRequest', effect, times: due })
    await work(this, ['renewals.charge', 'subscriptions.expire', 'ledger.release'])
    const renewed = this.model.charge(this.now, decline)
    const what = { hard: 'renewals declined for good', soft: 'renewals declined' }
    const name = decline ? what[decline] : 'renewals'
    this.done[name] = (this.done[name] ?? 0) + due
    await this.compare(renewed)
  }

  /** A last day goes by. */
  close(): Promise<void> {
    return this.pass(0, null)
  }

  /** What fans and creators are shown, against the model. The orders that were just renewed get their ids. */
  private async compare(renewed: Order[]): Promise<void> {
    for (const fan of this.fans.keys()) await this.compareFan(fan, renewed)
    for (const [creator, { person }] of this.sellers.entries()) {
      const shown = await (await this.as(person)).call(routes.balance, { query: {} })
      const { pending, available, reserved, onTheWay, paidOut } = shown
      expect({
        creator,
        owed: signedCents(pending) + signedCents(available) + signedCents(reserved),
        onTheWay: signedCents(onTheWay),
      }).toEqual({
        ...{ creator, owed: this.model.owed(creator), onTheWay: 0 },
      })
      expect(signedCents(paidOut)).toBe(this.model.shops[creator]?.paidOut)
    }
  }

  private async compareFan(fan: number, renewed: Order[]): Promise<void> {
    const api = await this.as(this.fans[fan] as Person)
    const receipts = await pages((page) => api.call(routes.receipts, { query: page }))
    const known = new Set(this.model.orders.map(({ id }) => id))
    for (const order of renewed.filter((order) => order.fan === fan)) {
      const { person } = this.sellers[order.creator] as Seller
      const receipt = receipts.find(
        ({ _id, amount, creator }) =>
          !known.has(_id) && creator._id === person.id && amount === formatMoney(order.cents),
      )
      expect(receipt, 'a renewal was charged at its price').toBeDefined()
      order.id = receipt?._id ?? ''
      known.add(order.id)
    }
    // Each charge is one that the model knows, and none is missing.
    const own = this.model.orders.filter((order) => order.fan === fan)
    expect(receipts.map(({ _id }) => _id).sort()).toEqual(own.map(({ id }) => id).sort())
    const states = { paid: 'captured', disputed: 'disputed', lost: 'disputed', refunded: '' } as const
    for (const { _id, amount, status } of receipts) {
      const order = own.find(({ id }) => id === _id) as Order
      expect(amount).toBe(formatMoney(order.cents))
      if (order.state === 'refunded') expect(['refunded', 'voided']).toContain(status)
      else expect(status).toBe(states[order.state])
    }
    const { items: subs } = await api.call(routes.ownSubscriptions, { query: {} })
    expect(subs.map(shownSub).sort(byId)).toEqual(
      this.model.subs
        .filter((sub) => sub.fan === fan && isLive(sub))
        .map(expectedSub)
        .sort(byId),
    )
  }
}
