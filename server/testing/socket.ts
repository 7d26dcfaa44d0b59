import { io, type Socket } from 'socket.io-client'
import type { z } from 'zod'
import { SOCKET_PATH } from '../../contract/constants.ts'
import { Acknowledgement, type clientEvents, serverEvents } from '../../contract/realtime.ts'

export type Answer = z.output<typeof Acknowledgement>
type ServerName = keyof typeof serverEvents
type ReceivedEvent = {
  [Name in ServerName]: { name: Name; event: z.output<(typeof serverEvents)[Name]> }
}[ServerName]

/** A handshake that the server refused. */
export class SocketRefused extends Error {
  readonly code: string
  constructor({ code, error }: { code: string; error: string }) {
    super(`${code}: ${error}`)
    this.code = code
  }
}

/** A person's socket that keeps every event it receives, each checked by the contract. */
export type ApiSocket = {
  readonly raw: Socket
  readonly received: ReceivedEvent[]
  /** What it received of one name. */
  all<Name extends ServerName>(name: Name): z.output<(typeof serverEvents)[Name]>[]
  /** Emits, and waits for the acknowledgement. */
  emit<Name extends keyof typeof clientEvents>(
    name: Name,
    event: z.input<(typeof clientEvents)[Name]>,
  ): Promise<Answer>
  close(): void
}

/** Connects with this handshake; throws `SocketRefused` when the server says no. */
export async function openSocket(
  origin: string,
  auth: Record<string, unknown>,
  options: { transports?: string[]; reconnection?: boolean; headers?: Record<string, string> } = {},
): Promise<ApiSocket> {
  const { headers = {}, ...rest } = options
  const raw = io(origin, {
    path: SOCKET_PATH,
    auth,
    forceNew: true,
    transports: ['websocket'],
    reconnection: false,
    extraHeaders: headers,
    ...rest,
  })
  const received: ReceivedEvent[] = []
  raw.onAny((name: ServerName, event: unknown) => {
    received.push({ name, event: serverEvents[name].parse(event) } as ReceivedEvent)
  })
  await new Promise<void>((resolve, reject) => {
    raw.once('connect', resolve)
    raw.once('connect_error', (error: Error & { data?: { code: string; error: string } }) => {
      raw.close()
      reject(error.data ? new SocketRefused(error.data) : error)
    })
  })
  return {
    raw,
    received,
    all: (name) => received.flatMap((one) => (one.name === name ? [one.event as never] : [])),
    emit: async (name, event) => Acknowledgement.parse(await raw.timeout(150_000).emitWithAck(name, event)),
    close: () => {
      raw.close()
    },
  }
}
