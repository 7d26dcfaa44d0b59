import type { Socket } from 'socket.io-client'
import type { z } from 'zod'
import { SOCKET_CLIENT } from '../../contract/constants.ts'
import type { Acknowledgement, clientEvents } from '../../contract/realtime.ts'
import { ownTimeZone } from '../ui/own-time-zone.ts'
import type { Handlers } from './socket-opening.ts'

/** The server's answer to an emitted event. */
export type Acknowledged = z.output<typeof Acknowledgement>

/** Timeout of an acknowledgement, in milliseconds. */
const ACKNOWLEDGEMENT_MS = 15_000

let current: Socket | null = null
let connected = false
const listeners = new Set<() => void>()

function told(socket: Socket, state: 'opened' | 'connected' | 'disconnected' | 'closed'): void {
  if (state === 'opened') current = socket
  if (current !== socket) return
  if (state === 'closed') current = null
  connected = state === 'connected'
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

type Opening = typeof import('./socket-opening.ts')

/**
 * The code that opens a connection. Some browsers remember that a module didn't come, by its address, which is another one
 * here; it imports none that the page doesn't have, whose address would stay the same.
 */
function loadOpening(failure: unknown, failures: number): Promise<Opening> {
  const [address] = String(failure).match(/https?:\S+/) ?? []
  return address ? import(/* @vite-ignore */ `${address}?${failures}`) : import('./socket-opening.ts')
}

/** Loads it however often that fails, as a connection is tried; null once nobody waits for it anymore. */
async function openingOf(ended: AbortSignal): Promise<Opening | null> {
  const { reconnectionDelay, reconnectionDelayMax, randomizationFactor } = SOCKET_CLIENT
  let first: unknown
  for (let failures = 0; !ended.aborted; failures++) {
    try {
      return await loadOpening(first, failures)
    } catch (error) {
      first ??= error
      const delay = Math.min(reconnectionDelay * 2 ** failures, reconnectionDelayMax)
      const spread = 1 + randomizationFactor * (2 * Math.random() - 1)
      await new Promise((resolve) => setTimeout(resolve, delay * spread))
    }
  }
  return null
}

/** Keeps this tab's one connection for the owner of this token, until the returned function is called. */
export function connect(token: string, handlers: Handlers): () => void {
  const ended = new AbortController()
  void openingOf(ended.signal).then((opening) => {
    if (!ended.signal.aborted)
      opening?.openSocket({ token, timeZone: ownTimeZone() }, handlers, ended.signal, told)
  })
  return () => ended.abort()
}

/** Emits an event and returns what the server acknowledged. Throws if there is no connection, or no answer in time. */
export async function emit<Name extends keyof typeof clientEvents>(
  name: Name,
  event: z.input<(typeof clientEvents)[Name]>,
): Promise<Acknowledged> {
  if (!current?.connected) throw new Error('not connected')
  return current.timeout(ACKNOWLEDGEMENT_MS).emitWithAck(name, event)
}
