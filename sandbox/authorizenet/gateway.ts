import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { KeptStatements } from '../kept-statements.ts'

/** The gateway's books and the account that it serves. */
export type Gateway = {
  db: DatabaseSync
  now: () => Date
  credentials: { apiLoginID: string; transactionKey: string; clientKey: string; signatureKey: string }
  /** Key of the card digests that duplicates are recognized by. */
  cardKey: string
  /** It answers as at an earlier moment, and what happens then is told to nobody. */
  isHistory?: boolean
}

/** A row of the table `transactions`. Amounts are cents, times milliseconds since 1970 UTC. */
export type TransactionRow = {
  id: number
  type: 'authCaptureTransaction' | 'authOnlyTransaction' | 'refundTransaction'
  status: string
  amountCents: number
  responseCode: number
  reasonCode: number
  authCode: string
  addressResult: string
  cardCodeResult: string
  brand: string
  lastFour: string
  expires: string
  cardDigest: string
  cardEffect: string | null
  billTo: string
  invoiceNumber: string
  description: string
  refId: string
  customerId: string
  customerEmail: string
  recurring: number
  /** Stored-credential flags and the customer's address as they were sent, JSON. */
  details: string
  refTransId: number | null
  networkTransId: string
  profileId: number | null
  paymentProfileId: number | null
  fingerprint: string
  submittedAt: number
  visibleAt: number
  batchId: number | null
  /** When the cardholder's bank took it back, and the batch that this comes off. */
  chargedBackAt: number | null
  chargebackBatchId: number | null
}

const TABLES = `
create table if not exists settings (name text primary key, value text not null) strict;
create table if not exists tokens (
  digest text primary key, brand text not null, lastFour text not null, expires text not null, cardDigest text not null,
  cardEffect text, codeEffect text, cardCodeResult text not null, zip text not null, fullName text not null,
  expiresAt integer not null, usedAt integer
) strict;
create table if not exists batches (
  id integer primary key autoincrement, settledAt integer not null, state text not null default 'settledSuccessfully'
) strict;
create table if not exists profiles (
  id integer primary key autoincrement, merchantCustomerId text not null, description text not null, email text not null
) strict;
create table if not exists paymentProfiles (
  id integer primary key autoincrement, profileId integer not null references profiles (id) on delete cascade,
  brand text not null, lastFour text not null, expires text not null, cardDigest text not null, cardEffect text,
  customerType text not null, billTo text not null, networkTransId text not null, isDefault integer not null,
  unique (profileId, cardDigest, billTo)
) strict;
create table if not exists transactions (
  id integer primary key autoincrement, type text not null, status text not null, amountCents integer not null,
  responseCode integer not null, reasonCode integer not null, authCode text not null, addressResult text not null,
  cardCodeResult text not null, brand text not null, lastFour text not null, expires text not null, cardDigest text not null,
  cardEffect text, billTo text not null, invoiceNumber text not null, description text not null, refId text not null, customerId text not null,
  customerEmail text not null, recurring integer not null, refTransId integer, networkTransId text not null, profileId integer,
  paymentProfileId integer, fingerprint text not null, submittedAt integer not null, visibleAt integer not null, batchId integer,
  details text not null default '{}', chargedBackAt integer, chargebackBatchId integer
) strict;
create index if not exists transactionsByInvoice on transactions (invoiceNumber);
create index if not exists transactionsByFingerprint on transactions (fingerprint, submittedAt);
create index if not exists transactionsByBatch on transactions (batchId, submittedAt);
create table if not exists notices (
  id integer primary key autoincrement, notificationId text not null unique, eventType text not null, transId integer not null,
  body text not null, createdAt integer not null, attempts integer not null, dueAt integer, lastAnswer text not null
) strict;
create index if not exists noticesByDue on notices (dueAt) where dueAt is not null;
create table if not exists faults (id integer primary key autoincrement, call text, effect text not null) strict;
`

/** After the columns, which books of an earlier version lack. */
const CHARGEBACKS = `create index if not exists transactionsByChargeback on transactions (chargebackBatchId, chargedBackAt)
  where chargedBackAt is not null`

/** Numbers that the first row of a table comes after, so that ids look like the real gateway's. */
const FIRST_IDS = {
  transactions: 60100000000,
  batches: 40100000,
  profiles: 50100000,
  paymentProfiles: 50200000,
}

/** Opens the books, an SQLite file or ':memory:'. What a call changed is on the disk before it is answered. */
export function openGateway(options: {
  store: string
  now: () => Date
  credentials: Gateway['credentials']
}): Gateway {
  const db = new KeptStatements(options.store, { timeout: 5000 })
  db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
  const gateway: Gateway = { db, now: options.now, credentials: options.credentials, cardKey: '' }
  gateway.cardKey = atomically(gateway, () => {
    db.exec(TABLES)
    addColumn(db, 'transactions', 'details', "text not null default '{}'")
    addColumn(db, 'transactions', 'chargedBackAt', 'integer')
    addColumn(db, 'transactions', 'chargebackBatchId', 'integer')
    addColumn(db, 'batches', 'state', "text not null default 'settledSuccessfully'")
    db.exec(CHARGEBACKS)
    for (const [table, id] of Object.entries(FIRST_IDS)) {
      db.prepare(
        'insert into sqlite_sequence (name, seq) select ?, ? where not exists (select 1 from sqlite_sequence where name = ?)',
      ).run(table, id, table)
    }
    db.prepare("insert or ignore into settings (name, value) values ('cardKey', ?)").run(
      randomBytes(32).toString('base64'),
    )
    return readSetting(gateway, 'cardKey')
  })
  return gateway
}

/** Books of an earlier version lack the column. */
function addColumn(db: DatabaseSync, table: string, column: string, type: string): void {
  const columns = db.prepare(`pragma table_info(${table})`).all() as { name: string }[]
  if (!columns.some(({ name }) => name === column))
    db.exec(`alter table ${table} add column ${column} ${type}`)
}

/** Runs `work` in one transaction of the books; anything thrown undoes it. */
export function atomically<T>(gateway: Gateway, work: () => T): T {
  gateway.db.exec('begin immediate')
  try {
    const result = work()
    gateway.db.exec('commit')
    return result
  } catch (error) {
    gateway.db.exec('rollback')
    throw error
  }
}

/** The value of a setting, or '' when it was never set. */
export function readSetting(gateway: Gateway, name: string): string {
  const row = gateway.db.prepare('select value from settings where name = ?').get(name) as
    | { value: string }
    | undefined
  return row?.value ?? ''
}

export function findTransaction(gateway: Gateway, id: string): TransactionRow | undefined {
  return gateway.db.prepare('select * from transactions where id = ?').get(Number(id)) as
    | TransactionRow
    | undefined
}

export function setStatus(gateway: Gateway, id: number, status: string): void {
  gateway.db.prepare('update transactions set status = ? where id = ?').run(status, id)
}
