/** Why bytes did not arrive. `status` is the server's HTTP status, 0 when it was not reached. */
export class UploadError extends Error {
  readonly status: number
  /** The server's own sentence and code, when it gave them. */
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

/**
 * Puts one file's bytes to its signed address, those `from` an offset on, so that what arrives before a break is kept;
 * `onProgress` gets the bytes of the file that are sent. Throws `UploadError`, or the signal's reason when it was
 * aborted. XMLHttpRequest, because fetch tells no progress.
 */
export function putFile(
  url: string,
  file: Blob,
  {
    onProgress,
    signal,
    from = 0,
  }: { onProgress: (sentBytes: number) => void; signal: AbortSignal; from?: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    const settle = (act: () => void) => {
      signal.removeEventListener('abort', abort)
      act()
    }
    request.upload.addEventListener('progress', (event) => onProgress(from + event.loaded))
    request.addEventListener('load', () =>
      settle(() =>
        request.status >= 200 && request.status < 300
          ? resolve()
          : reject(refusalOf(request.status, request.responseText)),
      ),
    )
    request.addEventListener('error', () => settle(() => reject(new UploadError(0, null))))
    request.addEventListener('abort', () => settle(() => reject(signal.reason)))
    signal.addEventListener('abort', abort)
    request.open('PUT', url)
    request.setRequestHeader('content-type', 'application/octet-stream')
    // An empty file has no range.
    if (file.size > 0)
      request.setRequestHeader('content-range', `bytes ${from}-${file.size - 1}/${file.size}`)
    request.send(file.slice(from))
  })
}

/** Asks a signed address how many bytes of a file arrived there. Throws `UploadError`. */
export async function askArrived(url: string, file: Blob, signal: AbortSignal): Promise<number> {
  const headers = { 'content-range': `bytes */${file.size}` }
  const response = await fetch(url, { method: 'PUT', headers, signal }).catch((error: unknown) => {
    throw signal.aborted ? error : new UploadError(0, null)
  })
  if (response.ok) return file.size
  if (response.status !== 308) throw refusalOf(response.status, await response.text().catch(() => ''))
  const [, last] = /^bytes=0-(\d+)$/.exec(response.headers.get('range') ?? '') ?? []
  return last === undefined ? 0 : Number(last) + 1
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
