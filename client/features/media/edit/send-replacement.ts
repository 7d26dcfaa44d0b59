import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../../../lib/api.ts'
import { invalidate } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import { putFile, UploadError } from '../../../lib/uploads.ts'
import { accessKeys } from '../api.ts'
import type { LogIn } from '../upload/log-in.ts'
import { sentName } from '../upload/rules.ts'
import { onlyLasting } from './api.ts'

/** How often the server is asked how far its preparing is, in milliseconds. */
const POLL_MS = 1_000

/** Where another file for an item is: on its way, being prepared, in place of the old one, or not. Percent is 0 to 100. */
export type Replacement =
  | { phase: 'none' }
  | { phase: 'sending'; file: File; percent: number }
  | { phase: 'preparing'; file: File; percent: number }
  | { phase: 'done' }
  | { phase: 'failed'; file: File; reason: string | null }

type Replaced = {
  client: QueryClient
  mediaId: string
  file: File
  /** Of somebody else's item. */
  why: string | undefined
  /** Whose file it is, and what stops it. */
  logIn: LogIn
  report: (state: Replacement) => void
}

/** Sends another file for an item and reports how far it is, until it stands in place of the old one or failed. */
export async function sendReplacement(replaced: Replaced): Promise<void> {
  const { file, report } = replaced
  try {
    await sendAndPrepare(replaced)
    report({ phase: 'done' })
  } catch (error) {
    report({ phase: 'failed', file, reason: reasonOf(error) })
  }
}

async function sendAndPrepare(replaced: Replaced): Promise<void> {
  const { client, mediaId, file, why, report } = replaced
  const { call, signal } = replaced.logIn
  const {
    signedUrl,
    destFileNames: [uploadId = ''],
  } = await call(
    routes.replaceFile,
    { body: { mediaId, fileName: sentName(file.name), reason: why } },
    { signal },
  )
  // Refused when it is in place already; then that is what there is to see.
  const giveUp = () =>
    void call(routes.cancelUpload, { body: { uploadId } }).catch(() => invalidate(client, accessKeys))
  signal.addEventListener('abort', giveUp)
  await putFile(signedUrl, file, {
    signal,
    onProgress: (sent) =>
      report({ phase: 'sending', file, percent: Math.min(100, (sent / file.size) * 100) }),
  })
  report({ phase: 'preparing', file, percent: 0 })
  await call(routes.makePublic, { body: { destFileNames: [uploadId] } }, { signal })
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    signal.throwIfAborted()
    const answer = await call(routes.uploads, { query: { uploadIds: [uploadId] } }, { signal }).catch(
      onlyLasting,
    )
    if (!answer) continue
    const [upload] = answer.items
    if (!upload || upload.status === 'failed') throw new UploadError(0, upload?.error ?? null)
    if (upload.status === 'ready') break
    report({ phase: 'preparing', file, percent: upload.progress })
  }
  signal.removeEventListener('abort', giveUp)
  invalidate(client, accessKeys)
}

/** The server's own sentence, when it gave one. */
function reasonOf(error: unknown): string | null {
  if (error instanceof UploadError) return error.reason
  return error instanceof ApiError ? error.message : null
}
