import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo, useSyncExternalStore } from 'react'
import { invalidate } from '../../../lib/query.ts'
import { useCurrentUser, useSession } from '../../../lib/session.tsx'
import { keys } from '../api.ts'
import type { Purpose } from './purpose.ts'
import { type UploadQueue, uploadQueueOf } from './queue.ts'
import type { Upload } from './rules.ts'

/** Finished uploads are in the library now; what is shown of those that were finished before did not change. */
export function uploadsReady(client: QueryClient): void {
  invalidate(client, [keys.lists])
}

/** The logged-in person's queue for a purpose on one of its pages, and what is in it. */
export function useUploads(
  purpose: Purpose,
  page: 'many' | 'one',
): { queue: UploadQueue; uploads: readonly Upload[] } {
  const { _id: personId } = useCurrentUser()
  const { token } = useSession()
  const client = useQueryClient()
  const queue = useMemo(
    () => uploadQueueOf(purpose, page, { personId, token }, () => uploadsReady(client)),
    [purpose, page, personId, token, client],
  )
  return { queue, uploads: useSyncExternalStore(queue.subscribe, queue.snapshot) }
}

/** Whether the browser says that it has no network. */
export function useOffline(): boolean {
  return useSyncExternalStore(subscribeNetwork, isOffline)
}

const isOffline = () => !navigator.onLine

function subscribeNetwork(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}
