import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../../lib/api.ts'
import { invalidate } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import { useSession } from '../../../lib/session.tsx'
import { putFile, UploadError } from '../../../lib/uploads.ts'
import { accessKeys } from '../api.ts'
import { type LogIn, logInOf } from '../upload/log-in.ts'
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

export type Replacing = {
  state: Replacement
  start: (file: File) => void
  cancel: () => void
}

/** Replaces the file of an item, of somebody else's for a reason: `/media/editfile` → PUT → `/media/makepublic`, then the item is loaded again. */
export function useReplacement(mediaId: string, why?: string): Replacing {
  const client = useQueryClient()
  const { token } = useSession()
  const [state, setState] = useState<Replacement>({ phase: 'none' })
  const running = useRef<AbortController>(null)
  const stop = useCallback(() => running.current?.abort(), [])
  useEffect(() => stop, [stop])
  return {
    state,
    start: (file) => {
      stop()
      const controller = new AbortController()
      running.current = controller
      const logIn = logInOf(token)
      const signal = AbortSignal.any([controller.signal, logIn.signal])
      const report = (next: Replacement) => signal.aborted || setState(next)
      report({ phase: 'sending', file, percent: 0 })
      replace({ client, mediaId, file, why, logIn: { ...logIn, signal }, report }).catch((error: unknown) =>
        report({ phase: 'failed', file, reason: reasonOf(error) }),
      )
    },
    cancel: () => {
      stop()
      setState({ phase: 'none' })
    },
  }
}

async function replace({
  client,
  mediaId,
  file,
  why,
  logIn: { call, signal },
  report,
}: {
  client: QueryClient
  mediaId: string
  file: File
  why: string | undefined
  /** Whose file it is, and what stops it. */
  logIn: LogIn
  report: (state: Replacement) => void
}): Promise<void> {
  const { sentName } = await import('../upload/rules.ts')
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
  report({ phase: 'done' })
}

/** The server's own sentence, when it gave one. */
function reasonOf(error: unknown): string | null {
  if (error instanceof UploadError) return error.reason
  return error instanceof ApiError ? error.message : null
}
