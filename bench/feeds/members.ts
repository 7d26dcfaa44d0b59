import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { conversationIdOf } from '../../server/domains/messaging/data.ts'
import type { Member } from '../chat-crowd.ts'

/** Messages that two people have exchanged before. */
const HISTORY = 20

/** Accounts of creators whose names begin like this; returns their ids. */
export async function makePeople(pool: pg.Pool, prefix: string, count: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into users (email, username, first_name, reddit_username, password_hash, is_creator, email_verified_at,
       referral_code, created_at)
     select name || '@bench.test', name, 'P', name, 'x', true, now(), name, now()
     from (select $1 || n as name from generate_series(1, $2::int) as n) as each returning id`,
    [prefix, count],
  )
  return rows.map(({ id }) => id)
}

/**
 * People with a session each, every two of them a conversation that both have written in; analyzed, as the database does by
 * itself within a minute: a plan that was made for empty tables reads them whole.
 */
export async function makeMembers(pool: pg.Pool, count: number): Promise<Member[]> {
  const ids = await makePeople(pool, 'p', count)
  const tokens = ids.map(() => randomBytes(32).toString('base64url'))
  await pool.query(
    `insert into sessions (user_id, token_hash, created_at, last_seen_at, expires_at)
     select id, hash, now(), now(), now() + interval '30 days' from unnest($1::uuid[], $2::bytea[]) as s (id, hash)`,
    [ids, tokens.map((token) => createHash('sha256').update(token).digest())],
  )
  const members = ids.map((id, at) => {
    const otherId = ids[at % 2 === 0 ? at + 1 : at - 1] ?? ''
    return { id, token: tokens[at] ?? '', otherId, conversationId: conversationIdOf(id, otherId) }
  })
  await beginConversations(pool, members)
  await pool.query('analyze')
  return members
}

async function beginConversations(pool: pg.Pool, members: Member[]): Promise<void> {
  const values = [
    members.map((m) => m.conversationId),
    members.map((m) => m.id),
    members.map((m) => m.otherId),
  ]
  await pool.query(
    `insert into conversations (id, low_id, high_id, revision, created_at)
     select id, one, other, ${HISTORY}, now() from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as c (id, one, other)
     where one < other`,
    values,
  )
  await pool.query(
    `insert into conversation_members (conversation_id, user_id, other_id, last_at, wrote)
     select id, one, other, now(), true from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as c (id, one, other)`,
    values,
  )
  await pool.query(
    `insert into messages (conversation_id, position, revision, sender_id, content, created_at)
     select id, n, n, one, 'Message ' || n, now()
     from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as c (id, one, other), generate_series(1, ${HISTORY}) as n
     where one < other`,
    values,
  )
}
