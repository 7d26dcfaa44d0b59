import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { io, type Socket } from 'socket.io-client'
import { SOCKET_CLIENT } from '../contract/constants.ts'
import { startEmbeddedPostgres } from '../server/db/embedded/postgres.ts'
import type { Member } from './chat-crowd.ts'
import type { ChatServerOptions } from './chat-server.ts'
import { makeMembers } from './feeds/members.ts'
import { median, quantile } from './feeds/quantile.ts'

/**
 * How soon somebody whose connection was cut has what was written meanwhile (security row 31), beside how soon a bare
 * Socket.IO server only has them connected again. Both are cut at once, and wait equally long before they try again.
 */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 50)
const MISSED = Number(process.env.BENCH_MISSED ?? 20)
/** As the product's client connects, but by no chance. */
const CLIENT = { ...SOCKET_CLIENT, randomizationFactor: 0, forceNew: true, transports: ['websocket'] }

const dataDir = await mkdtemp(join(tmpdir(), 'fanfare-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir })
const pool = new pg.Pool({ connectionString: postgres.connectionString, max: 2 })
pool.on('error', () => {})
const fanfare = await start('fanfare')
const people = await makeMembers(pool, ROUNDS * 2)
const bare = await start('bare')

const times = { caughtUp: [] as number[], reconnected: [] as number[] }
// Each round has a conversation of its own, so that nobody writes more than they may.
for (let round = 0; round < ROUNDS; round++) {
  const { caughtUp, reconnected } = await measure(
    people[round * 2] as Member,
    people[round * 2 + 1] as Member,
  )
  times.caughtUp.push(caughtUp)
  times.reconnected.push(reconnected)
}
for (const [name, all] of Object.entries(times)) {
  const [p50, p95] = [0.5, 0.95].map((share) => (quantile(all, share) / 1000).toFixed(3))
  process.stdout.write(
    `${name}: p50 ${p50} s, p95 ${p95} s, worst ${(Math.max(...all) / 1000).toFixed(3)} s\n`,
  )
}
const ratios = times.caughtUp.map((caughtUp, at) => caughtUp / (times.reconnected[at] ?? 0))
process.stdout.write(`ratio: ${median(ratios).toFixed(3)} the median of ${ROUNDS} cuts\n`)
for (const { process } of [fanfare, bare]) {
  process.disconnect()
  await once(process, 'exit')
}
await pool.end()
await postgres.stop()
await rm(dataDir, { recursive: true, force: true })

/** Milliseconds from a cut until its person has what the other one wrote meanwhile, and until they are connected to the bare server. */
async function measure(person: Member, other: Member): Promise<{ caughtUp: number; reconnected: number }> {
  const [own, plain] = [await connect(fanfare.address, person), await connect(bare.address, person)]
  const writer = await connect(fanfare.address, other)
  await write(writer, other, 'before')
  const { revision } = (await read(person)).conversation
  const [caught, back] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()]
  let cutAt = 0
  own.once('connect', async () => {
    const { messages } = await read(person, revision)
    if (messages.length !== MISSED) caught.reject(new Error(`${messages.length} of ${MISSED} messages came`))
    caught.resolve(performance.now() - cutAt)
  })
  plain.once('connect', () => back.resolve(performance.now() - cutAt))
  cutAt = performance.now()
  for (const socket of [own, plain]) socket.io.engine.close()
  // The rest of the second before the client tries again is enough for all of them.
  for (let at = 0; at < MISSED; at++) await write(writer, other, `${at}`)
  const [caughtUp, reconnected] = await Promise.all([caught.promise, back.promise])
  for (const socket of [own, plain, writer]) socket.close()
  return { caughtUp, reconnected }
}

async function connect(address: string, { id, token, otherId, conversationId }: Member): Promise<Socket> {
  const socket = io(address, { ...CLIENT, auth: { token, conversationId, participantIds: [id, otherId] } })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', reject)
  })
  return socket
}

async function write(socket: Socket, { id, conversationId }: Member, content: string): Promise<void> {
  const message = { senderId: id, content, conversationId, clientMessageId: randomUUID(), attachments: [] }
  const answer = await socket.emitWithAck('chat message', { message })
  if (answer?.ok !== true) throw new Error(`a message was refused: ${JSON.stringify(answer)}`)
}

type Answer = { conversation: { revision: number }; messages: unknown[] }

async function read({ token, otherId }: Member, since?: number): Promise<Answer> {
  const query = new URLSearchParams({
    recipientId: otherId,
    ...(since === undefined ? {} : { since: `${since}` }),
  })
  const answer = await fetch(`${fanfare.address}/api/users/messages2?${query}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  if (!answer.ok) throw new Error(`a conversation answered ${answer.status}`)
  return (await answer.json()) as Answer
}

async function start(kind: ChatServerOptions['kind']): Promise<{ address: string; process: ChildProcess }> {
  const options: ChatServerOptions = { kind, connectionString: postgres.connectionString, dataDir }
  const process = fork(join(import.meta.dirname, 'chat-server.ts'), [JSON.stringify(options)])
  const [address] = await once(process, 'message')
  return { address: address as string, process }
}
