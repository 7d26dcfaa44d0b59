import type { ErrorCode } from '../../../../contract/errors.ts'
import { ApiError, errorMessage } from '../../../lib/api.ts'
import { UploadError } from '../../../lib/uploads.ts'
import { texts } from './texts.ts'

/** Delays before an interrupted upload is retried, in milliseconds; long enough for a restart of the server. */
const RETRY_WAITS = [1_000, 2_000, 4_000, 8_000, 15_000]
/** A browser may be wrong about having no network, so it is tried now and then all the same. */
const OFFLINE_WAIT = 15_000
const UNREADABLE = new Set(['NotFoundError', 'NotReadableError'])

/** How long to wait after so many failures in a row, in milliseconds; null to give up, which no network is no reason for. */
export function waitAfter(failures: number, online: boolean, asked: number): number | null {
  const wait = online ? RETRY_WAITS[failures] : OFFLINE_WAIT
  return wait === undefined ? null : Math.max(wait, asked)
}

/**
 * Tries again by itself while the failure may pass; coming back online is reason enough to try at once, and that
 * `progress` grew to begin with short waits again.
 */
export async function persistently<T>(
  { signal, onInterrupted }: { signal: AbortSignal; onInterrupted(): void },
  attempt: () => Promise<T>,
  progress: () => number = () => 0,
): Promise<T> {
  let reached = progress()
  let failures = 0
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (progress() > reached) failures = 0
      reached = progress()
      const online = navigator.onLine !== false
      const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0
      const wait = waitAfter(failures, online, asked)
      if (signal.aborted || wait === null || !isTransient(error)) throw error
      failures = online ? failures + 1 : 0
      onInterrupted()
      await pause(wait, signal)
    }
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const go = () => {
      clearTimeout(timer)
      removeEventListener('online', go)
      resolve()
    }
    const timer = setTimeout(go, milliseconds)
    addEventListener('online', go)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      removeEventListener('online', go)
      reject(signal.reason)
    })
  })
}

/** Refusals of bytes that are over once it is asked again where the upload stands. */
const PASSING: readonly unknown[] = [
  'link_expired',
  'upload_offset_wrong',
  'upload_already_used',
] satisfies ErrorCode[]
/** Refusals that the person can do something about. */
const MENDABLE: readonly unknown[] = [
  'upload_not_found',
  'too_many_uploads',
  'unfinished_too_large',
] satisfies ErrorCode[]

function isTransient(error: unknown): boolean {
  if (!(error instanceof UploadError || error instanceof ApiError)) return false
  if (error.status === 0 || error.status === 429 || error.status >= 500) return true
  return error instanceof UploadError && PASSING.includes(error.code)
}

/** Whether the same file may work when the person sends it again. */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof UploadError || error instanceof ApiError)) return false
  return isTransient(error) || MENDABLE.includes(error.code)
}

/** The error in the words of docs/product.md, Texts, with the server's own reason if it gave one. */
export function sentenceFor(error: unknown): string {
  if (error instanceof UploadError || error instanceof ApiError) {
    if (error.status === 0) return (error instanceof UploadError && error.reason) || texts.failure.network
    const reason = error instanceof ApiError ? errorMessage(error) : error.reason
    return texts.failure.refused(error.status, reason)
  }
  if (error instanceof DOMException && UNREADABLE.has(error.name)) return texts.unreadable
  return texts.failure.general
}
