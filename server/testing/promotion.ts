import { sql } from 'kysely'
import type { Flair, PostRequirements } from '../../contract/forum.ts'
import { routes } from '../../contract/index.ts'
import { track } from '../domains/promotion/subreddits/actions.ts'
import { exchange } from './api.ts'
import type { Person } from './builders.ts'
import type { Harness } from './harness.ts'

/** Tracks subreddits by name, without asking the forum; the first are the largest. */
export async function buildSubreddits(harness: Harness, names: string[]): Promise<void> {
  const { db, clock } = harness.context
  const sized = names.map((name, index) => ({ name, subscribers: 1000 * (names.length - index) }))
  await db.transaction().execute((tx) => track(tx, sized, clock.now()))
}

type Place = {
  name: string
  access: string
  type: string
  submissionType: string
  requirements: {
    is_flair_required: boolean
    title_text_min_length: number | null
    title_required_strings: string[]
  }
}

/** Names of the sandbox’s subreddits where anybody may post links under any title. */
export async function openSubreddits(harness: Harness): Promise<string[]> {
  const { items } = await forumAdmin<{ items: Place[] }>(harness, 'GET', 'subreddits')
  const isOpen = ({ access, type, submissionType, requirements }: Place) =>
    access === 'open' &&
    type === 'public' &&
    submissionType === 'any' &&
    !requirements.is_flair_required &&
    requirements.title_text_min_length === null &&
    requirements.title_required_strings.length === 0
  return items.filter(isOpen).map(({ name }) => name)
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

/** Keeps of a tracked subreddit that it asks for one of these flairs, as if the forum had just said so. */
export async function buildFlair(harness: Harness, name: string, flair: Flair[]): Promise<void> {
  const { db, clock } = harness.context
  const requirements: PostRequirements = {
    is_flair_required: true,
    title_blacklisted_strings: [],
    body_blacklisted_strings: [],
    title_required_strings: [],
    body_required_strings: [],
    title_regexes: [],
    title_text_min_length: null,
    title_text_max_length: null,
    body_restriction_policy: 'none',
    domain_blacklist: [],
    domain_whitelist: [],
    link_restriction_policy: 'none',
    link_repost_age: null,
    guidelines_text: null,
  }
  await db
    .updateTable('subreddit_readings')
    .set({
      state: 'read',
      requirements: JSON.stringify(requirements),
      flair: JSON.stringify(flair),
      read_at: clock.now(),
    })
    .where('subreddit_id', 'in', db.selectFrom('subreddits').select('id').where('name', '=', name))
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
  const { status, bytes } = await exchange(`${harness.sandboxOrigin}/sandbox/reddit/admin/${path}`, {
    method,
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  })
  if (status >= 300) throw new Error(`the forum’s sandbox answered ${status} to ${method} ${path}`)
  return JSON.parse(bytes.toString()) as T
}

/** A post that can be used in these subreddits, which are tracked already; answers its id. */
export async function buildPost(
  harness: Harness,
  person: Person,
  of: { subreddits: string[]; titles?: string[]; comment?: string; link?: string },
): Promise<string> {
  const {
    subreddits: usableSubreddits,
    titles = ['A quiet lake'],
    comment = '',
    link = `lake${unique()}`,
  } = of
  const api = harness.api.as(person)
  const { _id: redditPostId } = await api.call(routes.createPost, { body: { titles, comment, link } })
  await api.call(routes.editPost, { params: { redditPostId }, body: { usableSubreddits } })
  return redditPostId
}

let made = 0
/** Letters that no other link has; the names of RedGifs have no digits. */
const unique = () => [...(made++).toString()].map((digit) => 'abcdefghij'[Number(digit)]).join('')

/** Looks up what is in doubt by now, as the worker does every minute. */
export const lookUpDue = (harness: Harness) =>
  harness.server.jobs['posts.look-up']({}, { attempt: 1, lastAttempt: false })

/** Looks up what is in doubt and posts what is due by now, as the worker does every minute. */
export async function submitDue(harness: Harness): Promise<void> {
  await lookUpDue(harness)
  await harness.server.jobs['posts.submit']({}, { attempt: 1, lastAttempt: false })
}

/** A post as the forum's sandbox has it; `name` is its fullname. */
export type ForumEntry = {
  name: string
  subreddit: string
  author: string
  title: string
  url: string
  flairText: string | null
  nsfw: boolean
  comments: { author: string; body: string }[]
}

/** What is on the forum, the earliest first. */
export async function forumPosts(harness: Harness): Promise<ForumEntry[]> {
  const { items } = await forumAdmin<{ items: ForumEntry[] }>(harness, 'GET', 'posts?limit=100000')
  return items.reverse()
}

/** Reads the inboxes that are due, as the worker does every minute. */
export const syncInboxes = (harness: Harness) =>
  harness.server.jobs['inbox.sync']({}, { attempt: 1, lastAttempt: false })

/** Posts a link as an account's person does on the forum itself; answers the post's path there. */
export async function postOnForum(
  harness: Harness,
  name: string,
  post: { subreddit: string; title: string; url: string },
): Promise<string> {
  const { forum } = harness.context
  const { code } = await consent(forum?.authorizeUrl('by-hand') ?? '', name)
  const granted = await forum?.exchange(code)
  if (granted?.kind !== 'answered') throw new Error('the forum gave no token')
  const sent = await forum?.submit(
    { ...post, flairId: null, flairText: null, isNsfw: true, isRepeated: true },
    granted.value.accessToken,
  )
  if (sent?.kind !== 'published') throw new Error(`the forum took no post: ${JSON.stringify(sent)}`)
  return sent.value.permalink
}
