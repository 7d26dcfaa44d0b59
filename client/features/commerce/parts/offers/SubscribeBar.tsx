import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { centsOf } from '../../../../../contract/money.ts'
import { isSubscribed } from '../../../../../contract/subscriptions.ts'
import { paths } from '../../../../lib/paths.ts'
import { serverNow } from '../../../../lib/server-clock.ts'
import { Button } from '../../../../ui/core/Button.tsx'
import { LinkButton } from '../../../../ui/LinkButton.tsx'
import type { Profile } from '../../../profiles/api.ts'
import { type Subscription, subscriptionsQuery } from '../../api.ts'
import { type Buyable, subscriptionOf, wishLabel } from '../buyable.ts'
import { subscriptionTexts as texts } from '../texts.ts'
import styles from './SubscribeBar.module.css'

type SubscribeBarProps = { creator: Profile; onBuy: (item: Buyable) => void }

/**
 * On a phone what is owed to the creator, or that it is being paid, else their cheapest subscription, at the end of the window
 * while its own row is out of sight; nothing for who has one of theirs and owes nothing.
 */
export function SubscribeBar({ creator, onBuy }: SubscribeBarProps) {
  const { data = [] } = useQuery(subscriptionsQuery(creator._id))
  const [cheapest] = data
    .filter(({ retired }) => !retired)
    .toSorted((one, other) => centsOf(one.price) - centsOf(other.price))
  const owing = data.find(({ owed }) => owed !== null)
  const paying = data.find(({ undecided }) => undecided)
  const shown = owing ?? paying ?? cheapest
  const [rowInSight, setRowInSight] = useState(true)
  // The row comes and goes with its tab.
  useEffect(() => {
    const row = shown && document.getElementById(shown._id)
    if (!row) return setRowInSight(false)
    const observer = new IntersectionObserver(([entry]) => setRowInSight(entry?.isIntersecting ?? false), {
      threshold: 0.5,
    })
    observer.observe(row)
    return () => observer.disconnect()
  })
  if (!shown || (!owing && data.some(has))) return null
  const item = subscriptionOf(shown, creator.username)
  return (
    <div className={styles.bar} data-out={rowInSight || undefined}>
      {owing ? (
        <LinkButton size="lg" fullWidth to={paths.billing}>
          {texts.updateCardToPay(owing.owed ?? '')}
        </LinkButton>
      ) : paying ? (
        <LinkButton size="lg" fullWidth variant="default" to={paths.billing}>
          {texts.seePayment}
        </LinkButton>
      ) : (
        <Button size="lg" fullWidth onClick={() => onBuy(item)}>
          {wishLabel({ ...item, creatorUsername: creator.firstName || creator.username })}
        </Button>
      )}
    </div>
  )
}

function has({ status, expiration }: Subscription): boolean {
  if (status === 'past_due') return false
  return isSubscribed({ status, expiration: expiration === null ? null : new Date(expiration) }, serverNow())
}
