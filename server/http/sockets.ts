import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Server, type Socket } from 'socket.io'
import type { z } from 'zod'
import { SOCKET_PATH } from '../../contract/constants.ts'
import {
  type Acknowledgement,
  clientEvents,
  Handshake,
  MAX_EVENT_BYTES,
  type Signal,
} from '../../contract/realtime.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/client.ts'
import { AppError } from '../errors.ts'
import type { Realtime, SocketEvent } from '../handler.ts'
import { networkOf } from '../networks.ts'
import type { Place } from '../ports/geo/port.ts'
import { type Connection, createConnections } from '../realtime/connections.ts'
import { type Subscriber, subscribe } from '../realtime/subscriber.ts'
import { audienceOf, companionOf, type Viewer } from '../viewer.ts'
import { requireOpenRegion, viewerOf } from './access.ts'
import { readCookie } from './cookies.ts'
import { errorBody, toAppError } from './error-handler.ts'
import type { Guards } from './mount.ts'
import { arrivalOf } from './place.ts'
import type { Limit } from './rate-limit.ts'
import { isFromOtherOrigin } from './same-origin.ts'
import { createUnauthenticated } from './unauthenticated.ts'

type EventName = keyof typeof clientEvents
type Answer = z.input<typeof Acknowledgement>

/** Sockets have the same access rules as calls with `access: 'user'`. */
const ROUTE = { access: 'user' } as const
/** Sockets of one person in one process: enough for tabs and devices. */
const MAX_CONNECTIONS = 40
/** Unauthenticated connections of one network: enough for a whole office that reconnects at once. */
const MAX_UNAUTHENTICATED = 200
/** Queued events of one socket; faster senders are told to slow down. */
const MAX_WAITING = 100
/** How often all sessions and other processes are checked, because what expires or dies sends no signal, in milliseconds. */
const CHECK_MS = 60_000
/** How often a person, and a whole network, may connect. */
const CONNECTS = {
  person: { name: 'socket.connect', points: 60, seconds: 60 },
  network: { name: 'socket.connect.address', points: 600, seconds: 60 },
}
/** How often a person may send each event, over all their sockets. */
const LIMITS: Record<EventName, Pick<Limit, 'points' | 'seconds'>> = {
  'chat message': { points: 120, seconds: 60 },
  markAsRead: { points: 240, seconds: 60 },
  typing: { points: 120, seconds: 60 },
}

/** The client's identity and place, from the handshake. */
type Handed = { token: string; place: Place; ageVisit: string | null }

type Admitted = { handed: Handed } & Pick<
  Connection,
  'viewer' | 'audience' | 'conversationId' | 'participantIds'
>

type SocketGuards = Guards & {
  isTrustedProxy: (address: string | undefined) => boolean
  connectionString: string
  /** The live sessions among these ids. */
  findLiveSessions(db: Db, sessionIds: string[], now: Date): Promise<Set<string>>
}

/**
 * Socket.IO on the server’s own port. Handshake: origin → session → region → conversation; every event: session → region →
 * limits → input → handler → acknowledgement. Signals of other processes arrive here too.
 */
