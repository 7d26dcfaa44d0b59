import type { NotificationData } from '@mantine/notifications'
import type { ToastAction } from './ToastHost.tsx'
import styles from './toast.module.css'

/** The id of the place for messages. */
export const TOASTS = 'toasts'

/** How long a message is shown whose code didn't come, in milliseconds. */
const PLAIN_MS = 8000

type ShownMessage = NotificationData & { message: string; role?: 'alert' }

let needed = false
let host: Promise<typeof import('./ToastHost.tsx')> | undefined
const up = new Set<ShownMessage>()
const listeners = new Set<() => void>()

/** Whether a message was ever shown, so that the place for messages must be there. */
export const toastsNeeded = {
  read: () => needed,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}

/** The code for messages: once here it says also that there is no network. A load that failed is tried again by the next. */
export function loadToastHost(): Promise<typeof import('./ToastHost.tsx')> {
  host ??= import('./ToastHost.tsx').catch((error) => {
    host = undefined
    throw error
  })
  return host
}

function show(message: ShownMessage, action?: ToastAction): void {
  up.add(message)
  const onClose = () => void up.delete(message)
  const role = message.role ?? 'status'
  loadToastHost().then(
    ({ present }) => {
      needed = true
      for (const listener of listeners) listener()
      present({ ...message, role, onClose }, action)
    },
    () => showPlain(message.message, role, onClose),
  )
}

/** Shows a message without its code, and without its action, which takes the network that isn't there. */
function showPlain(message: string, role: string, onClose: () => void): void {
  const plain = document.createElement('div')
  const close = () => {
    plain.remove()
    onClose()
  }
  Object.assign(plain, { role, className: styles.plain, textContent: message, onclick: close })
  document.getElementById(TOASTS)?.append(plain)
  setTimeout(close, PLAIN_MS)
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
  failure: (message: string) => show({ message, role: 'alert', color: 'red', autoClose: 8000 }),
}
