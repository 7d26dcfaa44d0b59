import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { CSSProperties } from 'react'
import { centsOf, formatMoney } from '../../../../contract/money.ts'
import type { Output } from '../../../../contract/route.ts'
import type { earningsRoutes } from '../../../../contract/routes/commerce/earnings.ts'
import { Card } from '../../../ui/Card.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { withCents } from '../../../ui/format.ts'
import { Money } from '../../../ui/Money.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { breakdownQuery, type Source } from './api.ts'
import styles from './Earnings.module.css'
import { kindText, soldTitle, sourceText, texts } from './texts.ts'

const words = texts.breakdown

type Earned = { key: string; name: string; note: string; share: string }

/** What is left of all sales and commissions. */
export type Kept = { share: string; commissions: string }

/** Where the shares of the chosen range came from: by source, and the items and fans that brought the most. */
export function Breakdown({ from, kept }: { from: string | undefined; kept: Kept }) {
  const breakdown = useQuery({ ...breakdownQuery(from), placeholderData: keepPreviousData })
  return (
    <Fetched query={breakdown} waiting={<SkeletonLines lines={6} />} failed={words.failed}>
      {(data) => (
        <>
          <p className={styles.before}>
            {words.before}{' '}
            {from === undefined && !breakdown.isPlaceholderData && takenBack(data.sources, kept)}
          </p>
          <Rankings {...data} />
        </>
      )}
    </Fetched>
  )
}

type Sources = Output<typeof earningsRoutes.earningsBreakdown>['sources']

const isCommission = (source: Source) => source === 'commission' || source === 'subreddit'

/** The difference between what all sources brought and what is left of it; nothing where there is none. */
function takenBack(sources: Sources, kept: Kept): string | null {
  const left = (ofCommissions: boolean, rest: string) =>
    sources
      .filter(({ source }) => isCommission(source) === ofCommissions)
      .reduce((sum, { share }) => sum + centsOf(share), -centsOf(rest))
  const [share, commissions] = [left(false, kept.share), left(true, kept.commissions)]
  const amounts = [
    ...(share > 0 ? [words.ofShare(withCents(formatMoney(share)))] : []),
    ...(commissions > 0 ? [words.ofCommissions(withCents(formatMoney(commissions)))] : []),
  ]
  return amounts.length > 0 ? words.takenBack(amounts) : null
}

function Rankings({ sources, items, fans }: Output<typeof earningsRoutes.earningsBreakdown>) {
  return (
    <div className={styles.breakdown}>
      <Ranking
        title={words.sources}
        rows={sources.map(({ source, sales, share }) => ({
          key: source,
          name: sourceText(source),
          note: isCommission(source) ? words.commissions(sales) : words.sales(sales),
          share,
        }))}
      />
      <Ranking
        title={words.items}
        none={words.noItems}
        rows={items.map(({ _id, kind, title, sales, share }) => ({
          key: _id,
          name: soldTitle({ kind, title }),
          note: kind === 'custom' ? words.sales(sales) : `${kindText(kind)} · ${words.sales(sales)}`,
          share,
        }))}
      />
      <Ranking
        title={words.fans}
        rows={fans.map(({ fan, sales, share }) => ({
          key: fan._id,
          name: fan.username,
          note: words.sales(sales),
          share,
        }))}
      />
    </div>
  )
}

type RankingProps = { title: string; rows: readonly Earned[]; none?: string }

/** Amounts as bars beside each other's, the longest first. */
function Ranking({ title, rows, none = words.none }: RankingProps) {
  const most = Math.max(1, ...rows.map(({ share }) => centsOf(share)))
  return (
    <Card>
      <div className={styles.ranking}>
        <h3>{title}</h3>
        {rows.length === 0 ? (
          <p className={styles.quiet}>{none}</p>
        ) : (
          <ol aria-label={title}>
            {rows.map(({ key, name, note, share }) => (
              <li
                key={key}
                style={{ '--width': `${(Math.max(0, centsOf(share)) / most) * 100}%` } as CSSProperties}
              >
                <span className={styles.ranked}>
                  {name} <small>{note}</small>
                </span>
                <Money cents value={share} />
              </li>
            ))}
          </ol>
        )}
      </div>
    </Card>
  )
}
