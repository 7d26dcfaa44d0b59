import { MAX_FILES_PER_UPLOAD_CALL } from '../../../../contract/constants.ts'
import { errors } from '../../../../contract/errors.ts'
import { ApiError, call, sentenceOf } from '../../../lib/api.ts'
import { routes } from '../../../lib/routes.ts'
import { putFile, UploadError } from '../../../lib/uploads.ts'
import {
  isPreparing,
  isTravelling,
  nextToStart,
  type Preparation,
  reduce,
  type Upload,
  type UploadEvent,
} from './rules.ts'

/** Waits before a transfer that broke off is tried again by itself, in milliseconds. */
const RETRY_WAITS = [1_000, 4_000, 10_000]
/** How often the server is asked how far its preparing is, in milliseconds; after a failed question later. */
const POLL_MS = 1_200
const POLL_AFTER_FAILURE_MS = 5_000
const GENERAL_FAILURE = 'Upload failed. please try again.'

/** One person's uploads: what to show, and what can be done with them. It outlives the page that shows it. */
export type UploadQueue = {
  snapshot(): readonly Upload[]
  /** Calls back after every change; answers how to stop. */
  subscribe(listener: () => void): () => void
  choose(files: readonly File[], maxBytes: number): void
  /** Sends off what is chosen. */
  submit(): void
  cancel(key: string): void
  retry(key: string): void
  remove(key: string): void
  /** Stops everything, for when another person logs in. */
  dispose(): void
}

let current: { personId: string; queue: UploadQueue } | null = null

/** The queue of the logged-in person; one of somebody else is stopped. `onReady` is called for every finished batch. */
export function uploadQueueOf(personId: string, onReady: () => void): UploadQueue {
  if (current?.personId !== personId) {
    current?.queue.dispose()
    current = { personId, queue: createUploadQueue(onReady) }
  }
  return current.queue
}

/** Sends files to their signed addresses, three at a time: `/media/upload` → PUT → `/media/makepublic` for each. */
function createUploadQueue(onReady: () => void): UploadQueue {
  let uploads: readonly Upload[] = []
  const files = new Map<string, File>()
  const running = new Map<string, AbortController>()
  const listeners = new Set<() => void>()
  let count = 0
  let poll: ReturnType<typeof setTimeout> | undefined

  const dispatch = (event: UploadEvent) => {
    uploads = reduce(uploads, event)
    if (uploads.some(isTravelling)) addEventListener('beforeunload', warn)
    else removeEventListener('beforeunload', warn)
    for (const listener of listeners) listener()
  }
  const find = (key: string) => uploads.find((upload) => upload.key === key)

  const startWaiting = () => {
    for (const key of nextToStart(uploads)) {
      const file = files.get(key)
      if (!file) continue
      const controller = new AbortController()
      running.set(key, controller)
      dispatch({ type: 'started', key })
      void send(key, file, controller.signal).finally(() => {
        if (running.get(key) === controller) running.delete(key)
        startWaiting()
      })
    }
  }

  const send = async (key: string, file: File, signal: AbortSignal): Promise<void> => {
    try {
      if (find(key)?.phase === 'starting') {
        await persistently(signal, () => transfer(key, file, signal))
        dispatch({ type: 'arrived', key })
      }
      const uploadId = find(key)?.uploadId
      if (!uploadId) return
      await persistently(signal, () =>
        call(routes.makePublic, { body: { destFileNames: [uploadId] } }, { signal }),
      )
      dispatch({ type: 'confirmed', key })
      poll ??= setTimeout(askHowFar, POLL_MS)
    } catch (error) {
      if (signal.aborted) return
      dispatch({ type: 'failed', key, error: sentenceFor(error), retryable: mayPass(error) })
    }
  }

  /** A new address for every try: one that broke off may have been used up. */
  const transfer = async (key: string, file: File, signal: AbortSignal): Promise<void> => {
    const abandoned = find(key)?.uploadId
    if (abandoned) giveUp(abandoned)
    const { signedUrls, destFileNames } = await call(
      routes.startUpload,
      { body: { fileNames: [file.name] } },
      { signal },
    )
    const [url] = signedUrls
    const [uploadId] = destFileNames
    if (!url || !uploadId) throw new UploadError(0, GENERAL_FAILURE)
    dispatch({ type: 'addressed', key, uploadId })
    await putFile(url, file, {
      signal,
      onProgress: (sentBytes) => dispatch({ type: 'progressed', key, sentBytes }),
    })
  }

  const askHowFar = async (): Promise<void> => {
    const uploadIds = uploads
      .filter(isPreparing)
      .flatMap(({ uploadId }) => uploadId ?? [])
      .slice(0, MAX_FILES_PER_UPLOAD_CALL)
    let wait = POLL_MS
    try {
      const { items } =
        uploadIds.length > 0 ? await call(routes.uploads, { query: { uploadIds } }) : { items: [] }
      const lost = uploadIds.filter((uploadId) => !items.some((item) => item.uploadId === uploadId))
      dispatch({ type: 'prepared', preparations: [...items, ...lost.map(lostPreparation)] })
      if (items.some((item) => item.status === 'ready')) onReady()
    } catch {
      wait = POLL_AFTER_FAILURE_MS
    }
    poll = uploads.some(isPreparing) ? setTimeout(askHowFar, wait) : undefined
  }

  return {
    snapshot: () => uploads,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    choose: (chosen, maxBytes) => {
      const entries = chosen.map((file) => ({ key: String(count++), file }))
      for (const { key, file } of entries) files.set(key, file)
      dispatch({
        type: 'chosen',
        maxBytes,
        files: entries.map(({ key, file }) => ({ key, name: file.name, size: file.size })),
      })
    },
    submit: () => {
      dispatch({ type: 'submitted' })
      startWaiting()
    },
    cancel: (key) => {
      const uploadId = find(key)?.uploadId
      dispatch({ type: 'canceled', key })
      running.get(key)?.abort()
      if (uploadId) giveUp(uploadId)
      startWaiting()
    },
    retry: (key) => {
      dispatch({ type: 'retried', key })
      startWaiting()
    },
    remove: (key) => {
      dispatch({ type: 'removed', key })
      if (!find(key)) files.delete(key)
    },
    dispose: () => {
      clearTimeout(poll)
      for (const controller of running.values()) controller.abort()
      uploads = []
      removeEventListener('beforeunload', warn)
    },
  }
}

/** The browser asks whether to leave: what is on its way would be lost. */
function warn(event: BeforeUnloadEvent): void {
  event.preventDefault()
}

function lostPreparation(uploadId: string): Preparation {
  const code = 'upload_not_found'
  return { uploadId, status: 'failed', progress: 0, error: errors[code][1], code, mediaId: null }
}

/** What arrived of it is swept by the server in any case; telling it only frees the space sooner. */
function giveUp(uploadId: string): void {
  call(routes.cancelUpload, { body: { uploadId } }).catch(() => undefined)
}

/** Tries again by itself while the failure may pass. */
async function persistently<T>(signal: AbortSignal, attempt: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt()
    } catch (error) {
      const wait = RETRY_WAITS[failures]
      if (signal.aborted || wait === undefined || !mayPass(error)) throw error
      const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0
      await pause(Math.max(wait, asked), signal)
    }
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}

function mayPass(error: unknown): boolean {
  if (error instanceof UploadError)
    return error.status === 0 || error.status >= 500 || error.status === 403 || error.status === 409
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)
}

function sentenceFor(error: unknown): string {
  if (error instanceof UploadError) return error.reason ?? error.message
  return error instanceof ApiError ? sentenceOf(error) : GENERAL_FAILURE
}
