/** Why bytes did not arrive. `status` is the server's HTTP status, 0 when it was not reached. */
export class UploadError extends Error {
  readonly status: number
  /** The server's own sentence, when it gave one. */
  readonly reason: string | null

  constructor(status: number, reason: string | null) {
    super(status === 0 ? 'Network error' : `Upload failed with status ${status}`)
    this.name = 'UploadError'
    this.status = status
    this.reason = reason
  }
}

/**
 * Puts one file's bytes to its signed address; `onProgress` gets the bytes sent so far.
 * Throws `UploadError`, or the signal's reason when it was aborted. XMLHttpRequest, because fetch tells no progress.
 */
export function putFile(
  url: string,
  file: Blob,
  { onProgress, signal }: { onProgress: (sentBytes: number) => void; signal: AbortSignal },
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    const settle = (act: () => void) => {
      signal.removeEventListener('abort', abort)
      act()
    }
    request.upload.addEventListener('progress', (event) => onProgress(event.loaded))
    request.addEventListener('load', () =>
      settle(() =>
        request.status >= 200 && request.status < 300
          ? resolve()
          : reject(new UploadError(request.status, sentence(request.responseText))),
      ),
    )
    request.addEventListener('error', () => settle(() => reject(new UploadError(0, null))))
    request.addEventListener('abort', () => settle(() => reject(signal.reason)))
    signal.addEventListener('abort', abort)
    request.open('PUT', url)
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.send(file)
  })
}

function sentence(body: string): string | null {
  try {
    const { error } = JSON.parse(body) as { error?: unknown }
    return typeof error === 'string' ? error : null
  } catch {
    return null
  }
}
