import { useState } from 'react'
import { paths } from '../../../lib/paths.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { formatDate, withCents } from '../../../ui/format.ts'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { Money } from '../../../ui/Money.tsx'
import { Page, Section } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { CardDialog } from '../cards/CardDialog.tsx'
import { Cards } from '../cards/Cards.tsx'
import { storedCardTexts as cardTexts } from '../cards/texts.ts'
import { statusText } from '../earnings/texts.ts'
import { type OwnSubscription, ownSubscriptionsQuery } from '../parts/subscriptions/api.ts'
import { receiptsQuery } from './api.ts'
import styles from './billing.module.css'
import { SubscriptionItem } from './SubscriptionItem.tsx'
import { billingTexts as texts } from './texts.ts'

/** A person's subscriptions with the way to end them, and what they paid (docs/product.md, Pages). */
export function Component() {
  const [updating, setUpdating] = useState<OwnSubscription | null>(null)
  return (
    <Page title={texts.title} lead={texts.lead} width="text">
      <Current onUpdateCard={setUpdating} />
      <StoredCards />
      <Ended onUpdateCard={setUpdating} />
      <Pending />
      <Receipts />
      <UpdateCard subscription={updating} onClose={() => setUpdating(null)} />
    </Page>
  )
}

type Updating = { onUpdateCard: (subscription: OwnSubscription) => void }

function Current({ onUpdateCard }: Updating) {
  const list = useList(ownSubscriptionsQuery('current'))
  return (
    <Section title={texts.subscriptions}>
      <GrowingList
        list={list}
        failed={texts.subscriptionsFailed}
        waiting={<SkeletonLines lines={3} />}
        empty={
          <EmptyState
            title={texts.noSubscriptions}
            compact
            action={<LinkButton to={paths.discover}>{texts.browse}</LinkButton>}
          >
            {texts.noSubscriptionsWhy}
          </EmptyState>
        }
        byButton
      >
        <ul className={styles.list} aria-label={texts.subscriptions}>
          {list.items.map((subscription) => (
            <SubscriptionItem
              key={subscription._id}
              subscription={subscription}
              onUpdateCard={onUpdateCard}
            />
          ))}
        </ul>
      </GrowingList>
    </Section>
  )
}

type UpdateCardProps = { subscription: OwnSubscription | null; onClose: () => void }

/** The card for a subscription, which may be paid or canceled elsewhere meanwhile. */
function UpdateCard({ subscription, onClose }: UpdateCardProps) {
  // As fresh as what the dialog reads, so that both say the same.
  const { items } = useList({
    ...ownSubscriptionsQuery('current'),
    ...(subscription ? { staleTime: 0 } : {}),
  })
  const now = items.find(({ _id }) => _id === subscription?._id)
  const settled = now?.status === 'active' ? cardTexts.justPaid : cardTexts.nothingDue
  return (
    <CardDialog
      title={cardTexts.update}
      opened={subscription !== null}
      onClose={onClose}
      settled={subscription?.owed ? settled(subscription.title) : undefined}
    />
  )
}

function StoredCards() {
  const { items } = useList(ownSubscriptionsQuery('current'))
  return <Cards subscriptions={items} />
}

/** Not there before the first one ended. */
function Ended({ onUpdateCard }: Updating) {
  const list = useList(ownSubscriptionsQuery('ended'))
  if (list.items.length === 0 && !list.error) return null
  return (
    <Section title={texts.ended}>
      <GrowingList list={list} failed={texts.endedFailed} waiting={null} empty={null} byButton>
        <ul className={styles.list} aria-label={texts.ended}>
          {list.items.map((subscription) => (
            <SubscriptionItem
              key={subscription._id}
              subscription={subscription}
              onUpdateCard={onUpdateCard}
            />
          ))}
        </ul>
      </GrowingList>
    </Section>
  )
}

/** Payments that are still being decided; not there where none is. */
function Pending() {
  const pending = useList(receiptsQuery).first?.pending ?? []
  if (pending.length === 0) return null
  return (
    <Section title={texts.pending}>
      <ul className={styles.list} aria-label={texts.pending}>
        {pending.map(({ _id, title, creator, amount, message, startedAt }) => (
          <li key={_id} className={styles.receipt}>
            <div>
              <p className={styles.name}>{title}</p>
              <p className={styles.note}>{`${formatDate(startedAt)}\u00a0· ${creator.username}`}</p>
            </div>
            <Money cents value={amount} />
            <p className={`${styles.note} ${styles.number}`}>{message}</p>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Receipts() {
  const list = useList(receiptsQuery)
  const spent = list.items.length > 0 ? list.first?.totalSpent : undefined
  return (
    <Section
      title={texts.receipts}
      action={
        spent !== undefined && (
          <p className={styles.total}>
            {texts.totalSpent} <Money cents value={spent} />
          </p>
        )
      }
    >
      <GrowingList
        list={list}
        failed={texts.receiptsFailed}
        waiting={<SkeletonLines lines={3} />}
        empty={
          <EmptyState title={texts.noReceipts} compact>
            {texts.noReceiptsWhy}
          </EmptyState>
        }
      >
        <ul className={styles.list} aria-label={texts.receipts}>
          {list.items.map(
            ({ _id, title, creator, amount, returned, byBank, months, reduced, status, card, paidAt }) => (
              <li key={_id} className={styles.receipt}>
                <div>
                  <p className={styles.name}>{title}</p>
                  <p className={styles.note}>
                    {[
                      formatDate(paidAt),
                      creator.username,
                      months && months > 1 ? texts.paidFor(months) : null,
                      card,
                    ]
                      .filter((part) => part !== null)
                      .join('\u00a0· ')}
                  </p>
                </div>
                <div className={styles.amount}>
                  <Money cents value={amount} />
                  {reduced && (
                    <p className={styles.note}>
                      {texts.reduced(withCents(reduced.fullPrice), reduced.owned)}
                    </p>
                  )}
                  {status !== 'captured' && <p className={styles.note}>{statusText(status)}</p>}
                  {status === 'captured' && returned !== null && (
                    <p className={styles.note}>
                      {(byBank ? texts.returned : texts.refunded)(withCents(returned))}
                    </p>
                  )}
                </div>
                <p className={`${styles.note} ${styles.number}`}>{texts.receiptNumber(_id)}</p>
              </li>
            ),
          )}
        </ul>
      </GrowingList>
    </Section>
  )
}
