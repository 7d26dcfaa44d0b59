import { io, type Socket } from 'socket.io-client'
import type { z } from 'zod'
import { SOCKET_CLIENT, SOCKET_PATH } from '../../contract/constants.ts'
import type { serverEvents } from '../../contract/realtime.ts'
import { endSession } from './token.ts'

/** Handlers of server events, by event name. */
export type ServerEvent<Name extends keyof typeof serverEvents> = z.output<(typeof serverEvents)[Name]>
export type Handlers = { [Name in keyof typeof serverEvents]: (event: ServerEvent<Name>) => void } & {
  /** Connected, for the first time or again: events before that were missed. */
  connected: () => void
}

/** How long to wait after a refusal, in milliseconds. */
const AFTER_REFUSAL_MS = 10_000

/** Opens a connection with this token until `ended` aborts, and reports its state. */
export function openSocket(
  auth: { token: string; timeZone: string },
  { connected: onConnected, ...handlers }: Handlers,
  ended: AbortSignal,
  tell: (socket: Socket, state: 'opened' | 'connected' | 'disconnected' | 'closed') => void,
): void {
  const socket = io({
    ...SOCKET_CLIENT,
    path: SOCKET_PATH,
    auth,
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
    if (code === 'not_authenticated') endSession(auth.token)
    else later(AFTER_REFUSAL_MS)
  })
  for (const [name, handler] of Object.entries(handlers)) socket.on(name, handler as (event: unknown) => void)
  tell(socket, 'opened')
  // The library doesn't close the connection to `localhost` when the network goes; its pings would take most of a minute.
  addEventListener('offline', () => socket.io.engine?.close(), { signal: ended })
  addEventListener(
    'online',
    () => {
      // An attempt that began offline may hang until its timeout.
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
