import type { QueryClient } from '@tanstack/react-query'
import { invalidate, refetched, roots } from '../../../lib/query.ts'

const timeline = [...roots.promotion, 'timeline'] as const
const moving = [...timeline, 'move'] as const
const queue = [...roots.promotion, 'queue'] as const

/** Queries that depend on scheduled items, and on the accounts that post. */
const FOLLOWING = ['queue', 'candidates', 'posts', 'accounts', 'removals', 'earnings'] as const

/** How long to wait before what is shown is asked for again: a worker may post several a second. */
const PAUSE_MS = 1_000

/** Asks for what is shown of the timeline again when it changed: at once, and then once for all that changes meanwhile. */
export function timelineEvents(client: QueryClient) {
  let changed = false
  let asking = false
  const ask = async () => {
    changed = true
    if (asking) return
    asking = true
    while (changed) {
      changed = false
      await refresh(client)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
    asking = false
  }
  return { 'timeline changed': () => void ask() }
}

async function refresh(client: QueryClient): Promise<void> {
  // A move under way shows its own end already, and asks once it is over.
  if (client.isMutating({ mutationKey: moving }) > 0) return
  const following = FOLLOWING.map((name) => [...roots.promotion, name])
  invalidate(client, following, { refetchType: 'none' })
  await Promise.all([refetched(client, [timeline]), refetched(client, [queue], { exact: true })])
}
