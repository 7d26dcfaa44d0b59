import { readToken, subscribeToken } from '../../../lib/token.ts'
import { carries } from '../../../lib/unsaved.ts'
import type { Message } from '../cache/timeline.ts'
import type { Attachable, Outgoing, Quote } from '../outbox/outgoing.ts'
import { readDraft, writeDraft } from '../outbox/unsent.ts'
import { chatTexts, conversationsTexts, messageTexts } from '../texts.ts'

/** The message that the person is answering or editing. */
export type Handling = { how: 'reply'; quote: Quote } | { how: 'edit'; message: Message } | null

/** A message as it stands above its answer. */
export function quoteOf({ _id, senderId, content, position, deletedAt, tip }: Message): Quote {
  return { _id, senderId, content, position, deleted: deletedAt !== null, tip: tip?.amount ?? null }
}

/** The same quote as its message reads now; as it was, where that isn't among these. */
export function currentQuote(quote: Quote, messages: readonly Message[]): Quote {
  const message = messages.find(({ _id }) => _id === quote._id)
  return message ? quoteOf(message) : quote
}

/** The part of a message shown above its answer. */
export function quotedText({ deleted, tip, content }: Quote): string {
  if (deleted) return messageTexts.deleted
  return tip ? conversationsTexts.tip(tip) : content || chatTexts.media
}

/** Whether everyone sees this item for free, so that it can't be sold. */
export const isFree = ({ mustUnlock, directOnly }: Attachable) => mustUnlock === false && directOnly === false

/** The attachments of the message that is being written. */
export type Tray = {
  /** Uploads by their keys. */
  uploadKeys: readonly string[]
  /** Items of the person's library. */
  items: readonly Attachable[]
  /** Money text of what they cost together; empty for nothing. */
  price: string
}

export const emptyTray: Tray = { uploadKeys: [], items: [], price: '' }

const trays = new Map<string, Tray>()
carries(() => trays.size > 0)
// The next person to log in must not get them.
subscribeToken(() => {
  if (readToken() === null) trays.clear()
})

/** The tray of a conversation, or of a request to deliver, kept while the person looks at other pages of this tab. */
export function trayOf(recipientId: string) {
  return {
    read: (): Tray => trays.get(recipientId) ?? emptyTray,
    write: (tray: Tray): void => {
      if (tray.uploadKeys.length + tray.items.length === 0) trays.delete(recipientId)
      else trays.set(recipientId, tray)
    },
  }
}

/** Puts a message that wasn't sent back to where one writes to the same person, before what stands there. */
export function putBack(
  personId: string,
  { recipientId, content, uploadKeys, items = [], price }: Outgoing,
): void {
  const [draft, tray] = [readDraft(personId, recipientId), trayOf(recipientId).read()]
  writeDraft(personId, recipientId, [content, draft].filter(Boolean).join('\n'))
  const others = tray.items.filter((one) => !items.some(({ _id }) => _id === one._id))
  trayOf(recipientId).write({
    uploadKeys: [...uploadKeys, ...tray.uploadKeys],
    items: [...items, ...others],
    price: price ?? tray.price,
  })
}
