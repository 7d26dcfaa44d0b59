import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

/** A message as one recipient got it. `receivedAt` is ISO 8601 in UTC; `html` is empty when there was only text. */
export type CaughtMessage = {
  _id: string
  to: string
  from: string
  subject: string
  text: string
  html: string
  receivedAt: string
}

/** How many messages are kept; the oldest go first. */
const capacity = 2000
const columns =
  'id as _id, recipient as "to", sender as "from", subject, text, html, received_at as receivedAt'

/** Keeps caught messages in the SQLite file at `path`; every write is on disk when the call returns. */
export function openMailStore(path: string) {
  const database = new DatabaseSync(path)
  database.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    create table if not exists messages (
      sequence integer primary key autoincrement,
      id text not null unique,
      recipient text not null collate nocase,
      sender text not null,
      subject text not null,
      text text not null,
      html text not null,
      received_at text not null
    ) strict;
    create index if not exists messages_by_recipient on messages (recipient, sequence);
  `)
  const insert = database.prepare(
    'insert into messages (id, recipient, sender, subject, text, html, received_at) values (?, ?, ?, ?, ?, ?, ?)',
  )
  const prune = database.prepare(
    'delete from messages where sequence <= (select max(sequence) from messages) - ?',
  )
  const listAll = database.prepare(`select ${columns} from messages order by sequence desc limit ?`)
  const listTo = database.prepare(
    `select ${columns} from messages where recipient = ? order by sequence desc limit ?`,
  )
  const findOne = database.prepare(`select ${columns} from messages where id = ?`)

  return {
    /** Stores one message for each of its recipients. */
    add(message: Omit<CaughtMessage, '_id' | 'to'>, recipients: string[]): void {
      database.exec('begin immediate')
      try {
        for (const recipient of recipients) {
          const { from, subject, text, html, receivedAt } = message
          insert.run(randomUUID(), recipient, from, subject, text, html, receivedAt)
        }
        prune.run(capacity)
        database.exec('commit')
      } catch (error) {
        database.exec('rollback')
        throw error
      }
    },
    /** Newest first; only those to `recipient` when given, whatever the case of its letters. */
    list(recipient: string | undefined, limit: number): CaughtMessage[] {
      return (recipient === undefined ? listAll.all(limit) : listTo.all(recipient, limit)).map(toMessage)
    },
    find(id: string): CaughtMessage | null {
      const row = findOne.get(id)
      return row ? toMessage(row) : null
    },
    close(): void {
      database.close()
    },
  }
}

export type MailStore = ReturnType<typeof openMailStore>

function toMessage(row: Record<string, unknown>): CaughtMessage {
  const text = (name: keyof CaughtMessage) => String(row[name])
  return {
    _id: text('_id'),
    to: text('to'),
    from: text('from'),
    subject: text('subject'),
    text: text('text'),
    html: text('html'),
    receivedAt: text('receivedAt'),
  }
}
