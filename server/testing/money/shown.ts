import { centsOf, formatMoney } from '../../../contract/money.ts'
import { endOf, lowerOf, nextOf, type Sub, type Term } from './subs.ts'

/** A creator may come to owe the platform. */
export const signedCents = (text: string): number =>
  text.startsWith('-') ? -centsOf(text.slice(1)) : centsOf(text)

type Shown = {
  id: string
  status: string
  price: string
  months: Term
  expiration: string
  next: string | null
  asked: string | null
}
/** For lists whose order doesn't count. */
export const byId = (one: Shown, other: Shown) => (one.id < other.id ? -1 : 1)

type Own = {
  _id: string
  status: string
  price: string
  months: number
  expiration: string
  next: { price: string } | null
  priceChange: { price: string; answer: string | null } | null
}

/** A subscription as its fan is shown it. */
export function shownSub({ _id: id, status, price, months, expiration, next, priceChange }: Own): Shown {
  const asked = priceChange && `${priceChange.price} ${priceChange.answer}`
  return { id, status, price, months: months as Term, expiration, next: next?.price ?? null, asked }
}

/** A subscription as its fan should be shown it, while the plan costs this a month. */
export function expectedSub(sub: Sub, monthly: number): Shown {
  const { id, status, cents, months, asked, wasDisputed } = sub
  const isCharged = status !== 'canceled'
  const mayResume = status === 'canceled' && !wasDisputed
  const next = (mayResume ? lowerOf(sub, monthly) : null) ?? nextOf(sub)?.cents
  return {
    ...{ id, status, price: formatMoney(cents), months, expiration: endOf(sub).toISOString() },
    next: (isCharged || mayResume) && next ? formatMoney(next) : null,
    asked: isCharged && asked ? `${formatMoney(asked.cents)} ${asked.answer}` : null,
  }
}
