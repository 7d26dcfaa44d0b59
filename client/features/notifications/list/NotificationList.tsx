import {
  IconBell,
  IconBuildingBank,
  IconCash,
  IconDownload,
  IconGift,
  IconHeart,
  IconMessageCircle,
  IconPhoto,
  IconReceipt2,
  IconShieldLock,
  IconSparkles,
  IconSpeakerphone,
  IconUserHeart,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { Link } from 'react-router'
import { notificationPath } from '../../../../contract/notification-paths.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { CountBadge } from '../../../ui/CountBadge.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { dayOf, formatDate, formatTime } from '../../../ui/format.ts'
import { Hidden } from '../../../ui/Hidden.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { notificationsQuery, useMarkRead } from '../api.ts'
import { notificationTexts as texts } from '../texts.ts'
import styles from './NotificationList.module.css'
import { daysOf, type Row } from './rows.ts'
import { lineOf } from './texts.ts'

/** Icons by the first word of a kind. */
const ICONS: Record<string, ComponentType<{ size?: number; stroke?: number }>> = {
  email: IconShieldLock,
  password: IconShieldLock,
  factor: IconShieldLock,
  'recovery-code': IconShieldLock,
  deletion: IconShieldLock,
  export: IconDownload,
  creator: IconDownload,
  payment: IconReceipt2,
  purchase: IconReceipt2,
  subscription: IconReceipt2,
  message: IconMessageCircle,
  custom: IconSparkles,
  'mass-message': IconSpeakerphone,
  forum: IconSpeakerphone,
  verification: IconShieldLock,
  sale: IconCash,
  tip: IconGift,
  subscriber: IconUserHeart,
  follower: IconHeart,
  payout: IconBuildingBank,
  'bank-details': IconBuildingBank,
  'shared-code': IconUserHeart,
  subreddit: IconSpeakerphone,
  post: IconSpeakerphone,
  media: IconPhoto,
}

/** The person's notifications, by day; each line leads to its page. */
export function NotificationList({
  heading: Heading,
  onOpen,
}: {
  /** Of a day, below what the list stands in. */
  heading: 'h2' | 'h3'
  onOpen?: () => void
}) {
  const list = useList(notificationsQuery)
  const markRead = useMarkRead()
  const open = ({ ids, unread }: Row) => {
    if (unread) markRead.mutate(ids)
    onOpen?.()
  }
  return (
    <GrowingList
      list={list}
      failed={texts.loadFailed}
      waiting={<SkeletonLines lines={6} />}
      empty={
        <EmptyState Icon={IconBell} title={texts.none}>
          {texts.noneWhy}
        </EmptyState>
      }
    >
      {daysOf(list.items).map(({ day, rows }) => (
        <section key={day} className={styles.day} aria-label={nameOf(day)}>
          <Heading className={styles.date}>{nameOf(day)}</Heading>
          <ul className={styles.rows}>
            {rows.map((row) => (
              <li key={row.key}>
                <NotificationRow row={row} onOpen={() => open(row)} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </GrowingList>
  )
}

function NotificationRow({ row, onOpen }: { row: Row; onOpen: () => void }) {
  const { newest, ids, unread } = row
  const Icon = ICONS[newest.event.kind.split('.')[0] ?? ''] ?? IconBell
  return (
    <Link
      to={notificationPath(newest.event)}
      className={styles.row}
      data-unread={unread || undefined}
      onClick={onOpen}
    >
      <span className={styles.icon} aria-hidden>
        <Icon size={20} stroke={1.5} />
      </span>
      <span className={styles.words}>
        <span className={styles.line}>{lineOf(newest.event, ids.length)}</span>
        <span className={styles.time}>{formatTime(newest.createdAt)}</span>
      </span>
      {unread &&
        (ids.length > 1 ? (
          // So that the marks of all lines make up the number at the bell.
          <span>
            <CountBadge count={ids.length} />
            <Hidden>{texts.severalUnread(ids.length)}</Hidden>
          </span>
        ) : (
          <span className={styles.dot}>
            <Hidden>{texts.unread}</Hidden>
          </span>
        ))}
    </Link>
  )
}

const DAY_MS = 24 * 3600 * 1000

function nameOf(day: string): string {
  const now = serverNow().getTime()
  if (day === dayOf(new Date(now))) return texts.today
  return day === dayOf(new Date(now - DAY_MS)) ? texts.yesterday : formatDate(day)
}
