import type { Context } from '../../../context.ts'
import type { Presence } from '../../../handler.ts'
import type { Connections } from '../../../realtime/connections.ts'
import { clearPresence, notePresence } from './actions.ts'

/** How long somebody must be gone before it is recorded, in milliseconds; a reloading page is back before. */
const GRACE_MS = 5000
/** How long to wait before retrying a failed update, in milliseconds. */
const AGAIN_MS = 1000

/** Records who is connected here; changes during an update are written together after it. */
export function createPresence(
  { db, log }: Context,
  connections: Connections,
  listener: () => number,
): Presence {
  const changed = new Set<string>()
  const coming = new Set<string>()
  const leaving = new Map<string, NodeJS.Timeout>()
  let noting: Promise<void> | null = null
  let again: NodeJS.Timeout | undefined
  /** Under what people were noted last: the database may take a connection for open long after it broke. */
  let noted = 0

  async function note(): Promise<void> {
    clearTimeout(again)
    while (changed.size > 0) {
      const people = [...changed]
      changed.clear()
      const isHere = (userId: string) => coming.has(userId) || connections.of(userId).length > 0
      const seen = { here: people.filter(isHere), gone: people.filter((userId) => !isHere(userId)) }
      noted = listener()
      try {
        await db.transaction().execute((tx) => notePresence(tx, { listener: noted, ...seen }))
      } catch (error) {
        log.warn({ err: error }, 'who is online could not be noted yet')
        for (const userId of people) changed.add(userId)
        again = setTimeout(begin, AGAIN_MS).unref()
        break
      }
    }
    noting = null
  }

  function begin(): void {
    noting ??= note()
  }

  function add(userId: string): void {
    clearTimeout(leaving.get(userId))
    leaving.delete(userId)
    changed.add(userId)
    begin()
  }

  function leave(userId: string): void {
    clearTimeout(leaving.get(userId))
    leaving.set(userId, setTimeout(() => add(userId), GRACE_MS).unref())
  }

  return {
    async comes(userId) {
      if (connections.of(userId).length > 0) return
      coming.add(userId)
      add(userId)
      await noting
      coming.delete(userId)
      // They may be gone again before their socket opens.
      if (connections.of(userId).length === 0) leave(userId)
    },
    changed(userId) {
      const count = connections.of(userId).length
      // Additional tabs change nothing.
      if (count > 1) return
      if (count === 0) return leave(userId)
      // Recorded when they came, unless all were cleared since.
      if (!leaving.has(userId)) return add(userId)
      clearTimeout(leaving.get(userId))
      leaving.delete(userId)
    },
    async sweep() {
      await db.transaction().execute((tx) => clearPresence(tx, []))
    },
    async clear() {
      for (const timer of leaving.values()) clearTimeout(timer)
      leaving.clear()
      await noting
      clearTimeout(again)
      await db.transaction().execute((tx) => clearPresence(tx, [noted, listener()]))
    },
  }
}
