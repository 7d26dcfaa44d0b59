import { createHash } from 'node:crypto'
import { csvOf } from '../../../../contract/csv.ts'
import { formatMoney } from '../../../../contract/money.ts'
import type { EarningsGroup, EarningsRow, Figures } from './rules.ts'
import type { Comparison } from './titles/rules.ts'

/** The form of a row's key in a cursor. */
export const digestOf = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 16)

/** Figures with their amounts as text. */
export function presentFigures({ salesCents, renewalsCents, ...figures }: Figures) {
  return {
    ...figures,
    salesAmount: formatMoney(salesCents),
    renewalsAmount: formatMoney(renewalsCents),
  }
}

/** The earnings of one group of posts. */
export function presentRow({ key, label, ...figures }: EarningsRow) {
  return { key, label, ...presentFigures(figures) }
}

const NAMED: Record<EarningsGroup, string> = {
  post: 'Post',
  subreddit: 'Subreddit',
  title: 'Title',
  flair: 'Flair',
  hour: 'Hour',
  weekday: 'Weekday',
}

const COLUMNS: [string, (figures: Figures) => string][] = [
  ['Posts', ({ posts }) => `${posts}`],
  ['Removed', ({ removed }) => `${removed}`],
  ['Visits', ({ visits }) => `${visits}`],
  ['Sign-ups', ({ signUps }) => `${signUps}`],
  ['Follows', ({ follows }) => `${follows}`],
  ['Free trials', ({ trials }) => `${trials}`],
  ['Offers redeemed', ({ redemptions }) => `${redemptions}`],
  ['Sales', ({ sales }) => `${sales}`],
  ['Sales amount', ({ salesCents }) => formatMoney(salesCents)],
  ['Renewals', ({ renewals }) => `${renewals}`],
  ['Renewals amount', ({ renewalsCents }) => formatMoney(renewalsCents)],
]

/** The rows as a file, with what all of them brought below. */
export function presentFile(
  rows: readonly EarningsRow[],
  total: Figures,
  of: { by: EarningsGroup; from: Date; to: Date },
): { fileName: string; text: string } {
  const line = (name: string, figures: Figures) => [name, ...COLUMNS.map(([, read]) => read(figures))]
  const day = (moment: Date) => moment.toISOString().slice(0, 10)
  return {
    fileName: `post-earnings-by-${of.by}-${day(of.from)}-to-${day(of.to)}.csv`,
    text: csvOf([
      [NAMED[of.by], ...COLUMNS.map(([name]) => name)],
      ...rows.map((row) => line(row.label, row)),
      line('Total', total),
    ]),
  }
}

/** How titles did against each other, without what the page doesn't show. */
export function presentComparison({ titles, verdict }: Comparison) {
  return {
    titles: titles.map(
      ({ title, posts, removed, score, visits, sales, renewals, salesCents, renewalsCents }) => ({
        title,
        posts,
        removed,
        score,
        visits,
        payments: sales + renewals,
        earned: formatMoney(salesCents + renewalsCents),
      }),
    ),
    verdict,
  }
}
