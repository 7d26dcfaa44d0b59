import type { z } from 'zod'
import type { serverEvents } from '../../contract/realtime.ts'
import type { Companion, PeopleAudience, Viewer } from '../viewer.ts'

type ServerEvents = { [Name in keyof typeof serverEvents]: z.input<(typeof serverEvents)[Name]> }

/** One socket of a person, as domains see it. */
export type Connection = {
  viewer: Viewer
  audience: PeopleAudience & { id: string }
  /** The binding of media links that are sent to it. */
  companion: Companion
  /** The one conversation whose events it gets; null for all. */
  conversationId: string | null
  /** The people of that conversation, from the handshake. */
  participantIds: string[]
  emit<Name extends keyof ServerEvents>(name: Name, event: ServerEvents[Name]): void
  /** Ends it for good; its client doesn't come back by itself. */
  end(): void
  /** Breaks it, so that its client connects again and asks for what it missed. */
  interrupt(): void
}

/** The sockets of this process by their people. */
export type Connections = {
  of(personId: string): Connection[]
  all(): Connection[]
  add(connection: Connection): void
  remove(connection: Connection): void
}

/** Begins with nobody connected. */
export function createConnections(): Connections {
  const byPerson = new Map<string, Set<Connection>>()
  return {
    of: (personId) => [...(byPerson.get(personId) ?? [])],
    all: () => [...byPerson.values()].flatMap((connections) => [...connections]),
    add(connection) {
      const { id } = connection.viewer
      const others = byPerson.get(id)
      if (others) others.add(connection)
      else byPerson.set(id, new Set([connection]))
    },
    remove(connection) {
      const { id } = connection.viewer
      const others = byPerson.get(id)
      others?.delete(connection)
      if (others?.size === 0) byPerson.delete(id)
    },
  }
}
