import type { AccountKind, JournalKind } from '../../../../../db/tables/commerce/ledger.ts'
import { monthAfter } from '../../../statements/rules.ts'

/** The sum of one account kind by one journal kind, in cents: before a month, and in it. */
export type MonthLine = {
  currency: string
  livemode: boolean
  account: AccountKind
  movement: JournalKind
  beforeCents: number
  cents: number
}

/** When a month of UTC begins, and when the next one does. */
export function boundsOf(month: string): { from: Date; until: Date } {
  const startOf = (which: string) => new Date(`${which}-01T00:00:00Z`)
  return { from: startOf(month), until: startOf(monthAfter(month)) }
}

/** The platform's result of a month, in cents, each part positive in the usual case. */
export type Earned = {
  soldCents: number
  refundedCents: number
  /** The platform's share of sales, less commissions and what was given back of it. */
  shareCents: number
  processorFeesCents: number
  disputeFeesCents: number
  disputeLossesCents: number
  earnedCents: number
}

/** The platform's result from the movements of a month. */
export function earnedOf(
  movements: readonly { account: AccountKind; movement: JournalKind; cents: number }[],
): Earned {
  const sumOf = (account: AccountKind, movement?: JournalKind) =>
    movements
      .filter((line) => line.account === account && (movement === undefined || line.movement === movement))
      .reduce((sum, { cents }) => sum + cents, 0)
  const shareCents = 0 - sumOf('platform_fees')
  const processorFeesCents = sumOf('processor_fees')
  const disputeFeesCents = sumOf('dispute_fees')
  const disputeLossesCents = sumOf('dispute_losses')
  return {
    soldCents: sumOf('gateway', 'sale'),
    refundedCents: 0 - sumOf('gateway', 'refund'),
    ...{ shareCents, processorFeesCents, disputeFeesCents, disputeLossesCents },
    earnedCents: shareCents - processorFeesCents - disputeFeesCents - disputeLossesCents,
  }
}

const LISTED = 120

/** The months from the first that something was posted in, the newest first: at least the one that is under way. */
export function monthsSince(first: Date | null, now: Date): string[] {
  const current = monthOf(now)
  const months: string[] = []
  for (let month = first ? monthOf(first) : current; month < current; month = monthAfter(month))
    months.push(month)
  return [...months, current].reverse().slice(0, LISTED)
}

/** The month of UTC that a moment is in. */
export function monthOf(moment: Date): string {
  return moment.toISOString().slice(0, 7)
}
