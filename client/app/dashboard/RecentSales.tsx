import { useQuery } from '@tanstack/react-query'
import { paths } from '../../lib/paths.ts'
import type { Person } from '../../lib/session.tsx'
import { Card } from '../../ui/Card.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Money } from '../../ui/Money.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { recentTransactions } from './queries.ts'
import styles from './RecentSales.module.css'

const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })

/** What happened: the creator's share so far, how it comes about, and the newest sales. */
export function RecentSales({ person }: { person: Person }) {
  const { data, error, refetch } = useQuery(recentTransactions(person._id))
  if (error) {
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
  const { totals, items } = data
  return (
    <Card>
      <section aria-label="What happened">
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
        {items.length === 0 ? (
          <p className={styles.none}>
            Nothing sold yet. Your sales will show up here the moment they happen.
          </p>
        ) : (
          <ul className={styles.list}>
            {items.map((sale) => (
              <li key={sale._id} className={styles.sale}>
                <span className={styles.what}>
                  {sale.title}
                  <span className={styles.who}>
                    {sale.buyerId.username} · {DAY.format(new Date(sale.transactionDate))}
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
