import { formatMoney, parseMoney } from '../../contract/money.ts'

/** What is typed or held, in cents; a negative amount too, which no call accepts. */
function centsIn(amount: string | number): number | null {
  const text = String(amount)
  if (!text.startsWith('-')) return parseMoney(text)
  const cents = parseMoney(text.slice(1))
  return cents === null ? null : -cents
}

/** Money text of the wire as what the input shows between its `$` and its end; empty when it is none. */
export function amountOf(money: string): string {
  const cents = centsIn(money)
  return cents === null ? '' : formatMoney(cents).replace(/[$,]/g, '')
}

/** What was typed as money text of the wire; empty while nothing usable is typed. */
export function moneyOf(typed: string | number): string {
  const cents = centsIn(typed)
  return cents === null ? '' : formatMoney(cents)
}

/** What the field shows: what was typed for as long as it says the same amount as `value`, else that amount. */
export function shownAmount(typed: string | number, value: string): string | number {
  return centsIn(typed) === centsIn(value) ? typed : amountOf(value)
}

/** True while what is being typed may stay: a minus, digits, one point, at most 2 decimals and 7 integer digits. */
export function mayType(value: string): boolean {
  return /^-?\d{0,7}(\.\d{0,2})?$/.test(value)
}
