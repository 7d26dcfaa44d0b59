import type { NotificationData } from '@mantine/notifications'

let needed = false
const listeners = new Set<() => void>()

/** Whether a message was ever shown, so that the place for messages must be there. */
export const toastsNeeded = {
  read: () => needed,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}

function show(message: NotificationData): void {
  needed = true
  for (const listener of listeners) listener()
  void import('./ToastHost.tsx').then(({ present }) =>
    present({ ...message, closeButtonProps: { 'aria-label': 'Close' } }),
  )
}

/** Short messages about what just happened. They go by themselves, so nothing that must be read stands only there. */
export const toast = {
  success: (message: string) => show({ message, color: 'green', autoClose: 4000 }),
  /** `message` says what failed and what to do. */
  failure: (message: string) => show({ message, color: 'red', autoClose: 8000 }),
}
