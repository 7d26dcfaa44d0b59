import type { NotificationData } from '@mantine/notifications'
import type { ToastAction } from './ToastHost.tsx'
import { dialogTexts } from './texts.ts'

/** A message that is shown without the code for messages, as that could not be loaded. */
export type PlainMessage = { message: NotificationData['message']; action?: ToastAction; close: () => void }

type Shown = { hosted: boolean; plain: readonly PlainMessage[] }

let shown: Shown = { hosted: false, plain: [] }
let host: Promise<typeof import('./ToastHost.tsx')> | undefined
const up = new Set<NotificationData>()
const listeners = new Set<() => void>()

function change(part: Partial<Shown>): void {
  shown = { ...shown, ...part }
  for (const listener of listeners) listener()
}

/** Whether the place for messages must be there, and what is shown without it. */
export const shownToasts = {
  read: () => shown,
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

function show(message: NotificationData, action?: ToastAction): void {
  up.add(message)
  const onClose = () => void up.delete(message)
  loadToastHost().then(
    ({ present }) => {
      change({ hosted: true })
      present({ ...message, onClose, closeButtonProps: { 'aria-label': dialogTexts.close } }, action)
    },
    () => {
      const close = () => {
        onClose()
        change({ plain: shown.plain.filter((one) => one !== plain) })
      }
      const plain: PlainMessage = { message: message.message, ...(action ? { action } : {}), close }
      change({ plain: [...shown.plain, plain] })
      if (typeof message.autoClose === 'number') setTimeout(close, message.autoClose)
    },
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
