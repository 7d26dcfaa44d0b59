import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { io, type Socket } from 'socket.io-client'
import type { z } from 'zod'
import { SOCKET_PATH } from '../../contract/constants.ts'
import { routes } from '../../contract/index.ts'
import { Acknowledgement, serverEvents } from '../../contract/realtime.ts'
import type { Message } from '../../contract/routes/messaging/messages.ts'
import { createApi } from './api.ts'

type Received = z.output<typeof Message>
type Talker = { id: string; token: string }

/** How long a client waits for an acknowledgement before it sends again, and between two tries, in milliseconds. */
const PATIENCE_MS = 3000
const RETRY_MS = 20

/** A client that never gives up: it sends until it is acknowledged, and asks for what it missed after every cut. */
export type ChatClient = {
  /** Resolves once the server said that the message is stored, with its attachments and the message that it replies to. */
  send(content: string, more?: { mediaIds?: string[]; replyTo?: string | undefined }): Promise<void>
  /** Everything it knows of the conversation, in its order. */
  messages(): Received[]
  /** What went wrong on one connection: a message that came twice or after a later one, or was left out. */
  faults(): string[]
  close(): void
}

/** Connects one of two people to their conversation, through whatever lies between. */
export function openChatClient(
  origin: string,
  conversation: { id: string; person: Talker; other: Talker },
): ChatClient {
  const { id: conversationId, person, other } = conversation
  const api = createApi(origin, person.token)
  const known = new Map<string, Received>()
  const faults: string[] = []
  let revision = 0
  let closed = false
  const socket: Socket = io(origin, {
    path: SOCKET_PATH,
    forceNew: true,
    transports: ['websocket'],
    reconnectionDelay: RETRY_MS,
    reconnectionDelayMax: 10 * RETRY_MS,
    auth: { token: person.token, conversationId, participantIds: [person.id, other.id] },
  })

  let positions: number[] = []
  socket.on('connect', () => {
    positions = []
    void catchUp()
  })
  socket.on('chat message', (event: unknown) => {
    const { message } = serverEvents['chat message'].parse(event)
    const last = positions.at(-1)
    // Nothing but new messages happens in this conversation, so each position is a message.
    if (last !== undefined && message.position !== last + 1)
      faults.push(`${message.position} came after ${last}`)
    positions.push(message.position)
    known.set(message._id, message)
  })

  async function catchUp(): Promise<void> {
    for (let more = true; more && !closed; ) {
      try {
        const query = { recipientId: other.id, since: revision, limit: 100 }
        const page = await api.call(routes.messages, { query })
        for (const message of page.messages) {
          known.set(message._id, message)
          revision = Math.max(revision, message.revision)
        }
        more = page.hasMore
      } catch {
        await wait(RETRY_MS)
      }
    }
  }

  return {
    async send(content, { mediaIds = [], replyTo } = {}) {
      const message = {
        senderId: person.id,
        content,
        conversationId,
        clientMessageId: randomUUID(),
        attachments: mediaIds.map((id) => ({ url: `/media/${id}` })),
        replyTo,
      }
      while (!closed) {
        try {
          const answer = await socket.timeout(PATIENCE_MS).emitWithAck('chat message', { message })
          if (Acknowledgement.parse(answer).ok) return
        } catch {
          // Not acknowledged: perhaps stored, perhaps not.
        }
        await wait(RETRY_MS)
      }
    },
    messages: () => [...known.values()].toSorted((a, b) => a.position - b.position),
    faults: () => faults,
    close() {
      closed = true
      socket.close()
    },
  }
}
