import { io, type Socket } from 'socket.io-client'
import type { z } from 'zod'
import { SOCKET_CLIENT, SOCKET_PATH } from '../../contract/constants.ts'
import type { serverEvents } from '../../contract/realtime.ts'
import { ownTimeZone } from '../ui/format.ts'
import { endSession } from './token.ts'

/** What the server tells, by the name of the event. */
export type ServerEvent<Name extends keyof typeof serverEvents> = z.output<(typeof serverEvents)[Name]>
export type Handlers = { [Name in keyof typeof serverEvents]: (event: ServerEvent<Name>) => void } & {
  /** The connection stands, for the first time or again: events from before it were missed. */
  connected: () => void
}

/** How long to wait after a refusal, in milliseconds. */
const AFTER_REFUSAL_MS = 10_000

/** Opens the connection of who has this token, until `ended`; tells what becomes of it. */
export function openSocket(
  token: string,
  { connected: onConnected, ...handlers }: Handlers,
  ended: AbortSignal,
  tell: (socket: Socket, state: 'opened' | 'connected' | 'disconnected' | 'closed') => void,
): void {
  const socket = io({
    ...SOCKET_CLIENT,
    path: SOCKET_PATH,
    auth: { token, timeZone: ownTimeZone() },
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    forceNew: true,
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  const later = (milliseconds: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => socket.connect(), milliseconds)
  }
  socket.on('connect', () => {
    tell(socket, 'connected')
    onConnected()
  })
  socket.on('disconnect', () => {
    tell(socket, 'disconnected')
    // After a disconnect by the server the client doesn't reconnect by itself.
    if (!socket.active && !ended.aborted) later(SOCKET_CLIENT.reconnectionDelay)
  })
  socket.on('connect_error', (error) => {
    if (socket.active || ended.aborted) return
    const { code } = (error as { data?: { code?: unknown } }).data ?? {}
    if (code === 'not_authenticated') endSession(token)
    else later(AFTER_REFUSAL_MS)
  })
  for (const [name, handler] of Object.entries(handlers)) socket.on(name, handler as (event: unknown) => void)
  tell(socket, 'opened')
  // The library leaves a server on `localhost` alone, where its pings would take most of a minute to notice.
  addEventListener('offline', () => socket.io.engine?.close(), { signal: ended })
  addEventListener(
    'online',
    () => {
      // An attempt that began without a network may hang until its time is over.
      if (!socket.connected) socket.disconnect().connect()
    },
    { signal: ended },
  )
  ended.addEventListener('abort', () => {
    clearTimeout(timer)
    socket.disconnect()
    tell(socket, 'closed')
  })
}
