import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'
import { type NotificationData, Notifications, notifications } from '@mantine/notifications'
import { Button } from './core/Button.tsx'
import styles from './ToastHost.module.css'
import { dialogTexts } from './texts.ts'
import { MantineScope } from './theme/MantineScope.tsx'

/** Something that can still be done about what just happened. */
export type ToastAction = { label: string; onAct: () => void }

/** The message with this key; with none the newest. */
const elementOf = (key?: number) =>
  [...document.querySelectorAll<HTMLElement>('[data-toast]')].findLast(
    ({ dataset }) => key === undefined || dataset.toast === String(key),
  )

addEventListener('keydown', (event) => {
  const newest = event.key === 'F8' && elementOf()
  if (!newest) return
  event.preventDefault()
  newest.focus()
})

/** Where the focus was before it came to a message. */
let before: EventTarget | null = null
let count = 0

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
  count += 1
  const key = count
  const shown = notifications.show({
    ...message,
    ...{ 'data-toast': key, tabIndex: -1 },
    closeButtonProps: { 'aria-label': dialogTexts.close },
    message: content,
    // Without end while it has the focus, and anew after that.
    onFocus: ({ currentTarget, relatedTarget }) => {
      if (!currentTarget.closest('section')?.contains(relatedTarget)) before = relatedTarget
      closesIn(false)()
    },
    onBlur: closesIn(message.autoClose),
    onClose: (closed) => {
      message.onClose?.(closed)
      if (before instanceof HTMLElement && elementOf(key)?.contains(document.activeElement)) before.focus()
    },
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
