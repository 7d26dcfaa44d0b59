import type { Socket } from 'node:net'
import pg from 'pg'

/** While the database answers one, the other may be asked: so many processors as it has work for at least. */
const CONNECTIONS = 2

export type Pipeline = {
  /** The rows of one short query. */
  query<Row>(query: pg.QueryConfig): Promise<Row[]>
  /** Sends what this asks at once by one write on one connection: each write wakes a process of the database. */
  inOneWrite(ask: () => void): void
  /** Closes the connections once everything is answered. */
  end(): Promise<void>
}

/**
 * A few connections that all calls share, on which queries follow one another without waiting for answers: a connection
 * for each costs server and database more than the query itself. Only for what takes about a millisecond, as the next
 * waits behind it. A connection that breaks fails what is on it, and the next query opens another.
 */
export function createPipeline(options: pg.ClientConfig, onError: (error: Error) => void): Pipeline {
  const clients = new Map<number, pg.Client>()
  let turn = 0
  let shared: pg.Client | undefined

  function nextClient(): pg.Client {
    turn = (turn + 1) % CONNECTIONS
    return clientAt(turn)
  }

  function clientAt(place: number): pg.Client {
    const known = clients.get(place)
    if (known) return known
    const client = new pg.Client({ ...options, pipeline: true })
    const forget = () => {
      if (clients.get(place) === client) clients.delete(place)
    }
    client.on('end', forget)
    client.on('error', (error) => {
      forget()
      onError(error)
    })
    // Queries that wait for the connection fail with it by themselves.
    client.connect().catch(forget)
    clients.set(place, client)
    return client
  }

  return {
    async query(query) {
      const { rows } = await (shared ?? nextClient()).query(query)
      return rows
    },
    inOneWrite(ask) {
      try {
        shared = nextClient()
      } catch {
        // Without a connection each query fails by itself: nobody awaits this.
        return ask()
      }
      const { stream } = (shared as unknown as { connection: { stream: Socket } }).connection
      stream.cork()
      try {
        ask()
      } finally {
        shared = undefined
        stream.uncork()
      }
    },
    async end() {
      await Promise.all([...clients.values()].map((client) => client.end()))
    },
  }
}
