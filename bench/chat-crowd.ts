import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { io, type Socket } from 'socket.io-client'

/** A person of the crowd; two of them are a conversation. */
export type Member = { id: string; token: string; otherId: string; conversationId: string }

export type CrowdOptions = {
  /** The servers; everybody stays connected to each of them. */
  addresses: string[]
  people: Member[]
  /**
   * Windows at a steady rate of messages a second, for each server: of one person at a time, who doesn't know of the others
   * (a Poisson process), or of so many at once in even bursts.
   */
  steady: { windows: number; seconds: number; rate: number; together: number }
  /** Windows in which some write as fast as they can. */
  fast: { windows: number; seconds: number; writers: number }
}

/** What one server did in each window: milliseconds until each message reached the other person, and messages a second. */
export type Windows = { delays: number[][]; perSecond: number[] }

type Crowd = {
  sockets: Socket[]
  /** Who writes next in a burst. */
  next: number
  /** Of the present window. */
  sent: number
  delays: number[]
  windows: Windows
}

const { addresses, people, steady, fast } = workerData as CrowdOptions
/** Until the database has noted everybody who came. */
const PAUSE_MS = 7000
const WARM_UP_SECONDS = 5
/** Whatever hasn't arrived by then is lost. */
const LOST_MS = 30_000

const crowds: Crowd[] = []
for (const address of addresses) crowds.push(await connectAll(address))
await wait(PAUSE_MS)
for (const crowd of crowds) await writeSteadily(crowd, WARM_UP_SECONDS)
// The servers take turns, each first in every other one, so that a busy machine meets them all.
for (let window = 0; window < steady.windows; window++)
  for (const crowd of inTurn(window)) crowd.windows.delays.push(await writeSteadily(crowd, steady.seconds))
for (let window = 0; window < fast.windows; window++)
  for (const crowd of inTurn(window)) crowd.windows.perSecond.push(await writeFast(crowd))
for (const socket of crowds.flatMap(({ sockets }) => sockets)) socket.close()
parentPort?.postMessage(crowds.map(({ windows }) => windows))

function inTurn(window: number): Crowd[] {
  return window % 2 === 0 ? crowds : crowds.toReversed()
}

/** Sends at the steady rate, whatever is still unanswered; returns how long each message took, once all have arrived. */
async function writeSteadily(crowd: Crowd, seconds: number): Promise<number[]> {
  const { rate, together } = steady
  const apart = (together * 1000) / rate
  const answers: Promise<void>[] = []
  let due = performance.now()
  while (answers.length < rate * seconds) {
    due += together === 1 ? -Math.log(1 - Math.random()) * apart : apart
    await wait(Math.max(0, due - performance.now()))
    for (let one = 0; one < together; one++) answers.push(send(crowd, writerOf(crowd)))
  }
  return allArrived(crowd, answers)
}

/** Anybody, where one writes at a time; in a burst the next ones, so that both of a conversation write at once. */
function writerOf(crowd: Crowd): number {
  return steady.together === 1 ? Math.floor(Math.random() * people.length) : crowd.next++ % people.length
}

/** Writers send as fast as acknowledgements come; returns how many messages a second arrived. */
async function writeFast(crowd: Crowd): Promise<number> {
  const began = performance.now()
  const until = began + fast.seconds * 1000
  const writers = Array.from({ length: fast.writers }, async (_, at) => {
    while (performance.now() < until) await send(crowd, (at * 2) % people.length)
  })
  const { length } = await allArrived(crowd, writers)
  return (length / (performance.now() - began)) * 1000
}

async function allArrived(crowd: Crowd, answers: Promise<void>[]): Promise<number[]> {
  await Promise.all(answers)
  const since = performance.now()
  while (crowd.delays.length < crowd.sent) {
    if (performance.now() - since > LOST_MS) throw new Error('a message never reached the other person')
    await wait(1)
  }
  const { delays } = crowd
  crowd.delays = []
  crowd.sent = 0
  return delays
}

async function connectAll(address: string): Promise<Crowd> {
  const crowd: Crowd = { sockets: [], next: 0, sent: 0, delays: [], windows: { delays: [], perSecond: [] } }
  for (let at = 0; at < people.length; at += 50) {
    const some = people.slice(at, at + 50)
    crowd.sockets.push(
      ...(await Promise.all(some.map((member, place) => connect(address, crowd, member, at + place)))),
    )
  }
  return crowd
}

async function connect(address: string, crowd: Crowd, member: Member, at: number): Promise<Socket> {
  const { id, token, otherId, conversationId } = member
  const socket = io(address, {
    forceNew: true,
    transports: ['websocket'],
    extraHeaders: { 'x-forwarded-for': `10.0.${at >> 8}.${at & 255}` },
    auth: { token, conversationId, participantIds: [id, otherId] },
  })
  socket.on('chat message', ({ message }: { message: { senderId: string; content: string } }) => {
    if (message.senderId !== id) crowd.delays.push(performance.now() - Number(message.content))
  })
  await new Promise<void>((resolve, reject) => {
    socket.on('connect', resolve)
    socket.on('connect_error', reject)
  })
  return socket
}

async function send(crowd: Crowd, at: number): Promise<void> {
  const { id, conversationId } = people[at] as Member
  crowd.sent++
  const message = {
    senderId: id,
    content: String(performance.now()),
    conversationId,
    clientMessageId: randomUUID(),
    attachments: [],
  }
  const answer = await crowd.sockets[at]?.emitWithAck('chat message', { message })
  if (answer?.ok !== true) throw new Error(`a message was refused: ${JSON.stringify(answer)}`)
}
