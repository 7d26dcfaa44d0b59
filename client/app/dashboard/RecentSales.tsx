import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { transactionsQuery } from '../../features/commerce/api.ts'
import { isToday, newestSales, soldToday } from '../../features/commerce/earnings/sales.ts'
import { paths } from '../../lib/paths.ts'
import type { Person } from '../../lib/session.tsx'
import { Card } from '../../ui/Card.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { formatCount, formatDate } from '../../ui/format.ts'
import { Money } from '../../ui/Money.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import styles from './RecentSales.module.css'

const SHOWN = 4
const MAX_PAGES = 5

/** What happened: the creator's share so far, how it comes about, and the newest sales. */
export function RecentSales({ person }: { person: Person }) {
  const { data, error, refetch, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery(transactionsQuery)
  const sales = data?.pages.flatMap(({ items }) => newestSales(items, person._id)) ?? []
  const now = new Date()
  const oldest = data?.pages.at(-1)?.items.at(-1)
  // Somebody who buys more than they sell has their sales further back, and a good day is longer than a page.
  const wanted = sales.length < SHOWN || (oldest !== undefined && isToday(oldest.transactionDate, now))
  const further = wanted && hasNextPage && !error && (data?.pages.length ?? 0) < MAX_PAGES
  useEffect(() => {
    if (further && !isFetching) void fetchNextPage()
  }, [further, isFetching, fetchNextPage])
  if (error && !data) {
    return (
      <Card>
        <ErrorState title="Your earnings could not be loaded" error={error} onRetry={() => void refetch()} />
      </Card>
    )
  }
  if (!data) {
    return (
      <Card>
        <SkeletonLines lines={15} />
      </Card>
    )
  }
  const totals = data.pages[0]?.totals
  if (!totals) return null
  const today = soldToday(sales, now)
  return (
    <Card>
      <section aria-label="What happened">
        <p className={styles.today}>
          <span className={styles.label}>Today</span>{' '}
          {today.count === 0
            ? 'nothing sold yet'
            : `${today.share} from ${formatCount(today.count, 'sale')}${further ? ' or more' : ''}`}
        </p>
        <p className={styles.label}>Your share so far</p>
        <p className={styles.share}>{totals.share}</p>
        <dl className={styles.sums}>
          <div>
            <dt>Gross</dt>
            <dd>
              <Money value={totals.gross} />
            </dd>
          </div>
          <div>
            <dt>Fee</dt>
            <dd>
              <Money value={totals.fee} />
            </dd>
          </div>
          <div>
            <dt>Share</dt>
            <dd>
              <Money value={totals.share} look="earned" />
            </dd>
          </div>
        </dl>
        {sales.length === 0 ? (
          <p className={styles.none}>
            Nothing sold yet. Your sales will show up here the moment they happen.
          </p>
        ) : (
          <ul className={styles.list}>
            {sales.slice(0, SHOWN).map((sale) => (
              <li key={sale._id} className={styles.sale}>
                <span className={styles.what}>
                  {sale.title}
                  <span className={styles.who}>
                    {sale.buyerId.username} · {formatDate(sale.transactionDate)}
                  </span>
                </span>
                <Money value={sale.share ?? sale.amount} />
              </li>
            ))}
          </ul>
        )}
        <TextLink to={paths.earnings}>All earnings</TextLink>
      </section>
    </Card>
  )
}
