import { type Store, store } from '../../../lib/storage.ts'
import type { Outgoing } from './outgoing.ts'

const UNSENT_KEY = 'unsentMessages'
const DRAFTS_KEY = 'drafts'

/** The storage that lives as long as the tab; undefined where the browser refuses it. */
function tabStorage(): Store | undefined {
  try {
    return sessionStorage
  } catch {
    return undefined
  }
}

function parsed<Value>(text: string | null | undefined): Value | null {
  try {
    return JSON.parse(text ?? 'null') as Value | null
  } catch {
    return null
  }
}

/** What this tab had not sent when it was reloaded. Files can't be kept that long. */
export function readUnsent(personId: string): readonly Outgoing[] {
  const kept = parsed<{ personId: string; messages: Outgoing[] }>(tabStorage()?.getItem(UNSENT_KEY))
  return kept?.personId === personId ? kept.messages : []
}

/** Keeps the messages without files that are not sent yet, in this tab. */
export function writeUnsent(personId: string, messages: readonly Outgoing[]): void {
  const kept = messages
    .filter(({ uploadKeys, state }) => uploadKeys.length === 0 && state !== 'sent')
    .map((message) => (message.state === 'sending' ? { ...message, state: 'waiting' } : message))
  try {
    tabStorage()?.setItem(UNSENT_KEY, JSON.stringify({ personId, messages: kept }))
  } catch {
    // A full storage costs no more than what a reload would keep.
  }
}

/** Forgets what was written and not sent, as its writer logged out. */
export function forgetUnsent(): void {
  tabStorage()?.removeItem(UNSENT_KEY)
  store.removeItem(DRAFTS_KEY)
}

type Drafts = { personId: string; texts: Record<string, string> }

/** How many conversations keep what was typed but not sent. */
const MAX_DRAFTS = 50

/** What the person typed to somebody in this browser and has not sent. */
export function readDraft(personId: string, recipientId: string): string {
  const drafts = parsed<Drafts>(store.getItem(DRAFTS_KEY))
  return (drafts?.personId === personId && drafts.texts[recipientId]) || ''
}

/** Keeps what is typed; an empty text forgets it, and another person's log-in forgets all. */
export function writeDraft(personId: string, recipientId: string, text: string): void {
  const drafts = parsed<Drafts>(store.getItem(DRAFTS_KEY))
  const { [recipientId]: _before, ...others } = drafts?.personId === personId ? drafts.texts : {}
  const texts = text.trim() === '' ? others : { ...others, [recipientId]: text }
  const kept = Object.fromEntries(Object.entries(texts).slice(-MAX_DRAFTS))
  store.setItem(DRAFTS_KEY, JSON.stringify({ personId, texts: kept } satisfies Drafts))
}
