import type { Context } from '../../../context.ts'
import type { Presence } from '../../../handler.ts'
import type { Connections } from '../../../realtime/connections.ts'
import { clearPresence, notePresence } from './actions.ts'

/** Notes in the database who is connected here; what changes meanwhile is noted together afterwards. */
export function createPresence(
  { db, log }: Context,
  connections: Connections,
  listener: () => number,
): Presence {
  const changed = new Set<string>()
  let noting: Promise<void> | null = null

  async function note(): Promise<void> {
    while (changed.size > 0) {
      const people = [...changed]
      changed.clear()
      const isHere = (userId: string) => connections.of(userId).length > 0
      const seen = { here: people.filter(isHere), gone: people.filter((userId) => !isHere(userId)) }
      try {
        await db.transaction().execute((tx) => notePresence(tx, { listener: listener(), ...seen }))
      } catch (error) {
        log.warn({ err: error }, 'who is online could not be noted')
      }
    }
    noting = null
  }

  return {
    changed(userId) {
      // Further tabs change nothing.
      if (connections.of(userId).length > 1) return
      changed.add(userId)
      noting ??= note()
    },
    async clear() {
      await noting
      await db.transaction().execute((tx) => clearPresence(tx, listener()))
    },
  }
}
