import type { Context } from '../../../context.ts'
import type { Presence } from '../../../handler.ts'
import type { Connections } from '../../../realtime/connections.ts'
import { clearPresence, notePresence } from './actions.ts'

/** Notes in the database who is connected here, one change of a person after the other. */
export function createPresence(
  { db, log }: Context,
  connections: Connections,
  listener: () => number,
): Presence {
  const noted = new Map<string, Promise<void>>()

  async function note(userId: string): Promise<void> {
    const here = connections.of(userId).length > 0
    try {
      await db.transaction().execute((tx) => notePresence(tx, { userId, listener: listener(), here }))
    } catch (error) {
      log.warn({ err: error }, 'who is online could not be noted')
    }
  }

  return {
    changed(userId) {
      // Further tabs change nothing.
      const count = connections.of(userId).length
      if (count > 1) return
      const next = (noted.get(userId) ?? Promise.resolve()).then(() => note(userId))
      noted.set(userId, next)
      void next.then(() => {
        if (noted.get(userId) === next) noted.delete(userId)
      })
    },
    async clear() {
      await Promise.all(noted.values())
      await db.transaction().execute((tx) => clearPresence(tx, listener()))
    },
  }
}