export function mountSockets(
  app: FastifyInstance,
  context: Context,
  realtime: Realtime,
  guards: SocketGuards,
): { connections: () => number } {
  const log = context.log.child({ part: 'sockets' })
  const connections = createConnections()
  const presence = realtime.createPresence(context, connections, () => subscriber?.listener() ?? 0)
  const deliver = realtime.createDelivery(context, connections)
  const pending = new Set<Promise<void>>()
  const unauthenticated = createUnauthenticated(MAX_UNAUTHENTICATED)
  const networkAt = (request: IncomingMessage) => networkOf(arrivalOf(request, guards.isTrustedProxy).ip)
  const io = new Server(app.server, {
    path: SOCKET_PATH,
    serveClient: false,
    maxHttpBufferSize: MAX_EVENT_BYTES,
    transports: ['polling', 'websocket'],
    allowRequest: (request, answer) => {
      const refusal = isFromOtherOrigin(arrivalOf(request, guards.isTrustedProxy))
        ? 'Other origins can’t connect.'
        : guards.rateLimits && unauthenticated.isFull(networkAt(request))
          ? 'Too many connections at once. Try again in a minute.'
          : null
      answer(refusal, refusal === null)
    },
  })
  io.engine.on('connection', (connection: Socket['conn']) => {
    unauthenticated.add(connection, networkAt(connection.request))
    connection.once('close', () => unauthenticated.remove(connection))
  })
  let subscriber: Subscriber | undefined
  let checks: NodeJS.Timeout | undefined

  app.addHook('onReady', async () => {
    subscriber = await subscribe({
      connectionString: guards.connectionString,
      log,
      onSignal: handleSignal,
      onGap: recover,
    })
    await presence.clear()
    checks = setInterval(() => {
      // If the database is unreachable, the next check does it: nobody is disconnected for that.
      endDeadSessions(connections.all()).catch((error: unknown) =>
        log.warn({ err: error }, 'the sessions of connections could not be looked at'),
      )
      presence
        .sweep()
        .catch((error: unknown) => log.warn({ err: error }, 'who is gone could not be looked for'))
    }, CHECK_MS).unref()
  })
  app.addHook('preClose', async () => {
    clearInterval(checks)
    await Promise.all(pending)
    await io.close()
    // Whoever it can't remove is gone all the same: their process is.
    await clearPresence()
    await subscriber?.stop()
  })

  const tried = new WeakSet<Socket['conn']>()
  io.use(async (socket, next) => {
    const { conn: connection } = socket
    // One polling request could carry thousands of attempts; a client retries on a new connection.
    if (tried.has(connection)) return connection.close(true)
    tried.add(connection)
    try {
      socket.data = await admit(socket)
      unauthenticated.remove(connection)
      // Its client asks for what came before; what comes then is told to those alone who are recorded.
      await presence.comes(socket.data.viewer.id)
      next()
    } catch (thrown) {
      next(refusalOf(thrown))
    }
  })

  io.on('connection', (socket) => {
    const admitted: Admitted = socket.data
    // Others may have been admitted at the same time.
    if (connections.of(admitted.viewer.id).length >= MAX_CONNECTIONS) return socket.disconnect(true)
    open(socket, admitted)
    // The session may have ended between admission and registration.
    void recheck([admitted.viewer.id])
  })

  return { connections: () => connections.all().length }

  function handleSignal(signal: Signal): void {
    if (signal.name === 'sessions.ended') void recheck(signal.people)
    else deliver(signal)
  }

  async function clearPresence(): Promise<void> {
    await presence.clear().catch((error: unknown) => log.warn({ err: error }, 'who is online is not known'))
  }

  /** Clients reconnect, and request what they missed. */
  async function recover(): Promise<void> {
    await clearPresence()
    for (const connection of connections.all()) connection.interrupt()
  }

  /** Checks these people’s sessions right away; if that fails, their clients have to reconnect. */
  async function recheck(people: string[]): Promise<void> {
    const concerned = people.flatMap((person) => connections.of(person))
    await endDeadSessions(concerned).catch((error: unknown) => {
      log.warn({ err: error }, 'sessions could not be looked at; their people connect again')
      for (const connection of concerned) connection.interrupt()
    })
  }

  async function endDeadSessions(concerned: Connection[]): Promise<void> {
    if (concerned.length === 0) return
    const ids = [...new Set(concerned.map(({ viewer }) => viewer.sessionId))]
    const live = await guards.findLiveSessions(context.db, ids, context.clock.now())
    for (const connection of concerned) if (!live.has(connection.viewer.sessionId)) connection.end()
  }

  /** The current person of a token, if they may use sockets from there; `known` is the person of the last check. */
  async function identify({ token, place, ageVisit }: Handed, known?: Viewer): Promise<Viewer> {
    const now = context.clock.now()
    const refuse = (viewer: Viewer) =>
      requireOpenRegion({}, { viewer, place, ageVisit, now }, context, guards)
    // In parallel with the session, as each is a database round trip.
    const ahead = known && refuse(known)
    ahead?.catch(() => {})
    const viewer = await viewerOf(ROUTE, token, context, guards, now)
    if (!viewer) throw new AppError('not_authenticated')
    await (ahead && viewer.ageApproved === known.ageApproved ? ahead : refuse(viewer))
    return viewer
  }

  async function admit(socket: Socket): Promise<Admitted> {
    const handshake = Handshake.parse(socket.handshake.auth)
    const arrival = arrivalOf(socket.request, guards.isTrustedProxy)
    await guards.rateLimits?.spend([{ ...CONNECTS.network, key: `ip:${networkOf(arrival.ip)}` }])
    const place = guards.locate(arrival)
    const cookies = app.parseCookie(socket.request.headers.cookie ?? '')
    const handed = { token: handshake.token, place, ageVisit: readCookie(context, { cookies }, 'age_visit') }
    const viewer = await identify(handed)
    await guards.rateLimits?.spend([{ ...CONNECTS.person, key: `user:${viewer.id}` }])
    if (connections.of(viewer.id).length >= MAX_CONNECTIONS) throw new AppError('rate_limited')
    const { participantIds = [], timeZone } = handshake
    const conversationId = handshake.conversationId?.toLowerCase() ?? null
    if (conversationId !== null)
      await realtime.admit(context.db, { viewerId: viewer.id, conversationId, participantIds })
    if (timeZone)
      await realtime.noteTimeZone(context.db, { userId: viewer.id, timeZone, now: context.clock.now() })
    return { handed, viewer, audience: audienceAt(place, viewer), conversationId, participantIds }
  }

  function open(socket: Socket, admitted: Admitted): void {
    const { handed, viewer, audience, conversationId, participantIds } = admitted
    const connection: Connection = {
      viewer,
      audience,
      companion: { key: companionOf(viewer.sessionId) },
      conversationId,
      participantIds,
      emit: (name, event) => {
        socket.emit(name, event)
      },
      end: () => {
        socket.disconnect(true)
      },
      interrupt: () => socket.conn.close(),
    }
    connections.add(connection)
    presence.changed(viewer.id)
    socket.on('disconnect', (reason) => {
      connections.remove(connection)
      presence.changed(viewer.id)
      log.info({ reason }, 'socket closed')
    })
    // One at a time, so that messages are stored in the order in which they were sent.
    let waiting = 0
    let last = Promise.resolve()
    // After an event over the limit, the next one reads nothing before it is counted.
    let isFlooding = false
    for (const name of Object.keys(clientEvents) as EventName[]) {
      socket.on(name, (sent: unknown, acknowledge?: unknown) => {
        const answer = (said: Answer) => {
          if (typeof acknowledge === 'function') acknowledge(said)
        }
        if (waiting >= MAX_WAITING)
          return answer(refused(new AppError('rate_limited', { retryAfterSeconds: 1 })))
        waiting++
        last = last
          .then(() => work(name, sent))
          .then(answer)
          .finally(() => {
            waiting--
            pending.delete(done)
          })
        const done = last
        pending.add(done)
      })
    }

    async function work<Name extends EventName>(name: Name, sent: unknown): Promise<Answer> {
      try {
        // In parallel, as each is a database round trip.
        const checked = Promise.all([
          reidentify(),
          guards.rateLimits?.spend([{ name: `socket.${name}`, key: `user:${viewer.id}`, ...LIMITS[name] }]),
        ])
        if (isFlooding) await checked
        const parsed = clientEvents[name].safeParse(sent)
        const request = { context, connection, now: context.clock.now() }
        const act = parsed.success
          ? realtime.events[name]({ ...request, event: parsed.data as SocketEvent<Name>['event'] })
          : null
        await checked
        isFlooding = false
        if (!act) throw parsed.error
        return { ok: true, ...(await act()) }
      } catch (thrown) {
        isFlooding = toAppError(thrown).code === 'rate_limited'
        return refused(thrown)
      }
    }

    /** The session may have ended since the handshake, and the person's role may have changed. */
    async function reidentify(): Promise<void> {
      try {
        connection.viewer = await identify(handed, connection.viewer)
        connection.audience = audienceAt(handed.place, connection.viewer)
      } catch (thrown) {
        // Send the refusal before disconnecting.
        setImmediate(connection.end)
        throw thrown
      }
    }
  }

  function refused(thrown: unknown): Answer {
    const error = toAppError(thrown)
    if (error.code === 'internal') log.error({ err: thrown }, 'event failed')
    const { retryAfterSeconds } = error
    const { error: text, code } = errorBody(error)
    return { ok: false, error: text, code, ...(retryAfterSeconds ? { retryAfter: retryAfterSeconds } : {}) }
  }

  /** The error of a refused handshake: clients find it in `data` of `connect_error`. */
  function refusalOf(thrown: unknown): Error {
    const error = toAppError(thrown)
    if (error.code === 'internal') log.error({ err: thrown }, 'handshake failed')
    const body = errorBody(error)
    return Object.assign(new Error(body.error), { data: body })
  }
}

function audienceAt(place: Place, viewer: Viewer): Connection['audience'] {
  return { ...audienceOf(viewer, place), id: viewer.id }
}
