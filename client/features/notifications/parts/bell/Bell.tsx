import { IconBell } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../../lib/paths.ts'
import { isAdmitted, useSession } from '../../../../lib/session.tsx'
import { CountBadge } from '../../../../ui/CountBadge.tsx'
import { Hidden } from '../../../../ui/Hidden.tsx'
import { lazyPart } from '../../../../ui/lazy-part.tsx'
import { SkeletonLines } from '../../../../ui/Skeleton.tsx'
import styles from './Bell.module.css'
import { bellTexts as texts } from './texts.ts'
import { unreadNotificationsQuery } from './unread.ts'

const Panel = lazyPart(
  () => import('./Panel.tsx').then((module) => module.default),
  <SkeletonLines lines={6} />,
)

/** The way to the notifications with how many are unread: on a phone to their page, else to a panel. */
export function Bell({ opens }: { opens: 'page' | 'panel' }) {
  const { token, currentUser } = useSession()
  const { data } = useQuery({ ...unreadNotificationsQuery, enabled: isAdmitted(currentUser) })
  const unread = data?.unread ?? 0
  const personId = currentUser?._id
  useEffect(() => {
    const allowed = 'Notification' in window && Notification.permission === 'granted'
    // With each login: push belongs to the session.
    if (opens === 'panel' && token && personId && allowed)
      void import('../../settings/push.ts').then(({ renewPush }) => renewPush(personId))
  }, [opens, token, personId])
  if (opens === 'panel') return <PanelBell unread={unread} />
  return (
    <Link to={paths.notifications} className={styles.bell}>
      <BellIcon unread={unread} />
    </Link>
  )
}

function PanelBell({ unread }: { unread: number }) {
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useState(false)
  const place = () => {
    const { bottom, right } = button.current?.getBoundingClientRect() ?? { bottom: 0, right: 0 }
    panel.current?.style.setProperty('top', `${bottom + 4}px`)
    panel.current?.style.setProperty('right', `${document.documentElement.clientWidth - right}px`)
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles.bell}
        popoverTarget="notifications"
        aria-expanded={opened}
        onClick={place}
      >
        <BellIcon unread={unread} />
      </button>
      <div
        ref={panel}
        id="notifications"
        popover="auto"
        role="dialog"
        aria-label={texts.title}
        className={styles.panel}
        onToggle={({ newState }) => setOpened(newState === 'open')}
      >
        {opened && <Panel onClose={() => panel.current?.hidePopover()} />}
      </div>
    </>
  )
}

function BellIcon({ unread }: { unread: number }) {
  return (
    <>
      <IconBell size={22} stroke={1.5} aria-hidden />
      <Hidden>{texts.open(unread)}</Hidden>
      {unread > 0 && (
        <span className={styles.badge}>
          <CountBadge count={unread} />
        </span>
      )}
    </>
  )
}
