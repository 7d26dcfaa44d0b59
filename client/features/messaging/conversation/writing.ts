import { readToken, subscribeToken } from '../../../lib/token.ts'
import { carries } from '../../../lib/unsaved.ts'
import type { FeedMedia } from '../../media/api.ts'
import type { Message } from '../cache/timeline.ts'

/** What the person is doing with one of the messages: answering it, or editing it. */
export type Handling = { how: 'reply' | 'edit'; message: Message } | null

/** An item that can hang on a message; of one from the library it is known whether it goes to chosen people only. */
export type Attachable = FeedMedia & { directOnly?: boolean }

/** Whether everyone sees this item for free, so that it can't be sold. */
export const isFree = ({ mustUnlock, directOnly }: Attachable) => mustUnlock === false && directOnly === false

/** What will hang on the message that is being written. */
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
// They are not for whoever logs in next.
subscribeToken(() => {
  if (readToken() === null) trays.clear()
})

/** The tray of a conversation, kept while the person looks at other pages of this tab. */
export function trayOf(recipientId: string) {
  return {
    read: (): Tray => trays.get(recipientId) ?? emptyTray,
    write: (tray: Tray): void => {
      if (tray.uploadKeys.length + tray.items.length === 0) trays.delete(recipientId)
      else trays.set(recipientId, tray)
    },
  }
}
