import { tabStorage } from '../../../lib/storage.ts'

const KEY = 'forumReplies'
/** How many threads keep what was typed but not sent: more than anybody answers at a time. */
const MAX_DRAFTS = 500

type Drafts = { personId: string; texts: Record<string, string> }
type Kept = Pick<Storage, 'getItem' | 'setItem'>
type Answered = { _id: string; replies: { own: boolean; state: string; body: string }[] }

function textsOf(personId: string, storage: Kept | undefined): Record<string, string> {
  try {
    const drafts = JSON.parse(storage?.getItem(KEY) ?? 'null') as Drafts | null
    return drafts?.personId === personId ? drafts.texts : {}
  } catch {
    return {}
  }
}

/** The text that this person typed to a thread in this tab and has not sent. */
export function readDraft(
  personId: string,
  threadId: string,
  storage: Kept | undefined = tabStorage(),
): string {
  return textsOf(personId, storage)[threadId] ?? ''
}

/** Keeps what is typed; an empty text forgets it, and another person’s login forgets all. */
export function writeDraft(
  personId: string,
  threadId: string,
  text: string,
  storage: Kept | undefined = tabStorage(),
): void {
  const { [threadId]: _before, ...others } = textsOf(personId, storage)
  const texts = text.trim() === '' ? others : { ...others, [threadId]: text }
  const kept = Object.fromEntries(Object.entries(texts).slice(-MAX_DRAFTS))
  try {
    storage?.setItem(KEY, JSON.stringify({ personId, texts: kept } satisfies Drafts))
  } catch {
    // A full storage costs no more than what a reload would keep.
  }
}

/**
 * What this person typed to a thread and has not sent. A reload while a reply was sent leaves it typed; the thread, which
 * has it by then, says that it was sent.
 */
export function unsentDraft(personId: string, { _id, replies }: Answered): string {
  const draft = readDraft(personId, _id)
  const last = replies.findLast(({ own }) => own)
  if (!last || last.state === 'failed' || last.body.trim() !== draft.trim()) return draft
  writeDraft(personId, _id, '')
  return ''
}
