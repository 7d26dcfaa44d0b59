import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { KeptStatements } from '../kept-statements.ts'
import { type SubredditData, seededSubreddits } from './seed.ts'

/** The forum's books, its clock, and the one client that it knows. */
export type Forum = {
  db: DatabaseSync
  now: () => Date
  client: { id: string; secret: string; redirectUris: readonly string[] }
}

/** Times are milliseconds since 1970 UTC; booleans 0 or 1. */
export type AccountRow = {
  id: number
  name: string
  linkKarma: number
  commentKarma: number
  createdAt: number
  suspended: number
  lastPostAt: number | null
}

const TABLES = `
create table if not exists settings (name text primary key, value text not null) strict;
create table if not exists accounts (
  id integer primary key autoincrement, name text not null unique collate nocase, linkKarma integer not null,
  commentKarma integer not null, createdAt integer not null, suspended integer not null default 0, lastPostAt integer
) strict;
create table if not exists codes (
  code text primary key, account text not null, scopes text not null, redirectUri text not null, permanent integer not null,
  expiresAt integer not null
) strict;
create table if not exists grants (
  refreshToken text primary key, account text not null, scopes text not null, revokedAt integer
) strict;
create table if not exists accessTokens (
  token text primary key, account text, scopes text not null, refreshToken text, expiresAt integer not null
) strict;
create table if not exists subreddits (name text primary key collate nocase, id text not null unique, data text not null) strict;
create table if not exists relations (
  account text not null collate nocase, subreddit text not null collate nocase, kind text not null,
  primary key (account, subreddit, kind)
) strict;
create table if not exists posts (
  id integer primary key autoincrement, subreddit text not null collate nocase, author text not null collate nocase,
  title text not null, url text not null, text text not null, isSelf integer not null, flairId text, flairText text,
  nsfw integer not null, spoiler integer not null, createdAt integer not null, removed text, removedAt integer, deletedAt integer,
  editedAt integer, extraScore integer not null default 0
) strict;
create index if not exists postsOfAuthor on posts (author, id);
create table if not exists comments (
  id integer primary key autoincrement, parent text not null, post integer not null, author text not null collate nocase,
  body text not null, createdAt integer not null, deletedAt integer, editedAt integer
) strict;
create table if not exists messages (
  id integer primary key autoincrement, sender text not null collate nocase, recipient text not null collate nocase,
  subject text not null, body text not null, parent text, root text, createdAt integer not null, readAt integer,
  senderHid integer not null default 0, recipientHid integer not null default 0
) strict;
create table if not exists inboxComments (
  comment integer primary key, recipient text not null collate nocase, type text not null, readAt integer
) strict;
create table if not exists blocks (account text not null collate nocase, blocked text not null collate nocase, primary key (account, blocked)) strict;
create table if not exists faults (
  id integer primary key autoincrement, path text, account text collate nocase, kind text not null, status integer not null,
  delayMilliseconds integer not null, times integer, code text, message text
) strict;
create table if not exists requests (
  id integer primary key autoincrement, method text not null, path text not null, account text, status integer not null, at integer not null
) strict;
create table if not exists budget (client text primary key, used integer not null, endsAt integer not null) strict;
`

/** Opens the forum's file, filled with its subreddits the first time; several processes may hold it open. */
export function openForum(options: { store: string; now: () => Date; client: Forum['client'] }): Forum {
  const db = new KeptStatements(options.store)
  db.exec('pragma busy_timeout = 10000; pragma journal_mode = wal; pragma synchronous = normal')
  db.exec(TABLES)
  // A file of an earlier version lacks them.
  const columns = new Set(
    db
      .prepare('pragma table_info(faults)')
      .all()
      .map(({ name }) => name),
  )
  for (const column of ['code', 'message'])
    if (!columns.has(column)) db.exec(`alter table faults add column ${column} text`)
  const forum = { db, now: options.now, client: options.client }
  inTransaction(forum, () => {
    const { held } = db.prepare('select count(*) as held from subreddits').get() as { held: number }
    if (held > 0) return
    const insert = db.prepare('insert into subreddits (name, id, data) values (?, ?, ?)')
    for (const [index, data] of seededSubreddits().entries())
      insert.run(data.name, `2${(index + 46_000).toString(36)}`, JSON.stringify(data))
  })
  return forum
}

