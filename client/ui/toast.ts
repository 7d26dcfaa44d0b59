import type { NotificationData } from '@mantine/notifications'
import type { ToastAction } from './ToastHost.tsx'
import { dialogTexts } from './texts.ts'

let needed = false
const up = new Set<NotificationData>()
const listeners = new Set<() => void>()

/** Whether a message was ever shown, so that the place for messages must be there. */
export const toastsNeeded = {
  read: () => needed,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}

function show(message: NotificationData, action?: ToastAction): void {
  needed = true
  up.add(message)
  const onClose = () => void up.delete(message)
  for (const listener of listeners) listener()
  import('./ToastHost.tsx').then(
    ({ present }) =>
      present({ ...message, onClose, closeButtonProps: { 'aria-label': dialogTexts.close } }, action),
    // Without the network nothing can be said; the page itself stays as it is.
    onClose,
  )
}

/** Short messages about what just happened. They go by themselves, so nothing that must be read stands only there. */
export const toast = {
  success: (message: string) => show({ message, color: 'green', autoClose: 4000 }),
  /** It worked, and there is something to know about it. */
  note: (message: string) => show({ message, autoClose: 8000 }),
  /** Stays longer, so that there is time to act; acting closes it. */
  offer: (message: string, action: ToastAction) =>
    show({ message, color: 'green', autoClose: 20_000 }, action),
  /** Stays until it is closed or acted on. */
  stays: (message: string, action: ToastAction) => show({ message, autoClose: false }, action),
  /** Whether a message is up other than this one: it would go with the page. */
  othersThan: (own: string) => [...up].some(({ message }) => message !== own),
  /** `message` says what failed and what to do. */
  failure: (message: string) => show({ message, color: 'red', autoClose: 8000 }),
}
