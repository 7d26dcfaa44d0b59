import { formatMoney, parseMoney } from '../../contract/money.ts'

/** What is typed or held, in cents; a negative amount too, which no call accepts. */
function centsIn(amount: string | number): number | null {
  // `.10` is ten cents while it is typed.
  const text = String(amount).replace(/^\./, '0.')
  if (!text.startsWith('-')) return parseMoney(text)
  const cents = parseMoney(text.slice(1))
  return cents === null ? null : -cents
}

/** Money text of the wire as what the input shows between its `$` and its end; empty when it is none. */
export function amountOf(money: string): string {
  const cents = centsIn(money)
  return cents === null ? '' : formatMoney(cents).replace(/[$,]/g, '')
}

/** Whether this says parts of a cent, which is no amount of money. */
export function isTooPrecise(amount: string | number): boolean {
  return /^\$?-?\d*\.\d{3,}$/.test(String(amount))
}

/** What was typed as money text of the wire, parts of a cent as they are; empty while nothing usable is typed. */
export function moneyOf(typed: string | number): string {
  if (isTooPrecise(typed)) return `$${String(typed).replace('$', '')}`
  const cents = centsIn(typed)
  return cents === null ? '' : formatMoney(cents)
}

/** What the field shows: what was typed for as long as it says the same amount as `value`, else that amount. */
export function shownAmount(typed: string | number, value: string): string | number {
  return moneyOf(typed) === moneyOf(value) ? typed : amountOf(value)
}

/** True while what is being typed may stay: a minus, digits, one point, and at most 7 integer digits. */
export function mayType(value: string): boolean {
  return /^-?\d{0,7}(\.\d{0,6})?$/.test(value)
}

/** A pasted amount with a decimal comma, such as `12,50`, as it is typed here; null for any other text. */
export function pastedAmount(text: string): string | null {
  const [, whole, cents] = /^\$?(\d{1,7}),(\d{1,2})$/.exec(text.trim()) ?? []
  return whole && cents ? `${whole}.${cents}` : null
}
