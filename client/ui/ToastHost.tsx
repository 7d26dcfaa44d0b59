import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'
import { type NotificationData, Notifications, notifications } from '@mantine/notifications'
import { Button } from './core/Button.tsx'
import styles from './ToastHost.module.css'
import { MantineScope } from './theme/MantineScope.tsx'

/** Something that can still be done about what just happened. */
export type ToastAction = { label: string; onAct: () => void }

/** Shows a message, with the button for what can still be done about it. It stays while it has the focus. */
export function present(message: NotificationData, action?: ToastAction): void {
  const act = () => {
    notifications.hide(shown)
    action?.onAct()
  }
  const content = action ? (
    <span className={styles.offer}>
      {message.message}
      <Button variant="subtle" size="compact-md" onClick={act}>
        {action.label}
      </Button>
    </span>
  ) : (
    message.message
  )
  const closesIn = (autoClose: NotificationData['autoClose']) => () => {
    notifications.update({ id: shown, message: content, autoClose })
  }
  const shown = notifications.show({
    ...message,
    message: content,
    // Without end while it has the focus, and anew after that.
    onFocus: closesIn(false),
    onBlur: closesIn(message.autoClose),
  })
}

/** PhotoSwipe, the full-screen viewer, stands at 100,000. */
const ABOVE_VIEWER = 100_001

export default function ToastHost() {
  return (
    <MantineScope>
      <Notifications
        position="bottom-center"
        limit={3}
        zIndex={ABOVE_VIEWER}
        className={styles.host ?? ''}
        withinPortal={false}
      />
    </MantineScope>
  )
}
