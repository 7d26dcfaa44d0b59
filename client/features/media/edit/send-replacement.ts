import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../../../lib/api.ts'
import { invalidate } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import { UploadError } from '../../../lib/uploads.ts'
import { accessKeys } from '../api.ts'
import type { LogIn } from '../upload/log-in.ts'
import type { Purpose } from '../upload/purpose.ts'
import { isRetryable, persistently } from '../upload/retrying.ts'
import { sendWhole } from '../upload/transfers.ts'
import { onlyLasting } from './api.ts'

/** How often the server is asked how far its preparing is, in milliseconds. */
const POLL_MS = 1_000

/** Where another file for an item is: on its way, being prepared, in place of the old one, or not. Percent is 0 to 100. */
export type Replacement =
  | { phase: 'none' }
  /** `interrupted` until it resumes by itself. */
  | { phase: 'sending'; file: File; percent: number; interrupted?: true }
  | { phase: 'preparing'; file: File; percent: number }
  | { phase: 'done' }
  /** `again` tries it once more, from where it stopped if that is possible. */
  | { phase: 'failed'; reason: string | null; again: () => void }

type Replaced = {
  client: QueryClient
  mediaId: string
  file: File
  /** Of somebody else's item. */
  why: string | undefined
  /** The owner of the file, and the signal that stops it. */
  logIn: LogIn
  report: (state: Replacement) => void
}

/**
 * Sends another file for an item, resumed by itself while a failure may pass, and reports how far it is until it stands
 * in place of the old one or failed.
 */
export async function sendReplacement({
  client,
  mediaId,
  file,
  why,
  logIn,
  report,
}: Replaced): Promise<void> {
  const { call, signal } = logIn
  let started: string | null = null
  // Refused when it is in place already; then that is what there is to see.
  const giveUp = () => {
    if (started === null) return
    const body = { uploadId: started }
    void call(routes.cancelUpload, { body }).catch(() => invalidate(client, accessKeys))
  }
  signal.addEventListener('abort', giveUp)

  let sentBytes = 0
  const sending = (more: { interrupted?: true } = {}) =>
    report({ phase: 'sending', file, percent: Math.min(100, (sentBytes / file.size) * 100), ...more })
  const told = {
    ...logIn,
    onAddressed: (uploadId: string, arrived: number) => {
      started = uploadId
      told.onProgress(arrived)
    },
    onProgress: (bytes: number) => {
      sentBytes = bytes
      sending()
    },
    onInterrupted: () => sending({ interrupted: true }),
  }

  const attempt = async () => {
    let arrived = false
    sending()
    try {
      const uploadId = await sendWhole(replacing(mediaId, why), file, started, told)
      await persistently(told, () =>
        call(routes.makePublic, { body: { destFileNames: [uploadId] } }, { signal }),
      )
      arrived = true
      await prepared(uploadId, logIn, (percent) => report({ phase: 'preparing', file, percent }))
      signal.removeEventListener('abort', giveUp)
      invalidate(client, accessKeys)
      report({ phase: 'done' })
    } catch (error) {
      const resumes = !arrived && isRetryable(error)
      let pressed = false
      const again = () => {
        if (pressed) return
        pressed = true
        if (!resumes) {
          giveUp()
          started = null
          sentBytes = 0
        }
        void attempt()
      }
      report({ phase: 'failed', reason: reasonOf(error), again })
    }
  }
  await attempt()
}

/** A file in place of that of an item. */
const replacing = (mediaId: string, reason: string | undefined): Pick<Purpose, 'start'> => ({
  start: async (fileName, { call, signal }) => {
    const { signedUrl: url, destFileNames } = await call(
      routes.replaceFile,
      { body: { mediaId, fileName, reason } },
      { signal },
    )
    const [uploadId = ''] = destFileNames
    return { uploadId, url }
  },
})

/** Waits until the server has prepared a file. Throws an `UploadError` with its reason if it can't. */
async function prepared(
  uploadId: string,
  { call, signal }: LogIn,
  onProgress: (percent: number) => void,
): Promise<void> {
  onProgress(0)
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    signal.throwIfAborted()
    const answer = await call(routes.uploads, { query: { uploadIds: [uploadId] } }, { signal }).catch(
      onlyLasting,
    )
    if (!answer) continue
    const [upload] = answer.items
    if (!upload || upload.status === 'failed') throw new UploadError(0, upload?.error ?? null)
    if (upload.status === 'ready') return
    onProgress(upload.progress)
  }
}

/** The server's own sentence, when it gave one. */
function reasonOf(error: unknown): string | null {
  if (error instanceof UploadError) return error.reason
  return error instanceof ApiError ? error.message : null
}
