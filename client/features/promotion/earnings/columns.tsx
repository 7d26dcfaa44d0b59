import { centsOf, formatMoney } from '../../../../contract/money.ts'
import { formatNumber, withCents } from '../../../ui/format.ts'
import { Money } from '../../../ui/Money.tsx'
import type { Column } from '../../../ui/table/column.ts'
import type { Earned, EarningsGroup, EarningsRow } from './api.ts'
import { earningsTexts as texts } from './texts.ts'

/** Sales and renewals together, in cents. */
export const earnedCents = ({ salesAmount, renewalsAmount }: Earned) =>
  centsOf(salesAmount) + centsOf(renewalsAmount)

export const earnedText = (of: Earned) => withCents(formatMoney(earnedCents(of)))

function count(
  id: 'posts' | 'removed' | 'visits' | 'signUps' | 'follows' | 'trials' | 'redemptions',
  width = '4.25rem',
  header: string = texts[id],
): Column<EarningsRow> {
  return { id, header, cell: (row) => formatNumber(row[id]), figures: true, width }
}

const sales: Column<EarningsRow> = {
  id: 'sales',
  header: texts.sales,
  cell: ({ salesAmount, sales }) => texts.ofCount(salesAmount, sales),
  figures: true,
  width: '8rem',
}
const renewals: Column<EarningsRow> = {
  id: 'renewals',
  header: texts.renewals,
  cell: ({ renewalsAmount, renewals }) => texts.ofCount(renewalsAmount, renewals),
  figures: true,
  width: '8rem',
}
const earned: Column<EarningsRow> = {
  id: 'earned',
  header: texts.earned,
  cell: (row) => <Money value={earnedText(row)} look={earnedCents(row) > 0 ? 'earned' : 'plain'} />,
  figures: true,
  width: '6.5rem',
  card: 'value',
}
/** On the card that a row is on a phone: there is no room for every figure. */
const visits: Column<EarningsRow> = {
  id: 'visits',
  header: texts.visits,
  cell: (row) => texts.visitsOf(row.visits),
  card: 'note',
}

/** The columns of a table whose rows stand for this. */
export function columnsOf(by: EarningsGroup, isWide: boolean): Column<EarningsRow>[] {
  const name: Column<EarningsRow> = {
    id: 'name',
    header: texts.groups[by],
    cell: ({ label }) => label,
    card: 'title',
  }
  if (!isWide) return [name, visits, earned]
  const figures = [
    count('visits'),
    count('signUps'),
    count('follows'),
    count('trials', '3.5rem', texts.trialsInTable),
    count('redemptions', '5rem'),
    sales,
    renewals,
  ]
  return [
    name,
    ...(by === 'post' ? [] : [count('posts', '3.5rem')]),
    count('removed', '4.5rem'),
    ...figures,
    earned,
  ]
}
