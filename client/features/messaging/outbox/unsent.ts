import { useSyncExternalStore } from 'react'
import { store } from '../../../lib/storage.ts'
import { storedToken, subscribeToken } from '../../../lib/token.ts'
import type { Outgoing } from './outgoing.ts'

/**
 * The unsent messages of tabs, each under a name of its own with this beginning; also the name of the lock that says
 * that the tab is open.
 */
const UNSENT_KEY = 'unsentMessages.'
const DRAFTS_KEY = 'drafts'

type Kept = { personId: string; messages: Outgoing[] }

function parsed<Value>(text: string | null | undefined): Value | null {
  try {
    return JSON.parse(text ?? 'null') as Value | null
  } catch {
    return null
  }
}

/** The names under which tabs of this browser keep something; none where it refuses the storage. */
function keptKeys(): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(UNSENT_KEY))
  } catch {
    return []
  }
}

/** Whether some tab left messages of this person unsent. */
export function hasUnsent(personId: string): boolean {
  return keptKeys().some((key) => parsed<Kept>(store.getItem(key))?.personId === personId)
}

/** Where one tab keeps what it has not sent. */
export type Unsent = {
  /** Hands over what other tabs left that are closed, now or later: to one tab only, where the browser has locks. */
  collect(onFound: (messages: readonly Outgoing[]) => void): void
  /** Keeps the messages that are not sent yet. */
  write(messages: readonly Outgoing[]): void
  /** Leaves the stored messages to the next tab. */
  close(): void
}

/** A place for what this tab has not sent; what somebody else wrote in another one is forgotten once it is met. */
export function openUnsent(personId: string): Unsent {
  const own = `${UNSENT_KEY}${crypto.randomUUID()}`
  const closing = new AbortController()
  const { signal } = closing
  const { locks } = navigator
  const closed = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  void locks?.request(own, () => closed)
  const met = new Set([own])

  const take = (key: string): readonly Outgoing[] => {
    if (signal.aborted) return []
    const kept = parsed<Kept>(store.getItem(key))
    store.removeItem(key)
    return kept?.personId === personId ? kept.messages : []
  }
  return {
    collect: (onFound) => {
      const look = () => {
        for (const key of keptKeys().filter((one) => !met.has(one))) {
          met.add(key)
          // Given once the tab that holds it is gone; an abort is the end of this one.
          if (locks) locks.request(key, { signal }, () => onFound(take(key))).catch(() => undefined)
          else onFound(take(key))
        }
      }
      look()
      if (locks) addEventListener('storage', look, { signal })
    },
    write: (messages) => {
      const kept = messages
        .filter(({ state }) => state !== 'sent')
        .map((message) => (message.state === 'sending' ? { ...message, state: 'waiting' as const } : message))
      if (kept.length === 0) store.removeItem(own)
      else store.setItem(own, JSON.stringify({ personId, messages: kept } satisfies Kept))
    },
    close: () => closing.abort(),
  }
}

/** Forgets what was written and not sent, as its writer logged out. */
export function forgetUnsent(): void {
  for (const key of keptKeys()) store.removeItem(key)
  store.removeItem(DRAFTS_KEY)
}

// Every page of who is logged in loads this, the outbox only those that send.
subscribeToken(() => {
  if (storedToken() === null) forgetUnsent()
})

type Drafts = { personId: string; texts: Record<string, string> }

/** How many conversations keep what was typed but not sent: more than anybody has, and half of what a browser stores at most. */
const MAX_DRAFTS = 500

/** The drafts as they were read last: many rows of a list read them, so they are parsed once for each change. */
let lastText: string | null = null
let lastDrafts: Drafts | null = null

/** A person's drafts by recipient; what somebody else typed is as none. */
function draftsOf(personId: string): Readonly<Record<string, string>> {
  const text = store.getItem(DRAFTS_KEY)
  if (text !== lastText) lastDrafts = parsed(text)
  lastText = text
  return lastDrafts?.personId === personId ? lastDrafts.texts : {}
}

/** The text that the person typed to this recipient in this browser and has not sent. */
export function readDraft(personId: string, recipientId: string): string {
  return draftsOf(personId)[recipientId] || ''
}

/** Tells of each draft that changes, by an event of its recipient's id. */
const changes = new EventTarget()

/** The text that is still to be sent to this recipient, while it changes. */
export function useDraft(personId: string, recipientId: string): string {
  return useSyncExternalStore(
    (listener) => {
      changes.addEventListener(recipientId, listener)
      return () => changes.removeEventListener(recipientId, listener)
    },
    () => readDraft(personId, recipientId),
  )
}

/** Calls back with what another tab sent to this recipient, or emptied, until the returned function is called. */
export function watchDraft(
  personId: string,
  recipientId: string,
  onCleared: (text: string) => void,
): () => void {
  const textsIn = (drafts: string | null) => {
    const kept = parsed<Drafts>(drafts)
    return kept?.personId === personId ? kept.texts : null
  }
  const look = ({ key, oldValue, newValue }: StorageEvent) => {
    if (key !== DRAFTS_KEY) return
    const [before, after] = [textsIn(oldValue), textsIn(newValue)]
    const text = before?.[recipientId]
    if (!before || !after || !text || recipientId in after) return
    // One that made room for another leaves as many as there were; a log-out leaves none.
    if (Object.keys(after).length < Object.keys(before).length) onCleared(text)
  }
  addEventListener('storage', look)
  return () => removeEventListener('storage', look)
}

/** Keeps what is typed; an empty text forgets it, and another person's login forgets all. */
export function writeDraft(personId: string, recipientId: string, text: string): void {
  const { [recipientId]: _before, ...others } = draftsOf(personId)
  const texts = text.trim() === '' ? others : { ...others, [recipientId]: text }
  const kept = Object.fromEntries(Object.entries(texts).slice(-MAX_DRAFTS))
  store.setItem(DRAFTS_KEY, JSON.stringify({ personId, texts: kept } satisfies Drafts))
  const dropped = Object.keys(others).filter((id) => !(id in kept))
  for (const id of [recipientId, ...dropped]) changes.dispatchEvent(new Event(id))
}
