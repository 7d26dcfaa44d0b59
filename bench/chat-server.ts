import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { Server } from 'socket.io'
import { startFanfare } from './feeds/fanfare.ts'

/**
 * One of the servers that `chat.ts` compares, in a process of its own, so that none collects the other's garbage. Tells its
 * address, and ends with the process that started it.
 */
export type ChatServerOptions = {
  kind: 'fanfare' | 'fanfare with its limits' | 'bare'
  connectionString: string
  dataDir: string
}

const { kind, connectionString, dataDir } = JSON.parse(process.argv[2] ?? '') as ChatServerOptions
const server =
  kind === 'bare'
    ? await startBare()
    : await startFanfare(connectionString, dataDir, { rateLimits: kind === 'fanfare with its limits' })
process.send?.(server.address)
await once(process, 'disconnect')
await server.stop()

/** Socket.IO and one INSERT for each message. */
async function startBare(): Promise<{ address: string; stop(): Promise<void> }> {
  const pool = new pg.Pool({ connectionString, max: 20 })
  pool.on('error', () => {})
  await pool.query(`create table bare_messages (id uuid primary key default uuidv7(), conversation_id uuid not null,
    sender_id uuid not null, content text not null, created_at timestamptz not null default now())`)
  const http = createServer()
  const io = new Server(http, { serveClient: false })
  io.on('connection', (socket) => {
    const { conversationId } = socket.handshake.auth as { conversationId: string }
    void socket.join(conversationId)
    socket.on('chat message', async ({ message }, acknowledge) => {
      const { rows } = await pool.query({
        name: 'bare',
        text: 'insert into bare_messages (conversation_id, sender_id, content) values ($1, $2, $3) returning *',
        values: [message.conversationId, message.senderId, message.content],
      })
      const { id, created_at: createdAt } = rows[0]
      const stored = { ...message, _id: id, createdAt }
      io.to(conversationId).emit('chat message', { message: stored, conversation: { _id: conversationId } })
      acknowledge({ ok: true, message: stored })
    })
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  return {
    address: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    async stop() {
      await io.close()
      await pool.end()
    },
  }
}
