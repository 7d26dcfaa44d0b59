import { carries } from '../../../lib/unsaved.ts'
import type { requestDeletion } from './api.ts'

type Deletion = Awaited<ReturnType<typeof requestDeletion>>

let said: Deletion | null = null
const listeners = new Set<() => void>()
carries(() => said !== null)

/** The message to somebody whose account was just deleted. It outlives the page and the session that asked for it. */
export const goodbye = {
  read: () => said,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  say: (deletion: Deletion | null) => {
    said = deletion
    for (const listener of listeners) listener()
  },
}
