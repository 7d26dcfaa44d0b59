import '@mantine/core/styles/Notification.css'
import '@mantine/notifications/styles.css'
import { type NotificationData, Notifications, notifications } from '@mantine/notifications'

export function present(message: NotificationData): void {
  notifications.show(message)
}

export default function ToastHost() {
  return <Notifications position="bottom-center" limit={3} />
}
