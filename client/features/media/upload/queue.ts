import { MAX_FILES_PER_UPLOAD_CALL } from '../../../../contract/constants.ts'
import { mediaErrors } from '../../../../contract/errors/media.ts'
import type { Routes } from '../../../../contract/index.ts'
import type { Output } from '../../../../contract/route.ts'
import { ApiError, errorMessage } from '../../../lib/api.ts'
import { routes } from '../../../lib/routes.ts'
import { toast } from '../../../ui/toast.ts'
import { type LogIn, logInOf } from './log-in.ts'
import { holdUpload } from './ownership.ts'
import { contentOf, type Purpose } from './purpose.ts'
import { forget, recall, remember } from './remembered.ts'
import { isRetryable, persistently, sentenceFor } from './retrying.ts'
import {
  type Duplicate,
  isPreparing,
  isTravelling,
  nextToStart,
  type Preparation,
  reduce,
  type Upload,
  type UploadEvent,
} from './rules.ts'
import { texts } from './texts.ts'
import { sendInChunks, sendWhole } from './transfers.ts'

/** How often the server is asked how far its preparing is, in milliseconds; after a failed question later. */
const POLL_MS = 1_200
const POLL_AFTER_FAILURE_MS = 5_000

type UploadState = Output<Routes['uploads']>['items'][number]

/**
 * The uploads of one login: what to show, and what can be done with them. It outlives the page that shows it, and stops
 * and forgets everything once somebody else, or nobody, is logged in.
 */
export type UploadQueue = {
  snapshot(): readonly Upload[]
  /** Calls back after every change; answers how to stop. */
  subscribe(listener: () => void): () => void
  /** Sends files; `uploadId` resumes an interrupted upload. */
  choose(files: readonly File[], how: { maxBytes: number; mode: Upload['mode']; uploadId?: string }): void
  /** Shows what an earlier visit sent and the server is still processing. */
  adopt(states: readonly UploadState[]): void
  /** The file of an upload; undefined for one that another visit sent. */
  fileOf(key: string): File | undefined
  cancel(key: string): void
  retry(key: string): void
  /** Sends, or keeps, a duplicate. */
  insist(key: string): void
  /** Leaves out a duplicate, and deletes what has become of it. */
  skip(key: string): void
  remove(key: string): void
}

const current = new Map<string, { logIn: LogIn; queue: UploadQueue }>()

type Owner = { personId: string; token: string | null }

/**
 * The queue of the person who is logged in with this token, one for each purpose and page. `onReady` is called for every
 * finished batch.
 */
export function uploadQueueOf(
  purpose: Purpose,
  page: 'many' | 'one',
  { personId, token }: Owner,
  onReady: () => void,
): UploadQueue {
  const logIn = logInOf(token)
  const name = `${purpose.name} ${page}`
  const known = current.get(name)
  if (known?.logIn === logIn) return known.queue
  const queue = createUploadQueue(purpose, personId, logIn, onReady)
  current.set(name, { logIn, queue })
  return queue
}

