import { formatCents, formatMoney } from '../../../../../contract/money.ts'
import type { Books } from './data.ts'

const WIDTH = 22

/** The report that accounts for every cent, as plain text; debits are positive, what is owed or earned is negative. */
export function presentBooks(
  { totals, journals, sales, settlements, owedToDeleted, withheld, chains, discrepancies }: Books,
  now: Date,
): string {
  const groups = Map.groupBy(
    totals,
    ({ currency, livemode }) => `${currency.toUpperCase()}, ${modeOf(livemode)}`,
  )
  const parts = [...groups].map(([title, accounts]) => {
    const sum = accounts.reduce((total, { cents }) => total + cents, 0)
    return [
      title,
      ...accounts.map(({ kind, cents }) => row(kind.replaceAll('_', ' '), cents)),
      row('sum', sum),
    ].join('\n')
  })
  const found = discrepancies.map(
    ({ what, id, expected, found }) => `  ${what}: ${id}, expected ${expected}, found ${found}`,
  )
  const verdict =
    found.length === 0
      ? 'Every cent is accounted for.'
      : [
          `${found.length === 1 ? '1 discrepancy' : `${found.length} discrepancies`}, amounts in cents:`,
          ...found,
        ].join('\n')
  const heads = chains.map(
    ({ chain, sealed, hash }) =>
      `  ${chain.replaceAll('_', ' ').padEnd(WIDTH)}${String(sealed).padStart(10)}  ${hash}`,
  )
  const count = `${journals} journals, ${sales} of them sales and ${settlements} of settled batches.`
  return [
    `Books on ${now.toISOString()}`,
    ...parts,
    count,
    `Deleted accounts that are still owed money: ${owedToDeleted.accounts}, ${formatMoney(owedToDeleted.cents)} in total, after the payments that adjustments record for them.`,
    `Commissions withheld from suspended or deleted referrers: ${withheld.commissions}, ${formatMoney(withheld.cents)} in total, part of the platform’s fee.`,
    ['Chains, with their last hashes', ...heads].join('\n'),
    verdict,
  ].join('\n\n')
}

const modeOf = (livemode: boolean) => (livemode ? 'live' : 'sandbox')
const row = (name: string, cents: number) => `  ${name.padEnd(WIDTH)}${formatCents(cents).padStart(16)}`
