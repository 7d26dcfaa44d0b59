import { Readable } from 'node:stream'
import { csvOf } from '../../../../../../contract/csv.ts'
import { decimalOf, formatCents, formatMoney } from '../../../../../../contract/money.ts'
import { boundsOf, type Earned, earnedOf, type MonthLine } from './rules.ts'

const NAME_WIDTH = 24
const WIDTH = 16

/** The books of a month as plain text; debits are positive, what is owed or earned is negative. */
export function presentMonth(month: string, lines: readonly MonthLine[], now: Date): string {
  const { from, until } = boundsOf(month)
  const end = now < until ? `${now.toISOString()}, as it isn’t over` : until.toISOString()
  const title = `Books of ${month}, a month of UTC: from ${from.toISOString()} to ${end}.
Debits are positive, and what is owed or earned is negative.`
  if (lines.length === 0) return `${title}\n\nNothing was booked by then.`
  const groups = Map.groupBy(
    lines,
    ({ currency, livemode }) => `${currency.toUpperCase()}, ${livemode ? 'live' : 'sandbox'}`,
  )
  return [title, ...[...groups].map(([name, of]) => presentGroup(name, of))].join('\n\n')
}

function presentGroup(name: string, lines: readonly MonthLine[]): string {
  const accounts = [...Map.groupBy(lines, ({ account }) => account)].flatMap(([account, movements]) => [
    row(`  ${account.replaceAll('_', ' ')}`, ...balancesOf(movements)),
    ...movements
      .filter(({ cents }) => cents !== 0)
      .map(({ movement, cents }) => row(`    ${movement.replaceAll('_', ' ')}`, null, cents)),
  ])
  const { shareCents, processorFeesCents, disputeFeesCents, disputeLossesCents, earnedCents } =
    earnedOf(lines)
  const owedCents = closingOf(lines, (account) => /^(creator|referrer)_/.test(account))
  const payoutCents = closingOf(lines, (account) => account === 'payout_in_transit')
  return [
    `${name.padEnd(NAME_WIDTH)}${['opening', 'change', 'closing'].map((word) => word.padStart(WIDTH)).join('')}`,
    ...accounts,
    row('  sum', ...balancesOf(lines)),
    '',
    `The platform earned ${formatMoney(earnedCents)}: its share ${formatMoney(shareCents)}, less ${formatMoney(processorFeesCents)} for the processor, ${formatMoney(disputeFeesCents)} for disputes, and ${formatMoney(disputeLossesCents)} lost in disputes.`,
    `Creators and referrers were owed ${formatMoney(owedCents)} at the end, besides ${formatMoney(payoutCents)} of payouts that were under way.`,
  ].join('\n')
}

const sum = (lines: readonly MonthLine[], of: 'beforeCents' | 'cents') =>
  lines.reduce((total, line) => total + line[of], 0)

/** The sum of a few lines before the month, in it, and at its end. */
function balancesOf(lines: readonly MonthLine[]): [number, number, number] {
  const [opening, change] = [sum(lines, 'beforeCents'), sum(lines, 'cents')]
  return [opening, change, opening + change]
}

/** The balances held for others at the end of the month, as positive amounts. */
function closingOf(lines: readonly MonthLine[], takes: (account: string) => boolean): number {
  const [, , closing] = balancesOf(lines.filter(({ account }) => takes(account)))
  return 0 - closing
}

function row(name: string, ...amounts: (number | null)[]): string {
  const columns = amounts.map((cents) => (cents === null ? '' : formatCents(cents)).padStart(WIDTH))
  return `${name.padEnd(NAME_WIDTH)}${columns.join('')}`
}

/** The platform's result of a month, as text. */
export function presentEarned(earned: Earned, owed: { owedCents: number; payoutCents: number }) {
  return {
    sold: formatMoney(earned.soldCents),
    refunded: formatMoney(earned.refundedCents),
    share: formatMoney(earned.shareCents),
    processorFees: formatMoney(earned.processorFeesCents),
    disputeFees: formatMoney(earned.disputeFeesCents),
    disputeLosses: formatMoney(earned.disputeLossesCents),
    earned: formatMoney(earned.earnedCents),
    owed: formatMoney(owed.owedCents),
    payouts: formatMoney(owed.payoutCents),
  }
}

const HEADER = ['Month (UTC)', 'Currency', 'Account', 'Movement', 'Amount']

/** A month as a file: each account's opening balance, what changed it, and its closing balance. Debits are positive. */
export function presentMonthFile(month: string, lines: readonly MonthLine[]): Readable {
  const groups = Map.groupBy(lines, ({ currency, account }) => `${currency} ${account}`)
  const rows = [...groups.values()].flatMap((movements) => {
    const [{ currency, account } = { currency: '', account: '' }] = movements
    const line = (movement: string, cents: number) => [
      month,
      currency.toUpperCase(),
      account,
      movement,
      decimalOf(cents),
    ]
    const [opening, , closing] = balancesOf(movements)
    return [
      line('opening', opening),
      ...movements.filter(({ cents }) => cents !== 0).map(({ movement, cents }) => line(movement, cents)),
      line('closing', closing),
    ]
  })
  // The mark makes spreadsheets read it as UTF-8.
  return Readable.from([`\uFEFF${csvOf([HEADER, ...rows])}`], { objectMode: false })
}
