import { routes } from '../contract/index.ts'
import type { StoryDatabase } from './database.ts'
import { apiOf, joins, type Person } from './people.ts'
import type { Window } from './window.ts'

/** Tells the sandbox’s forum what to do, or asks what it has (sandbox/reddit/README.md). */
export async function forumAdmin<T>(origin: string, method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${origin}/sandbox/reddit/admin/${path}`, {
    method,
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  })
  if (!answer.ok) throw new Error(`the forum’s sandbox answered ${answer.status} to ${method} ${path}`)
  return (await answer.json()) as T
}

/** Through the forum's own page, as its person. */
export async function connects({ page }: Window, name: string): Promise<void> {
  await page
    .getByRole('button', { name: /^Connect an(other)?\b/ })
    .first()
    .click()
  await page.waitForURL(/\/sandbox\/reddit\/api\/v1\/authorize/)
  await page.getByLabel(/username/i).fill(name)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(/\/tokenconfirmation/)
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

/** Names of the forum’s subreddits where anybody may post links under any title. */
export async function openSubreddits(origin: string): Promise<string[]> {
  const answer = await fetch(`${origin}/sandbox/reddit/admin/subreddits`)
  const { items } = (await answer.json()) as { items: Place[] }
  const isOpen = ({ access, type, submissionType, requirements }: Place) =>
    access === 'open' &&
    type === 'public' &&
    submissionType === 'any' &&
    !requirements.is_flair_required &&
    requirements.title_text_min_length === null &&
    requirements.title_required_strings.length === 0
  return items.filter(isOpen).map(({ name }) => name)
}

/** Posts a link by the forum's own page, as its person does; answers the post's path there. It takes none to this machine. */
export async function postsByHand(
  origin: string,
  { subreddit, url, ...post }: { subreddit: string; username: string; title: string; url: string },
): Promise<string> {
  const link = url.replace(origin, 'https://fanfare.example')
  const body = new URLSearchParams({ ...post, url: link, resubmit: 'true' })
  const address = `${origin}/sandbox/reddit/r/${subreddit}/submit`
  const answer = await fetch(address, { method: 'POST', body, redirect: 'manual' })
  const path = /\/r\/\w+\/comments\/.+$/.exec(answer.headers.get('location') ?? '')?.[0]
  if (path === undefined) throw new Error(`the forum took no post: ${answer.status} ${await answer.text()}`)
  return path
}

/** Has subreddits tracked, as an operator does. */
export async function tracks(origin: string, database: StoryDatabase, names: string[]): Promise<void> {
  const operator: Person = await joins(origin, 'fan')
  await database.query("update users set role = 'superadmin' where id = $1", [operator.id])
  await apiOf(origin, operator).call(routes.importSubreddits, { body: { names } })
}
