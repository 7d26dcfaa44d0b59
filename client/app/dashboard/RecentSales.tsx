import { useQuery } from '@tanstack/react-query'
import { earningsQuery, transactionsQuery } from '../../features/commerce/earnings/api.ts'
import { soldTitle } from '../../features/commerce/earnings/texts.ts'
import { paths } from '../../lib/paths.ts'
import { serverNow } from '../../lib/server-clock.ts'
import type { Person } from '../../lib/session.tsx'
import { Card } from '../../ui/Card.tsx'
import { Fetched } from '../../ui/Fetched.tsx'
import { dayOf, formatCount, formatDate, withCents } from '../../ui/format.ts'
import { useAllPages, useList } from '../../ui/list/use-list.ts'
import { Money } from '../../ui/Money.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import styles from './RecentSales.module.css'
import { salesTexts } from './texts.ts'

/** On a phone the first four of them (RecentSales.module.css). */
const SHOWN = 7
/** How far back they are looked for; what is older is on the page of earnings. */
const PAGES = 2

/** The creator's share so far, how it is made up, and the newest sales. */
export function RecentSales({ person }: { person: Person }) {
  const list = useList(transactionsQuery)
  const earned = useQuery(earningsQuery(dayOf(serverNow())))
  const { first, error, refetch } = list
  const sales = list.items.filter(({ creatorId }) => creatorId._id === person._id)
  // Somebody who buys more than they sell has their sales further back.
  const looks = sales.length < SHOWN && first?.totals.gross !== '$0' && list.pageCount < PAGES
  useAllPages(list, looks)
  const [today] = earned.data ?? []
  return (
    <Card>
      <Fetched
        query={{ data: earned.isPending ? undefined : first, error: !first && error, refetch }}
        waiting={<SkeletonLines lines={15} />}
        failed={salesTexts.loadFailed}
      >
        {({ totals }) => (
          <section
            aria-label={salesTexts.label}
            aria-busy={looks && list.hasNextPage && !list.isFetchNextPageError}
          >
            {earned.data && (
              <p className={styles.today}>
                <span className={styles.label}>{salesTexts.today}</span>{' '}
                {today
                  ? salesTexts.soldToday(withCents(today.share), formatCount(today.sales, 'sale'))
                  : salesTexts.noneToday}
              </p>
            )}
            <p className={styles.label}>{salesTexts.soFar}</p>
            <p className={styles.share}>{withCents(totals.share)}</p>
            <dl className={styles.sums}>
              <div>
                <dt>{salesTexts.gross}</dt>
                <dd>
                  <Money cents value={totals.gross} />
                </dd>
              </div>
              <div>
                <dt>{salesTexts.fee}</dt>
                <dd>
                  <Money cents value={totals.fee} />
                </dd>
              </div>
              <div>
                <dt>{salesTexts.share}</dt>
                <dd>
                  <Money cents value={totals.share} look="earned" />
                </dd>
              </div>
            </dl>
            {sales.length === 0 ? (
              totals.gross === '$0' && <p className={styles.none}>{salesTexts.none}</p>
            ) : (
              <ul className={styles.list}>
                {sales.slice(0, SHOWN).map((sale) => (
                  <li key={sale._id} className={styles.sale}>
                    <span className={styles.what}>
                      {soldTitle(sale)}
                      <span className={styles.who}>
                        {sale.buyerId.username} · {formatDate(sale.transactionDate)}
                      </span>
                    </span>
                    <Money cents value={sale.share ?? sale.amount} />
                  </li>
                ))}
              </ul>
            )}
            <TextLink to={paths.earnings}>{salesTexts.all}</TextLink>
          </section>
        )}
      </Fetched>
    </Card>
  )
}
