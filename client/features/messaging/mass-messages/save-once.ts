import { ApiError } from '../../../lib/api.ts'
import { idempotencyKey } from '../../../lib/idempotency-key.ts'
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
    if (error instanceof ApiError && isRefusal(error)) writeDraft(personId, UNANSWERED, '')
    throw error
  }
}

/** Whether nothing became of it, and nothing will. */
const isRefusal = ({ status, code }: ApiError) =>
  status >= 400 && status < 500 && code !== 'request_in_flight'
