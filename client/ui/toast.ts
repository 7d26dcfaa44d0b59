import type { NotificationData } from '@mantine/notifications'
import type { FocusEvent } from 'react'
import type { ToastAction } from './ToastHost.tsx'
import { dialogTexts } from './texts.ts'
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

let shown = 0

/** The message with this key; with none the newest. */
const elementOf = (key?: number) =>
  [...document.querySelectorAll<HTMLElement>('[data-toast]')].findLast(
    ({ dataset }) => key === undefined || dataset.toast === String(key),
  )

/** Where the focus was before it came to a message. */
let before: EventTarget | null = null

/** For the place for messages: keeps where the focus comes from. */
export function onToastFocus({ currentTarget, relatedTarget }: FocusEvent): void {
  if (!currentTarget.contains(relatedTarget)) before = relatedTarget
}

addEventListener('keydown', (event) => {
  const newest = event.key === 'F8' && elementOf()
  if (!newest) return
  event.preventDefault()
  newest.focus()
})

function show(message: ShownMessage, action?: ToastAction): void {
  up.add(message)
  shown += 1
  const own = { 'data-toast': shown, tabIndex: -1, role: message.role ?? 'status' }
  const key = shown
  const onClose = () => {
    up.delete(message)
    if (before instanceof HTMLElement && elementOf(key)?.contains(document.activeElement)) before.focus()
  }
  loadToastHost().then(
    ({ present }) => {
      needed = true
      for (const listener of listeners) listener()
      const closeButtonProps = { 'aria-label': dialogTexts.close }
      present({ ...message, ...own, onClose, closeButtonProps }, action)
    },
    () => showPlain(message.message, own, onClose),
  )
}

let plains: HTMLElement | undefined

/** Shows a message without its code, and without its action, which takes the network that isn't there. */
function showPlain(message: string, own: Record<string, string | number>, onClose: () => void): void {
  if (!plains?.isConnected) {
    plains = document.createElement('div')
    plains.className = styles.plains ?? ''
    document.getElementById(TOASTS)?.append(plains)
  }
  const plain = document.createElement('div')
  for (const [name, value] of Object.entries(own)) plain.setAttribute(name, String(value))
  const close = () => {
    onClose()
    plain.remove()
  }
  Object.assign(plain, { className: styles.plain, textContent: message, onclick: close })
  plains.append(plain)
  const passes = () => (plain.matches(':hover, :focus') ? setTimeout(passes, PLAIN_MS) : close())
  setTimeout(passes, PLAIN_MS)
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
