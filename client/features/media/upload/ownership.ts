const PREFIX = 'upload '

/** Lets other tabs know that this one is at the upload, until the signal aborts or the tab is closed. */
export function holdUpload(uploadId: string, signal: AbortSignal): void {
  void navigator.locks?.request(
    `${PREFIX}${uploadId}`,
    { ifAvailable: true },
    () => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve())),
  )
}

/** The ids of the uploads that some tab of this browser is at. */
export async function heldUploads(): Promise<string[]> {
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  return held.flatMap(({ name }) => (name?.startsWith(PREFIX) ? name.slice(PREFIX.length) : [])).sort()
}
