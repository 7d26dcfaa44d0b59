import { useMemo, useSyncExternalStore } from 'react'
import { MAX_FILE_BYTES } from '../../../../../contract/constants.ts'
import { useConfig } from '../../../../lib/config.ts'
import { useCurrentUser, useSession } from '../../../../lib/session.tsx'
import { forLibrary, type Purpose } from '../../upload/purpose.ts'
import { type UploadQueue, uploadQueueOf } from '../../upload/queue.ts'
import type { Upload } from '../../upload/rules.ts'
import { view } from '../../upload/view.ts'

/** The same file may be sent to several people. */
const forMessages: Purpose = { ...forLibrary, name: 'messages', findDuplicate: async () => null }

/** A file on its way into a message. */
export type AttachmentUpload = {
  key: string
  fileName: string
  file: File | undefined
  state: 'uploading' | 'ready' | 'failed'
  /** 0 to 100; null while nothing is known. */
  percent: number | null
  /** Its state, or why it failed. */
  status: string
  mediaId: string | null
  canRetry: boolean
}

/** Uploads for messages: they continue while the person looks at other pages. */
export type AttachmentUploads = {
  snapshot(): readonly AttachmentUpload[]
  subscribe(listener: () => void): () => void
  /** Sends files, and answers the keys of their uploads; one of more than `maxBytes` is refused. */
  choose(files: readonly File[], maxBytes: number): string[]
  retry(key: string): void
  /** Stops an upload and forgets it; what has arrived of it is deleted. */
  drop(key: string): void
  /** Forgets a finished upload, as its message was sent. */
  forget(key: string): void
}

const known = new WeakMap<UploadQueue, AttachmentUploads>()

/** The uploads for messages of who is logged in with this token. */
export function attachmentUploadsOf(personId: string, token: string | null): AttachmentUploads {
  const queue = uploadQueueOf(forMessages, 'many', { personId, token }, () => {})
  const uploads = known.get(queue) ?? around(queue)
  known.set(queue, uploads)
  return uploads
}

function around(queue: UploadQueue): AttachmentUploads {
  let source: readonly Upload[] | null = null
  let shown: readonly AttachmentUpload[] = []
  return {
    snapshot: () => {
      if (source !== queue.snapshot()) {
        source = queue.snapshot()
        shown = source.map((upload) => describe(upload, queue.fileOf(upload.key)))
      }
      return shown
    },
    subscribe: queue.subscribe,
    choose: (files, maxBytes) => {
      const before = new Set(queue.snapshot().map(({ key }) => key))
      queue.choose(files, { maxBytes, mode: 'signed' })
      return queue.snapshot().flatMap(({ key }) => (before.has(key) ? [] : [key]))
    },
    retry: queue.retry,
    drop: (key) => {
      if (queue.snapshot().find((upload) => upload.key === key)?.phase === 'sent') return queue.skip(key)
      queue.cancel(key)
      queue.remove(key)
    },
    forget: queue.remove,
  }
}

function describe(upload: Upload, file: File | undefined): AttachmentUpload {
  const { tone, percent, status, mediaId, canRetry } = view(upload)
  const state = mediaId ? 'ready' : tone === 'failed' ? 'failed' : 'uploading'
  return { key: upload.key, fileName: upload.fileName, file, state, percent, status, mediaId, canRetry }
}

/** The uploads for messages of who is logged in, what is among them now, and how large a file may be. */
export function useAttachmentUploads(): {
  uploads: AttachmentUploads
  all: readonly AttachmentUpload[]
  maxBytes: number
} {
  const { _id } = useCurrentUser()
  const { token } = useSession()
  const uploads = useMemo(() => attachmentUploadsOf(_id, token), [_id, token])
  const maxBytes = useConfig()?.limits.maxFileBytes ?? MAX_FILE_BYTES
  return { uploads, all: useSyncExternalStore(uploads.subscribe, uploads.snapshot), maxBytes }
}
