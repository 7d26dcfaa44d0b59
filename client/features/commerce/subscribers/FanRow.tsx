import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { Avatar } from '../../../ui/Avatar.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { formatDate } from '../../../ui/format.ts'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import { SubscriptionStatusTag } from '../billing/SubscriptionStatusTag.tsx'
import { everyTerm } from '../parts/texts.ts'
import type { Subscriber } from './api.ts'
import styles from './fans.module.css'
import { giftTexts, fansTexts as texts } from './texts.ts'

type SubscriberRowProps = { subscriber: Subscriber; onGive: (kind: 'days' | 'months') => void }

/** A subscription with its fan, what it costs and until when it is paid, and what can be given. */
export function SubscriberRow({ subscriber: row, onGive }: SubscriberRowProps) {
  const {
    subscriber,
    title,
    price,
    months,
    status,
    expiration,
    endedAt,
    startedAt,
    canMessage,
    canAddDays,
    canExtend,
  } = row
  const cost = status === 'trialing' ? texts.free : everyTerm(price, months)
  return (
    <li className={styles.row}>
      <div>
        <p className={styles.name}>
          <Link to={paths.profile(subscriber.username)} className={styles.to}>
            {subscriber.username}
          </Link>{' '}
          <SubscriptionStatusTag status={status} />
        </p>
        <p className={styles.note}>{[title, cost, texts.since(formatDate(startedAt))].join('\u00a0· ')}</p>
        <p className={styles.note}>{texts.until[status](formatDate(endedAt ?? expiration))}</p>
      </div>
      {(canMessage || canAddDays || canExtend) && (
        <div className={styles.actions}>
          {canMessage && (
            <LinkButton
              variant="default"
              size="sm"
              to={paths.chat(subscriber._id)}
              aria-label={texts.messageTo(subscriber.username)}
            >
              {texts.message}
            </LinkButton>
          )}
          {canAddDays && (
            <Button
              variant="default"
              size="sm"
              aria-label={giftTexts.giveDaysTo(subscriber.username)}
              onClick={() => onGive('days')}
            >
              {giftTexts.giveDays}
            </Button>
          )}
          {canExtend && (
            <Button
              variant="default"
              size="sm"
              aria-label={giftTexts.extendFor(subscriber.username)}
              onClick={() => onGive('months')}
            >
              {giftTexts.extend}
            </Button>
          )}
        </div>
      )}
    </li>
  )
}

type FanRowProps = {
  person: { _id: string; username: string; profileImage: string | null; isCreator: boolean }
  children: ReactNode
}

/** A fan with picture and name, and what can be done for them. */
export function FanRow({ person: { username, profileImage, isCreator }, children }: FanRowProps) {
  return (
    <li className={styles.row}>
      <Link to={paths.profile(username)} className={styles.person}>
        <Avatar src={profileImage} name={username} size={44} />
        <span className={styles.names}>
          <span className={styles.name}>{username}</span>
          {isCreator && <Tag>{texts.creator}</Tag>}
        </span>
      </Link>
      {children}
    </li>
  )
}
