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
  /** Those about to connect, until that is noted, or can't be yet. */
  const coming = new Map<string, Promise<void>>()
  /** Who waits for the next update. */
  const waiting: (() => void)[] = []
  const leaving = new Map<string, NodeJS.Timeout>()
  let noting: Promise<void> | null = null
  let again: NodeJS.Timeout | undefined
  /** Under what people were noted: the database may take a connection for open long after it broke. */
  const names = new Set<number>()

  async function note(): Promise<void> {
    clearTimeout(again)
    while (changed.size > 0) {
      const people = [...changed]
      changed.clear()
      const told = waiting.splice(0)
      const isHere = (userId: string) => coming.has(userId) || connections.of(userId).length > 0
      const seen = { here: people.filter(isHere), gone: people.filter((userId) => !isHere(userId)) }
      const name = listener()
      names.add(name)
      try {
        await db.transaction().execute((tx) => notePresence(tx, { listener: name, ...seen }))
      } catch (error) {
        log.warn({ err: error }, 'who is online could not be noted yet')
        for (const userId of people) changed.add(userId)
        again = setTimeout(begin, AGAIN_MS).unref()
        told.push(...waiting.splice(0))
        break
      } finally {
        for (const tell of told) tell()
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
    comes(userId) {
      if (connections.of(userId).length > 0) return Promise.resolve()
      const known = coming.get(userId)
      if (known) return known
      // Not for all updates: as long as others come there is a next one.
      const noted = new Promise<void>((resolve) => waiting.push(resolve)).then(() => {
        coming.delete(userId)
        // They may be gone again before their socket opens.
        if (connections.of(userId).length === 0) leave(userId)
      })
      coming.set(userId, noted)
      add(userId)
      return noted
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
      const cleared = [...names, listener()]
      await db.transaction().execute((tx) => clearPresence(tx, cleared))
      for (const name of cleared) if (name !== listener()) names.delete(name)
    },
  }
}
