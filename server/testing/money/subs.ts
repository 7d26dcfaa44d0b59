import { after } from './offers.ts'

const RETRY_DAYS = [1, 3, 7, 13]
const LAST_DAY = 14

export type Term = 1 | 3

/** A price that was agreed on, or that fell, for periods from a day on. */
type Ahead = { cents: number; from: Date; consented: boolean }

export type Sub = {
  id: string
  fan: number
  creator: number
  months: Term
  cents: number
  anchor: Date
  /** Months paid for, or given, since the anchor. */
  paid: number
  periods: number
  status: 'trialing' | 'active' | 'past_due' | 'canceled' | 'expired'
  dueAt: Date
  /** What the renewal costs that was tried and not paid. */
  owed: number | null
  ahead: Ahead[]
  asked: { cents: number; from: Date; told: boolean; answer: 'agreed' | 'declined' | null } | null
  wasDisputed: boolean
  /** There is a card to charge: its holder hasn't called it stolen since it was last typed. */
  hasCard: boolean
}

/** So many calendar months after a moment, on the last day of a shorter month. */
function monthsAfter(anchor: Date, months: number): Date {
  const first = new Date(anchor)
  first.setUTCDate(1)
  first.setUTCMonth(first.getUTCMonth() + months)
  const next = new Date(first)
  next.setUTCMonth(next.getUTCMonth() + 1)
  next.setUTCDate(0)
  first.setUTCDate(Math.min(anchor.getUTCDate(), next.getUTCDate()))
  return first
}

/** Three months cost a tenth less. */
export const priceOf = (monthly: number, months: Term): number =>
  months === 1 ? monthly : Math.round((monthly * 3 * 90) / 100)

export const endOf = ({ anchor, paid }: Sub): Date => monthsAfter(anchor, paid)
/** What the next period costs. */
export const nextOf = (sub: Sub): Ahead | undefined => sub.ahead.findLast(({ from }) => from <= endOf(sub))
/** What they pay, or agreed to pay. */
export const paysOf = ({ ahead, cents }: Sub): number => ahead.at(-1)?.cents ?? cents
/** What the plan costs them at this monthly price, if that is less than they pay. */
export function lowerOf(sub: Sub, monthly: number): number | null {
  const cents = priceOf(monthly, sub.months)
  return cents < paysOf(sub) ? cents : null
}
/** A price that fell is that of the next renewal. */
export function passOn(sub: Sub, monthly: number, now: Date): void {
  const cents = lowerOf(sub, monthly)
  if (cents !== null) sub.ahead.push({ cents, from: now, consented: false })
}
export const isLive = ({ status }: Sub): boolean => status !== 'expired'
export const renews = ({ status }: Sub): boolean => status === 'active' || status === 'past_due'

/** When what isn't paid ends. */
export const lastDayOf = (sub: Sub): Date => after(endOf(sub), LAST_DAY)
/** When a card that was declined is charged again, else when the subscription ends. */
export function retryAfter(sub: Sub, now: Date): Date {
  const end = endOf(sub)
  const retry = RETRY_DAYS.find((day) => after(end, day) > now)
  return after(end, retry ?? LAST_DAY)
}
/** The fan didn't agree to the current price. */
function lacksConsent(sub: Sub): boolean {
  const { asked } = sub
  const mayEnd = asked !== null && (asked.told || asked.answer === 'declined')
  return mayEnd && asked.from <= endOf(sub) && asked.answer !== 'agreed'
}
/** They didn't agree, or didn't pay for two weeks. */
export const isOver = (sub: Sub, now: Date): boolean => lacksConsent(sub) || now >= lastDayOf(sub)
/** As its fan begins to pay, what no run came to is owed from then on, and what wasn't paid for two weeks ends. */
export function settleMissed(sub: Sub | undefined, now: Date): void {
  if (!sub || lacksConsent(sub)) return
  if (isOver(sub, now)) Object.assign(sub, { status: 'expired', owed: null })
  else sub.owed ??= nextOf(sub)?.cents ?? sub.cents
}
