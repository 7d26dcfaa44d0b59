import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { centsOf } from '../../../../../contract/money.ts'
import { isSubscribed } from '../../../../../contract/subscriptions.ts'
import { serverNow } from '../../../../lib/server-clock.ts'
import { Button } from '../../../../ui/core/Button.tsx'
import type { Profile } from '../../../profiles/api.ts'
import { type Subscription, subscriptionsQuery } from '../../api.ts'
import { type Buyable, subscriptionOf, wishLabel } from '../buyable.ts'
import styles from './SubscribeBar.module.css'

type SubscribeBarProps = { creator: Profile; onBuy: (item: Buyable) => void }

/**
 * On a phone the creator's cheapest subscription, at the end of the window while its own row is out of sight; nothing for
 * who has one of theirs.
 */
export function SubscribeBar({ creator, onBuy }: SubscribeBarProps) {
  const { data = [] } = useQuery(subscriptionsQuery(creator._id))
  const [cheapest] = data
    .filter(({ retired }) => !retired)
    .toSorted((one, other) => centsOf(one.price) - centsOf(other.price))
  const [rowInSight, setRowInSight] = useState(true)
  // The row comes and goes with its tab.
  useEffect(() => {
    const row = cheapest && document.getElementById(cheapest._id)
    if (!row) return setRowInSight(false)
    const observer = new IntersectionObserver(([entry]) => setRowInSight(entry?.isIntersecting ?? false), {
      threshold: 0.5,
    })
    observer.observe(row)
    return () => observer.disconnect()
  })
  if (!cheapest || data.some(has)) return null
  const item = subscriptionOf(cheapest, creator.username)
  return (
    <div className={styles.bar} data-out={rowInSight || undefined}>
      <Button size="lg" fullWidth onClick={() => onBuy(item)}>
        {wishLabel({ ...item, creatorUsername: creator.firstName || creator.username })}
      </Button>
    </div>
  )
}

function has({ status, expiration }: Subscription): boolean {
  if (status === 'past_due') return false
  return isSubscribed({ status, expiration: expiration === null ? null : new Date(expiration) }, serverNow())
}
