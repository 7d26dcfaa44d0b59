import { IconAlertCircle, IconChecks, IconClock } from '@tabler/icons-react'
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