/** Runs it alone; an error undoes all of it. */
export function inTransaction<T>({ db }: Forum, run: () => T): T {
  db.exec('begin immediate')
  try {
    const result = run()
    db.exec('commit')
    return result
  } catch (error) {
    db.exec('rollback')
    throw error
  }
}

export type Subreddit = SubredditData & { id: string }

export function findSubreddit({ db }: Forum, name: string): Subreddit | null {
  const row = db.prepare('select id, data from subreddits where name = ?').get(name) as
    | { id: string; data: string }
    | undefined
  return row ? { ...(JSON.parse(row.data) as SubredditData), id: row.id } : null
}

export function allSubreddits({ db }: Forum): Subreddit[] {
  const rows = db.prepare('select id, data from subreddits order by name').all() as {
    id: string
    data: string
  }[]
  return rows.map(({ id, data }) => ({ ...(JSON.parse(data) as SubredditData), id }))
}

export function saveSubreddit({ db }: Forum, { id: _, ...data }: Subreddit): void {
  db.prepare('update subreddits set data = ? where name = ?').run(JSON.stringify(data), data.name)
}

/** How old, in days, and how well liked an account is that somebody just made up. */
const NEW_ACCOUNT = { days: 400, linkKarma: 812, commentKarma: 95 }
const DAY_MS = 86_400_000

export function findAccount({ db }: Forum, name: string): AccountRow | null {
  return (db.prepare('select * from accounts where name = ?').get(name) as AccountRow | undefined) ?? null
}

/** The account of this name, made if there is none. */
export function ensureAccount(forum: Forum, name: string): AccountRow {
  const createdAt = forum.now().getTime() - NEW_ACCOUNT.days * DAY_MS
  forum.db
    .prepare(
      'insert into accounts (name, linkKarma, commentKarma, createdAt) values (?, ?, ?, ?) on conflict do nothing',
    )
    .run(name, NEW_ACCOUNT.linkKarma, NEW_ACCOUNT.commentKarma, createdAt)
  return findAccount(forum, name) as AccountRow
}

/** An account's role in a subreddit. */
export type Relation = 'banned' | 'moderator' | 'contributor' | 'subscriber'

export function isRelated({ db }: Forum, account: string, subreddit: string, kind: Relation): boolean {
  return (
    db
      .prepare('select 1 from relations where account = ? and subreddit = ? and kind = ?')
      .get(account, subreddit, kind) !== undefined
  )
}

/** The settings, with their defaults. */
const SETTINGS = {
  /** Calls that one client may make in ten minutes. */
  budget: '1000',
  /** Seconds between two posts of a young or little known account. */
  postingSeconds: '600',
  /** `list`: requirement errors with status 200; `status`: with 400. */
  requirementErrors: 'list',
  /** `on`: threads of messages lead to the login page. */
  messagesMoved: 'off',
  /** `on`: a reply to a message answers an id that means nothing. */
  placeholderReplies: 'off',
} as const
export type Setting = keyof typeof SETTINGS

export const settingNames = Object.keys(SETTINGS) as Setting[]

export function readSetting({ db }: Forum, name: Setting): string {
  const row = db.prepare('select value from settings where name = ?').get(name) as
    | { value: string }
    | undefined
  return row?.value ?? SETTINGS[name]
}

export function writeSetting({ db }: Forum, name: Setting, value: string): void {
  db.prepare(
    'insert into settings values (?, ?) on conflict (name) do update set value = excluded.value',
  ).run(name, value)
}

export const randomToken = () => randomBytes(24).toString('base64url')
