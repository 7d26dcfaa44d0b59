import { IconReceipt } from '@tabler/icons-react'
import { paths } from '../../../lib/paths.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { formatDate } from '../../../ui/format.ts'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { Money } from '../../../ui/Money.tsx'
import { Page } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import { type Transaction, transactionsQuery } from '../api.ts'
import styles from './Earnings.module.css'

/** Every sale and purchase of the logged-in person with gross, fee and share (docs/product.md, Pages Earnings). */
export function Earnings() {
  const me = useCurrentUser()
  const list = useList(transactionsQuery)
  const totals = list.first?.totals
  return (
    <Page
      title={me.isCreator ? 'Earnings' : 'Payments'}
      lead={
        me.isCreator ? 'What fans paid, the platform’s fee, and your share.' : 'What you paid, newest first.'
      }
    >
      {totals && (
        <dl className={styles.totals}>
          {me.isCreator ? (
            <>
              <Sum label="Your share" value={totals.share} look="earned" />
              <Sum label="Gross" value={totals.gross} />
              <Sum label="Platform fee" value={totals.fee} />
            </>
          ) : (
            <Sum label="Spent in all" value={totals.spent} />
          )}
        </dl>
      )}
      <GrowingList
        list={list}
        failed="Your transactions could not be loaded"
        waiting={<SkeletonLines lines={8} />}
        empty={<Nothing creator={me.isCreator} />}
      >
        <Card flush>
          <ul className={styles.list} aria-label="Transactions">
            {list.items.map((transaction) => (
              <Row
                key={transaction._id}
                transaction={transaction}
                sold={transaction.creatorId._id === me._id}
              />
            ))}
          </ul>
        </Card>
      </GrowingList>
    </Page>
  )
}

function Sum({ label, value, look = 'plain' }: { label: string; value: string; look?: 'plain' | 'earned' }) {
  return (
    <div className={styles.sum}>
      <dt>{label}</dt>
      <dd>
        <Money value={value} look={look} />
      </dd>
    </div>
  )
}

function Row({ transaction, sold }: { transaction: Transaction; sold: boolean }) {
  const { title, kind, status, amount, fee, share, buyerId, creatorId, transactionDate } = transaction
  return (
    <li className={styles.row}>
      <span className={styles.what}>
        <span className={styles.title}>{title || 'Untitled'}</span>
        <span className={styles.quiet}>
          {kind} · {sold ? `sold to ${buyerId.username}` : `bought from ${creatorId.username}`} ·{' '}
          {formatDate(transactionDate)}
        </span>
      </span>
      {status !== 'captured' && <Tag>{status}</Tag>}
      <span className={styles.amounts}>
        <Money value={sold ? (share ?? amount) : amount} look={sold ? 'earned' : 'plain'} />
        {sold && share && (
          <span className={styles.quiet}>
            {amount} − {fee} fee
          </span>
        )}
      </span>
    </li>
  )
}

function Nothing({ creator }: { creator: boolean }) {
  return creator ? (
    <EmptyState
      Icon={IconReceipt}
      title="Nothing sold yet"
      action={<LinkButton to={paths.premiumContent}>See what you sell</LinkButton>}
    >
      Every sale shows up here the moment it happens, with the fee and your share.
    </EmptyState>
  ) : (
    <EmptyState
      Icon={IconReceipt}
      title="No payments yet"
      action={<LinkButton to={paths.discover}>Browse All Content</LinkButton>}
    >
      What you buy shows up here with its date and price.
    </EmptyState>
  )
}
