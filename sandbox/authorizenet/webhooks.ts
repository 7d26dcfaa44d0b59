import { createHmac, randomUUID } from 'node:crypto'
import { atomically, type Gateway, type TransactionRow } from './gateway.ts'
import { timeUtc } from './wire.ts'

const MINUTE_MS = 60 * 1000
const HOUR_MS = 60 * MINUTE_MS
/** Milliseconds until a notice that nobody took is sent again, for one attempt after another. */
const WAITS_MS = [
  ...Array<number>(3).fill(3 * MINUTE_MS),
  ...Array<number>(3).fill(8 * HOUR_MS),
  ...Array<number>(4).fill(48 * HOUR_MS),
]
const TIMEOUT_MS = 10_000
/** How often it looks for notices to send, by the system's clock. */
const EVERY_MS = 1000

/** A row of the table `notices`. `dueAt` is null for what was taken or given up; times are milliseconds since 1970 UTC. */
export type NoticeRow = {
  id: number
  notificationId: string
  eventType: string
  transId: number
  body: string
  createdAt: number
  attempts: number
  dueAt: number | null
  lastAnswer: string
}

export type EventName =
  | 'authorization.created'
  | 'authcapture.created'
  | 'priorAuthCapture.created'
  | 'refund.created'
  | 'void.created'
  | 'fraud.held'
  | 'fraud.approved'
  | 'fraud.declined'

/** Writes a notice of what was just done with a transaction, to be sent once that is committed. */
export function notice(gateway: Gateway, event: EventName, row: TransactionRow): void {
  if (gateway.isHistory) return
  const notificationId = randomUUID()
  const eventType = `net.authorize.payment.${event}`
  const now = gateway.now().getTime()
  const body = {
    notificationId,
    eventType,
    eventDate: timeUtc(now),
    webhookId: '00000000-0000-4000-8000-000000000001',
    payload: {
      responseCode: row.responseCode,
      ...(row.refId ? { merchantReferenceId: row.refId } : {}),
      authCode: row.authCode,
      avsResponse: row.addressResult,
      authAmount: row.amountCents / 100,
      entityName: 'transaction',
      id: String(row.id),
    },
  }
  gateway.db
    .prepare(
      `insert into notices (notificationId, eventType, transId, body, createdAt, attempts, dueAt, lastAnswer)
       values (?, ?, ?, ?, ?, 0, ?, '')`,
    )
    .run(notificationId, eventType, row.id, JSON.stringify(body), now, now)
}

/** The newest notices first. */
export function listNotices(gateway: Gateway, limit: number): NoticeRow[] {
  return gateway.db.prepare('select * from notices order by id desc limit ?').all(limit) as NoticeRow[]
}

export type Webhooks = ReturnType<typeof webhooks>

/** Sends notices to the merchant's address, asked for at each sending; to nobody while it is null. */
export function webhooks(gateway: Gateway, address: (() => string) | null) {
  let delivering: Promise<unknown> = Promise.resolve()
  const timer = address === null ? undefined : setInterval(() => void deliver(), EVERY_MS)
  timer?.unref()

  /** Sends what is due, one after another, also after an earlier call of this that is still at work. */
  function deliver(): Promise<void> {
    const done = delivering.then(async () => {
      if (address === null) return
      for (let due = claim(gateway); due !== undefined; due = claim(gateway)) await send(due, 'as due')
    })
    delivering = done.catch(() => {})
    return done
  }

  /** Sends one notice once more, or signed with a key that isn't the merchant's; answers what the merchant said. */
  async function send(row: NoticeRow, how: 'as due' | 'send' | 'forge'): Promise<string> {
    if (address === null) return 'no address'
    const { signatureKey } = gateway.credentials
    const answer = await post(address(), row.body, how === 'forge' ? `not ${signatureKey}` : signatureKey)
    gateway.db
      .prepare('update notices set lastAnswer = ? where id = ?')
      .run(how === 'forge' ? `${answer} (forged)` : answer, row.id)
    if (how !== 'forge' && /^2\d\d$/.test(answer))
      gateway.db.prepare('update notices set dueAt = null where id = ?').run(row.id)
    return answer
  }

  return {
    deliver,
    send,
    stop: async () => {
      clearInterval(timer)
      await delivering
    },
  }
}

/** Takes the next notice that is due; the attempt is counted before it is sent. */
function claim(gateway: Gateway): NoticeRow | undefined {
  return atomically(gateway, () => {
    const now = gateway.now().getTime()
    const row = gateway.db
      .prepare('select * from notices where dueAt <= ? order by dueAt, id limit 1')
      .get(now) as NoticeRow | undefined
    if (!row) return undefined
    const wait = WAITS_MS[row.attempts]
    gateway.db
      .prepare('update notices set attempts = attempts + 1, dueAt = ? where id = ?')
      .run(wait === undefined ? null : now + wait, row.id)
    return row
  })
}

async function post(url: string, body: string, key: string): Promise<string> {
  const digest = createHmac('sha512', key).update(body).digest('hex').toUpperCase()
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-anet-signature': `sha512=${digest}` },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return String(status)
  } catch {
    return 'no answer'
  }
}
