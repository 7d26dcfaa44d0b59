import { IconAlertCircle, IconChecks, IconClock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { formatTime } from '../../../ui/format.ts'
import { messageTexts as texts } from '../texts.ts'
import styles from './MessageRow.module.css'

const MARKS = {
  sending: { Icon: IconClock, label: texts.sending },
  sent: { Icon: IconChecks, label: texts.sent },
  read: { Icon: IconChecks, label: texts.read },
  failed: { Icon: IconAlertCircle, label: texts.failed },
} as const

/** How far one's own message is: a clock while it is sent, double check marks after, blue once it was read. */
export function DeliveryMark({ state }: { state: keyof typeof MARKS }) {
  const { Icon, label } = MARKS[state]
  return (
    <span className={styles.mark} data-state={state} role="img" aria-label={label}>
      <Icon size={16} stroke={2} aria-hidden />
    </span>
  )
}

type MetaProps = { createdAt: string; edited?: boolean; children?: ReactNode }

/** When it was written, whether it was edited, and how far it is. */
export function Meta({ createdAt, edited = false, children }: MetaProps) {
  return (
    <span className={styles.meta}>
      {edited && <span>{texts.edited}</span>}
      <time dateTime={createdAt}>{formatTime(createdAt)}</time>
      {children}
    </span>
  )
}
