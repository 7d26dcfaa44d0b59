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
import { salesTexts } from './texts.ts'

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
        <ErrorState title={salesTexts.loadFailed} error={error} onRetry={() => void refetch()} />
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
      <section aria-label={salesTexts.label}>
        <p className={styles.today}>
          <span className={styles.label}>{salesTexts.today}</span>{' '}
          {today.count === 0
            ? salesTexts.noneToday
            : salesTexts.soldToday(today.share, formatCount(today.count, 'sale'), Boolean(further))}
        </p>
        <p className={styles.label}>{salesTexts.soFar}</p>
        <p className={styles.share}>{totals.share}</p>
        <dl className={styles.sums}>
          <div>
            <dt>{salesTexts.gross}</dt>
            <dd>
              <Money value={totals.gross} />
            </dd>
          </div>
          <div>
            <dt>{salesTexts.fee}</dt>
            <dd>
              <Money value={totals.fee} />
            </dd>
          </div>
          <div>
            <dt>{salesTexts.share}</dt>
            <dd>
              <Money value={totals.share} look="earned" />
            </dd>
          </div>
        </dl>
        {sales.length === 0 ? (
          <p className={styles.none}>{salesTexts.none}</p>
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
        <TextLink to={paths.earnings}>{salesTexts.all}</TextLink>
      </section>
    </Card>
  )
}
