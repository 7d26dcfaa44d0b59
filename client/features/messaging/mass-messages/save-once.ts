import { idempotencyKey, isRefusal } from '../../../lib/idempotency-key.ts'
import { readDraft, writeDraft } from '../outbox/unsent.ts'
import { type MassMessage, type Saved, saveMassMessage } from './api.ts'

/** Under what it is kept with the drafts what was sent without an answer yet, after its key. */
const UNANSWERED = 'everybody, unanswered'

/**
 * Saves a mass message with the same key until an answer arrives, also once the page was loaded again; a changed one has
 * its own.
 */
export async function saveOnce(personId: string, body: Saved): Promise<MassMessage> {
  const text = JSON.stringify(body)
  const [known = '', ...sent] = readDraft(personId, UNANSWERED).split(' ')
  const key = sent.join(' ') === text ? known : idempotencyKey()
  writeDraft(personId, UNANSWERED, `${key} ${text}`)
  try {
    const saved = await saveMassMessage({ ...body, key })
    writeDraft(personId, UNANSWERED, '')
    return saved
  } catch (error) {
    if (isRefusal(error)) writeDraft(personId, UNANSWERED, '')
    throw error
  }
}