function createUploadQueue(
  purpose: Purpose,
  personId: string,
  logIn: LogIn,
  onReady: () => void,
): UploadQueue {
  const { call, signal: over } = logIn
  let uploads: readonly Upload[] = []
  const files = new Map<string, File>()
  const contents = new Map<string, string>()
  const running = new Map<string, AbortController>()
  const listeners = new Set<() => void>()
  let poll: ReturnType<typeof setTimeout> | undefined

  const warn = (event: BeforeUnloadEvent) => event.preventDefault()
  const dispatch = (event: UploadEvent) => {
    if (over.aborted) return
    uploads = reduce(uploads, event)
    if (uploads.some(isTravelling)) addEventListener('beforeunload', warn)
    else removeEventListener('beforeunload', warn)
    for (const listener of listeners) listener()
  }
  over.addEventListener('abort', () => {
    clearTimeout(poll)
    for (const controller of running.values()) controller.abort()
    uploads = []
    files.clear()
    contents.clear()
    removeEventListener('beforeunload', warn)
    for (const listener of listeners) listener()
  })
  const find = (key: string) => uploads.find((upload) => upload.key === key)

  const startWaiting = () => {
    for (const key of nextToStart(uploads)) {
      const controller = new AbortController()
      running.set(key, controller)
      dispatch({ type: 'started', key })
      void send(key, controller.signal).finally(() => {
        if (running.get(key) === controller) running.delete(key)
        controller.abort()
        startWaiting()
      })
    }
  }

  const send = async (key: string, signal: AbortSignal): Promise<void> => {
    try {
      const file = files.get(key)
      if (find(key)?.phase === 'starting' && file) {
        const duplicate = await duplicateOf(key, file, signal)
        if (duplicate) return dispatch({ type: 'doubted', key, duplicate })
        await transfer(key, file, signal)
        dispatch({ type: 'arrived', key })
      }
      const { uploadId, mode } = find(key) ?? {}
      if (!uploadId) return
      if (mode === 'signed')
        await persistently({ signal, onInterrupted: () => dispatch({ type: 'interrupted', key }) }, () =>
          purpose.finish(uploadId, { call, signal }),
        )
      forget(personId, uploadId)
      dispatch({ type: 'confirmed', key })
      poll ??= setTimeout(askHowFar, POLL_MS)
    } catch (error) {
      if (signal.aborted) return
      const started = find(key)?.uploadId
      dispatch({ type: 'failed', key, error: sentenceFor(error), retryable: isRetryable(error) })
      // An upload that can't be resumed would otherwise be listed as unfinished.
      if (started && !find(key)?.uploadId) giveUp(started)
    }
  }

  /** The duplicate of this file, unless the person was asked about it already. */
  const duplicateOf = async (key: string, file: File, signal: AbortSignal): Promise<Duplicate | null> => {
    const upload = find(key)
    if (upload?.insisted || upload?.uploadId) return null
    const hash = contents.get(key) ?? (await contentOf(file))
    if (!hash || signal.aborted) return null
    contents.set(key, hash)
    const known = await purpose.findDuplicate(hash, { call, signal })
    if (known) return known
    const other = uploads.find(
      (one) => one.key !== key && contents.get(one.key) === hash && (isTravelling(one) || isPreparing(one)),
    )
    return other ? { mediaId: null, title: other.fileName } : null
  }

  const transfer = async (key: string, file: File, signal: AbortSignal): Promise<void> => {
    const told = {
      call,
      signal,
      onAddressed: (uploadId: string, sentBytes: number) => {
        signal.throwIfAborted()
        remember(personId, uploadId, file)
        holdUpload(uploadId, signal)
        dispatch({ type: 'addressed', key, uploadId, sentBytes })
      },
      onProgress: (sentBytes: number) => dispatch({ type: 'progressed', key, sentBytes }),
      onInterrupted: () => dispatch({ type: 'interrupted', key }),
    }
    const { mode, uploadId } = find(key) ?? {}
    const started = uploadId ?? recall(personId, file)
    await (mode === 'chunked'
      ? sendInChunks(purpose, file, started, told)
      : sendWhole(purpose, file, started, told))
  }

  const askHowFar = async (): Promise<void> => {
    const uploadIds = uploads
      .filter(isPreparing)
      .flatMap(({ uploadId }) => uploadId ?? [])
      .slice(0, MAX_FILES_PER_UPLOAD_CALL)
    let wait = POLL_MS
    try {
      const { items } =
        uploadIds.length > 0
          ? await call(routes.uploads, { query: { uploadIds } }, { signal: over })
          : { items: [] }
      const lost = uploadIds.filter((uploadId) => !items.some((item) => item.uploadId === uploadId))
      dispatch({ type: 'prepared', preparations: [...items, ...lost.map(lostPreparation)] })
      if (items.some((item) => item.status === 'ready')) onReady()
    } catch {
      wait = POLL_AFTER_FAILURE_MS
    }
    poll = uploads.some(isPreparing) ? setTimeout(askHowFar, wait) : undefined
  }

  const giveUp = (uploadId: string): void => {
    forget(personId, uploadId)
    // The server deletes the received bytes in any case; telling it only frees the space sooner.
    call(routes.cancelUpload, { body: { uploadId } }).catch(() => undefined)
  }

  /** Takes back what was sent: while it is prepared the upload, after that the item. */
  const takeBack = async ({ uploadId, fileName }: Upload): Promise<void> => {
    if (!uploadId) return
    try {
      await call(routes.cancelUpload, { body: { uploadId } }).catch((error: unknown) => {
        if (!(error instanceof ApiError) || error.code !== 'upload_already_used') throw error
        return purpose.discard(uploadId, logIn)
      })
      onReady()
    } catch (error) {
      if (!over.aborted) toast.failure(texts.cancelFailed(fileName, errorMessage(error)))
    }
  }

  return {
    snapshot: () => uploads,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    choose: (chosen, { maxBytes, mode, uploadId }) => {
      if (over.aborted) return
      const entries = chosen.map((file) => ({ key: crypto.randomUUID(), file }))
      for (const { key, file } of entries) files.set(key, file)
      dispatch({
        type: 'chosen',
        maxBytes,
        mode,
        files: entries.map(({ key, file }) => ({
          key,
          name: file.name,
          size: file.size,
          uploadId: uploadId ?? null,
        })),
      })
      startWaiting()
    },
    adopt: (states) => {
      const known = new Set(uploads.map(({ uploadId }) => uploadId))
      for (const preparation of states.filter(({ uploadId }) => !known.has(uploadId)))
        dispatch({ type: 'adopted', key: crypto.randomUUID(), fileName: preparation.fileName, preparation })
      startWaiting()
      if (uploads.some(isPreparing)) poll ??= setTimeout(askHowFar, POLL_MS)
    },
    fileOf: (key) => files.get(key),
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
    insist: (key) => {
      dispatch({ type: 'insisted', key })
      startWaiting()
    },
    skip: (key) => {
      const upload = find(key)
      if (upload?.phase === 'sent') void takeBack(upload)
      dispatch({ type: 'removed', key })
      startWaiting()
    },
    remove: (key) => {
      const upload = find(key)
      // Kept by the server until then, so that it can be told after the page was left.
      if (upload?.uploadId && upload.preparation?.status === 'failed') giveUp(upload.uploadId)
      dispatch({ type: 'removed', key })
      if (!find(key)) files.delete(key)
    },
  }
}

function lostPreparation(uploadId: string): Preparation {
  const code = 'upload_not_found'
  const none = { progress: 0, mediaId: null, duplicateOf: null }
  return { uploadId, status: 'failed', error: mediaErrors[code].text, code, ...none }
}
