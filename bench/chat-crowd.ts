import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { io, type Socket } from 'socket.io-client'

/** A person of the crowd; two of them are a conversation. */
export type Member = { id: string; token: string; otherId: string; conversationId: string }
/** How long they write as fast as they can, in seconds. */
const WRITING_SECONDS = 10

/** How fast messages reached the crowd of one server; times in milliseconds. */
export type DeliveryTimes = { p50: number; p99: number; perSecond: number }

/**
 * Connects everybody, sends at a steady rate and measures when messages reach the other person, then sends as fast as
 * acknowledgements come and counts.
 */
const { address, people, writers, rate, seconds } = workerData as {
  address: string
  people: Member[]
  /** How many write at once when they write as fast as they can. */
  writers: number
  /** Messages a second at the steady rate. */
  rate: number
  seconds: number
}

let delays: number[] = []
const sockets: Socket[] = []
for (let at = 0; at < people.length; at += 50)
  sockets.push(
    ...(await Promise.all(people.slice(at, at + 50).map((member, place) => connect(member, at + place)))),
  )

for (let at = 0; at < rate; at++) void send(at)
await wait(2000)
delays = []
for (let at = 0; at < rate * seconds; at++) {
  await wait(at % 10 === 0 ? (10 * 1000) / rate : 0)
  void send(at % people.length)
}
await wait(2000)
const sorted = delays.toSorted((a, b) => a - b)
const quantile = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN

delays = []
const until = performance.now() + WRITING_SECONDS * 1000
await Promise.all(
  Array.from({ length: writers }, async (_, at) => {
    while (performance.now() < until) await send((at * 2) % people.length)
  }),
)
const perSecond = delays.length / WRITING_SECONDS
const times: DeliveryTimes = { p50: quantile(0.5), p99: quantile(0.99), perSecond }
for (const socket of sockets) socket.close()
parentPort?.postMessage(times)

async function connect({ id, token, otherId, conversationId }: Member, at: number): Promise<Socket> {
  const socket = io(address, {
    forceNew: true,
    transports: ['websocket'],
    extraHeaders: { 'x-forwarded-for': `10.0.${at >> 8}.${at & 255}` },
    auth: { token, conversationId, participantIds: [id, otherId] },
  })
  socket.on('chat message', ({ message }: { message: { senderId: string; content: string } }) => {
    if (message.senderId !== id) delays.push(performance.now() - Number(message.content))
  })
  await new Promise<void>((resolve, reject) => {
    socket.on('connect', resolve)
    socket.on('connect_error', reject)
  })
  return socket
}

async function send(at: number): Promise<void> {
  const { id, conversationId } = people[at] as Member
  const message = {
    senderId: id,
    content: String(performance.now()),
    conversationId,
    clientMessageId: randomUUID(),
    attachments: [],
  }
  const answer = await sockets[at]?.emitWithAck('chat message', { message })
  if (answer?.ok !== true) throw new Error(`a message was refused: ${JSON.stringify(answer)}`)
}
