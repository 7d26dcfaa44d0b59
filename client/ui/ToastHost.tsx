import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'
import { type NotificationData, Notifications, notifications } from '@mantine/notifications'
import { Button } from './core/Button.tsx'
import styles from './ToastHost.module.css'
import { MantineScope } from './theme/MantineScope.tsx'

/** Something that can still be done about what just happened. */
export type ToastAction = { label: string; onAct: () => void }

/** Shows a message, with the button for what can still be done about it. */
export function present(message: NotificationData, action?: ToastAction): void {
  if (!action) {
    notifications.show(message)
    return
  }
  const act = () => {
    notifications.hide(shown)
    action.onAct()
  }
  const shown = notifications.show({
    ...message,
    message: (
      <span className={styles.offer}>
        {message.message}
        <Button variant="subtle" size="compact-md" onClick={act}>
          {action.label}
        </Button>
      </span>
    ),
  })
}

/** PhotoSwipe, the full-screen viewer, stands at 100,000. */
const ABOVE_VIEWER = 100_001

export default function ToastHost() {
  return (
    <MantineScope>
      <Notifications position="bottom-center" limit={3} zIndex={ABOVE_VIEWER} className={styles.host ?? ''} />
    </MantineScope>
  )
}
