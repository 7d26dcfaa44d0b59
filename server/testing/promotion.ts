import { sql } from 'kysely'
import { routes } from '../../contract/index.ts'
import { track } from '../domains/promotion/subreddits/actions.ts'
import type { Person } from './builders.ts'
import type { Harness } from './harness.ts'

/** Tracks subreddits by name, without asking the forum; the first are the largest. */
export async function buildSubreddits(harness: Harness, names: string[]): Promise<void> {
  const { db, clock } = harness.context
  const sized = names.map((name, index) => ({ name, subscribers: 1000 * (names.length - index) }))
  await db.transaction().execute((tx) => track(tx, sized, clock.now()))
}

/** Keeps these rules of a tracked subreddit, as if the forum had just said so. */
export async function buildRules(
  harness: Harness,
  name: string,
  rules: { name: string; description: string }[],
): Promise<void> {
  const { db, clock } = harness.context
  await db
    .updateTable('subreddit_readings')
    .set({ state: 'read', rules: JSON.stringify(rules), read_at: clock.now() })
    .where(
      'subreddit_id',
      'in',
      db.selectFrom('subreddits').select('id').where(sql`lower(name)`, '=', name.toLowerCase()),
    )
    .execute()
}

/** Answers the forum's consent page as the account's person; returns what the redirect carries. */
export async function consent(
  url: string,
  name: string,
  changed: Record<string, string> = {},
): Promise<{ code: string; state: string; error: string | null }> {
  const asked = new URL(url)
  const form = new URLSearchParams(asked.search)
  for (const [field, value] of Object.entries({ username: name, decision: 'allow', ...changed }))
    form.set(field, value)
  const answer = await fetch(asked.origin + asked.pathname, {
    method: 'POST',
    body: form,
    redirect: 'manual',
  })
  const back = new URL(answer.headers.get('location') ?? '').searchParams
  return { code: back.get('code') ?? '', state: back.get('state') ?? '', error: back.get('error') }
}

/** Connects a forum account as a person does: permission, redirect, confirmation. */
export async function connectForum(harness: Harness, person: Person, name: string) {
  const api = harness.api.as(person)
  const { url } = await api.call(routes.authorizeForum, {})
  const { code, state } = await consent(url, name)
  return (await api.call(routes.confirmForum, { body: { code, state } })).account
}

/** Tells the sandbox's forum what to do, or asks what it has (sandbox/reddit/README.md). */
export async function forumAdmin<T>(
  harness: Harness,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const answer = await fetch(`${harness.sandboxOrigin}/sandbox/reddit/admin/${path}`, {
    method,
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  })
  if (!answer.ok) throw new Error(`the forum’s sandbox answered ${answer.status} to ${method} ${path}`)
  return (await answer.json()) as T
}
