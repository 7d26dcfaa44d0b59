import type { Socket } from 'socket.io-client'
import type { z } from 'zod'
import { SOCKET_CLIENT, SOCKET_PATH } from '../../contract/constants.ts'
import type { Acknowledgement, clientEvents, serverEvents } from '../../contract/realtime.ts'
import { endSession } from './token.ts'

/** What the server tells, by the name of the event. */
export type ServerEvent<Name extends keyof typeof serverEvents> = z.output<(typeof serverEvents)[Name]>
/** What the server answers to an emitted event. */
export type Acknowledged = z.output<typeof Acknowledgement>

type Handlers = { [Name in keyof typeof serverEvents]: (event: ServerEvent<Name>) => void } & {
  /** The connection stands, for the first time or again: events from before it were missed. */
  connected: () => void
}

/** How long an acknowledgement may take, and how long to wait after a refusal, in milliseconds. */
const ACKNOWLEDGEMENT_MS = 15_000
const AFTER_REFUSAL_MS = 10_000

let current: Socket | null = null
let connected = false
const listeners = new Set<() => void>()

function setConnected(now: boolean): void {
  connected = now
  for (const listener of listeners) listener()
}

/** Whether this tab is connected, for `useSyncExternalStore`. */
export const connection = {
  read: () => connected,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}

/** Keeps the one connection of this tab for who has this token, until what it answers is called. */
export function connect(token: string, handlers: Handlers): () => void {
  const ended = new AbortController()
  void import('socket.io-client').then(({ io }) => {
    if (!ended.signal.aborted) open(io, token, handlers, ended.signal)
  })
  return () => ended.abort()
}

function open(
  io: typeof import('socket.io-client').io,
  token: string,
  { connected: onConnected, ...handlers }: Handlers,
  ended: AbortSignal,
): void {
  const socket = io({
    ...SOCKET_CLIENT,
    path: SOCKET_PATH,
    auth: { token },
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
    setConnected(true)
    onConnected()
  })
  socket.on('disconnect', () => {
    setConnected(false)
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
  current = socket
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
    if (current !== socket) return
    current = null
    setConnected(false)
  })
}

/** Emits an event and answers what the server acknowledged. Throws when there is no connection, or no answer in time. */
export async function emit<Name extends keyof typeof clientEvents>(
  name: Name,
  event: z.input<(typeof clientEvents)[Name]>,
): Promise<Acknowledged> {
  if (!current?.connected) throw new Error('not connected')
  return current.timeout(ACKNOWLEDGEMENT_MS).emitWithAck(name, event)
}
