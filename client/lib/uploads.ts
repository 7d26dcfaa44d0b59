import type { Carrier } from './api.ts'
import { TIME_LIMIT_MS, type TimeLimit, timeLimit } from './time-limit.ts'
import { uploadTexts } from './upload-texts.ts'

/** How long an upload may go without sending a byte, in milliseconds; buffers on the way delay progress. */
const STALL_LIMIT_MS = 60_000

/** Why an upload failed. `status` is the HTTP status, 0 if the server was not reached. */
export class UploadError extends Error {
  readonly status: number
  /** A sentence for people: the server's own, if it sent one. */
  readonly reason: string | null
  readonly code: string | null

  constructor(status: number, reason: string | null, code: string | null = null) {
    super(status === 0 ? 'Network error' : `Upload failed with status ${status}`)
    this.name = 'UploadError'
    this.status = status
    this.reason = reason
    this.code = code
  }
}

type Sent = {
  method: string
  headers: Headers
  body: Blob | FormData
  signal: AbortSignal
  /** Called with the number of body bytes sent. */
  onSent: (bytes: number) => void
}

/** Sends a request like `fetch`, and throws like it. Uses XMLHttpRequest because fetch doesn't report progress. */
function transmit(address: string, { method, headers, body, signal, onSent }: Sent): Promise<Response> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    const settle = (act: () => void) => () => {
      signal.removeEventListener('abort', abort)
      act()
    }
    request.upload.addEventListener('progress', ({ loaded }) => onSent(loaded))
    request.addEventListener(
      'load',
      settle(() => resolve(answerOf(request))),
    )
    request.addEventListener(
      'error',
      settle(() => reject(new TypeError('The server was not reached.'))),
    )
    request.addEventListener(
      'abort',
      settle(() => reject(signal.reason)),
    )
    signal.addEventListener('abort', abort)
    request.open(method, address)
    for (const [name, value] of headers) request.setRequestHeader(name, value)
    request.send(body)
  })
}

function answerOf(request: XMLHttpRequest): Response {
  const lines = request.getAllResponseHeaders().split('\r\n').filter(Boolean)
  const headers = lines.map((line) => line.split(/: (.*)/s, 2) as [string, string])
  return new Response(request.responseText || null, { status: request.status, headers })
}

/** Sends a call with these files as one form; `onProgress` gets the fraction sent, 0 to 1. */
export function carryFiles(files: Record<string, Blob>, onProgress?: (part: number) => void): Carrier {
  const total = Object.values(files).reduce((sum, { size }) => sum + size, 0)
  const send: Carrier['send'] = ({ address, body, ...rest }, onMoved) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(body ?? {}))
      if (value !== undefined) form.append(name, String(value))
    for (const [name, file] of Object.entries(files)) form.append(name, file)
    const onSent = (bytes: number) => {
      onMoved()
      // The form is slightly longer than its files.
      if (total > 0) onProgress?.(Math.min(1, bytes / total))
    }
    return transmit(address, { ...rest, body: form, onSent })
  }
  return { send, limitMs: STALL_LIMIT_MS, slow: uploadTexts.stalled }
}

/**
 * Uploads one file to its signed URL, starting at `from`, so that an interrupted upload resumes; `onProgress` gets the
 * file's bytes sent. Throws `UploadError`, also after a minute without progress, or the signal's reason when aborted.
 */
export async function putFile(
  url: string,
  file: Blob,
  {
    onProgress,
    signal,
    from = 0,
  }: { onProgress: (sentBytes: number) => void; signal: AbortSignal; from?: number },
): Promise<void> {
  const headers = new Headers({ 'content-type': 'application/octet-stream' })
  // An empty file has no range.
  if (file.size > 0) headers.set('content-range', `bytes ${from}-${file.size - 1}/${file.size}`)
  const limit = timeLimit(STALL_LIMIT_MS, signal)
  const onSent = (bytes: number) => {
    limit.renew()
    onProgress(from + bytes)
  }
  const response = await within(limit, signal, () =>
    transmit(url, { method: 'PUT', headers, body: file.slice(from), signal: limit.signal, onSent }),
  )
  if (!response.ok) throw refusalOf(response.status, await response.text())
}

/** Asks a signed URL how many bytes of a file arrived. Throws `UploadError`. */
export async function askArrived(url: string, file: Blob, signal: AbortSignal): Promise<number> {
  const headers = { 'content-range': `bytes */${file.size}` }
  const limit = timeLimit(TIME_LIMIT_MS, signal)
  const { response, text } = await within(limit, signal, async () => {
    const response = await fetch(url, { method: 'PUT', headers, signal: limit.signal })
    return { response, text: await response.text() }
  })
  if (response.ok) return file.size
  if (response.status !== 308) throw refusalOf(response.status, text)
  const [, last] = /^bytes=0-(\d+)$/.exec(response.headers.get('range') ?? '') ?? []
  return last === undefined ? 0 : Number(last) + 1
}

/** A missing answer becomes an `UploadError`, unless `signal` was aborted. */
async function within<T>(limit: TimeLimit, signal: AbortSignal, send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    throw signal.aborted ? error : new UploadError(0, limit.isOver() ? uploadTexts.stalled : null)
  } finally {
    limit.end()
  }
}

function refusalOf(status: number, body: string): UploadError {
  try {
    const { error, code } = JSON.parse(body) as { error?: unknown; code?: unknown }
    return new UploadError(
      status,
      typeof error === 'string' ? error : null,
      typeof code === 'string' ? code : null,
    )
  } catch {
    return new UploadError(status, null)
  }
}
