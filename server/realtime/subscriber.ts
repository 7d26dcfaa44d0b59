import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { Signal } from '../../contract/realtime.ts'
import { CHANNEL } from './publish.ts'

/** How long to wait before listening is tried again, in milliseconds. */
const RETRY_MS = 250
/** How long the database has to answer one that begins to listen, in milliseconds. */
const LISTEN_MS = 10_000
/** How often the connection is asked whether it is still there, and how long it has to answer, in milliseconds. */
const HEARTBEAT = { every: 15_000, timeout: 10_000 }

export type Subscriber = {
  /** The process id of the listening connection at the database. */
  listener(): number
  stop(): Promise<void>
}

/** The application name of listening connections in the database. */
export const LISTENER = 'fanfare realtime'

/**
 * Listens for published signals on a connection of its own; resolves once it listens. A broken connection is
 * replaced, and `onGap` is called afterward: any signal may have been missed until then. No signal is passed on until
 * `onGap` is done, so that nobody who missed one gets a later one.
 */
export async function subscribe(options: {
  connectionString: string
  log: Logger
  onSignal: (signal: Signal) => void
  onGap: () => Promise<void>
  heartbeat?: { every: number; timeout: number }
}): Promise<Subscriber> {
  const { log, heartbeat = HEARTBEAT } = options
  let stopped = false
  let listener = 0
  let heard: pg.Client | undefined
  let client = await listen()
  heard = client

  return {
    listener: () => listener,
    async stop() {
      stopped = true
      await client.end()
    },
  }

  async function listen(): Promise<pg.Client> {
    const next = new pg.Client({
      connectionString: options.connectionString,
      application_name: LISTENER,
      connectionTimeoutMillis: LISTEN_MS,
      query_timeout: LISTEN_MS,
      keepAlive: true,
    })
    let listening = false
    let beats: NodeJS.Timeout | undefined
    next.on('error', (error) => log.warn({ err: error }, 'the connection that listens for events broke'))
    next.on('end', () => {
      clearInterval(beats)
      if (listening && !stopped) void replace()
    })
    next.on('notification', ({ payload = '' }) => {
      if (next === heard) onPayload(payload)
    })
    try {
      await next.connect()
      await next.query(`listen ${CHANNEL}`)
      const { rows } = await next.query<{ pid: number }>('select pg_backend_pid() as pid')
      listener = rows[0]?.pid ?? 0
    } catch (error) {
      void end(next)
      throw error
    }
    listening = true
    let asking = false
    const { every, timeout } = heartbeat
    beats = setInterval(async () => {
      if (asking) return
      asking = true
      await beat(next, timeout)
      asking = false
    }, every).unref()
    return next
  }

  /** Ends a connection that no longer answers, as one whose network is gone doesn’t break by itself. */
  async function beat(asked: pg.Client, timeout: number): Promise<void> {
    // The driver’s types don’t know a query’s own limit.
    const question = { text: 'select 1', query_timeout: timeout }
    try {
      await asked.query(question)
    } catch (error) {
      log.warn({ err: error }, 'the connection that listens for events doesn’t answer')
      await end(asked)
    }
  }

  async function end(broken: pg.Client): Promise<void> {
    await broken
      .end()
      .catch((error: unknown) => log.warn({ err: error }, 'a broken connection could not be ended'))
  }

  async function replace(): Promise<void> {
    while (!stopped) {
      try {
        client = await listen()
        if (stopped) return await client.end()
        const listening = client
        await options.onGap()
        if (client === listening) heard = listening
        return
      } catch (error) {
        log.warn({ err: error }, 'events can’t be listened for; trying again')
        await wait(RETRY_MS)
      }
    }
  }

  function onPayload(payload: string): void {
    let signal: Signal
    try {
      signal = Signal.parse(JSON.parse(payload))
    } catch (error) {
      // During an update of the processes one may not know yet what another says.
      log.warn({ err: error }, 'an event was not understood')
      return
    }
    options.onSignal(signal)
  }
}
