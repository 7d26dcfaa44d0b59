import { z } from 'zod'
import type { Forum, Published } from '../port.ts'
import { text } from './answers.ts'
import { deleteThing, malformed, type Received, type RedditClient, write } from './client.ts'

/** An entry of `json.errors`: code, words, field. */
const Refusals = z.object({
  json: z.object({
    errors: z.array(z.tuple([text(100), text(500).nullable()]).rest(z.unknown())).min(1),
    ratelimit: z.number().nullish(),
  }),
})
/** The other shape of a refusal, with status 400. */
const Requirement = z.object({ reason: text(100), explanation: text(500).nullish() })

const Submitted = z.object({
  json: z.object({
    errors: z.array(z.unknown()).length(0),
    data: z.object({ id: z.string().regex(/^[a-z0-9]{1,20}$/), url: z.string().max(2000) }),
  }),
})
const Commented = z.object({ json: z.object({ errors: z.array(z.unknown()).length(0) }) })

/** Publishes as an account; each call is sent once (docs/forum-wire.md, Publishing). */
export function publishing(client: RedditClient): Pick<Forum, 'submit' | 'comment' | 'reply' | 'deletePost'> {
  return {
    async submit({ subreddit, title, url, flairId, flairText, isNsfw, isRepeated }, accessToken) {
      const flair =
        flairId === null ? {} : { flair_id: flairId, ...(flairText ? { flair_text: flairText } : {}) }
      const form = {
        sr: subreddit,
        kind: 'link',
        title,
        url,
        nsfw: String(isNsfw),
        sendreplies: 'true',
        validate_on_submit: 'true',
        ...(isRepeated ? { resubmit: 'true' } : {}),
      }
      const path = '/api/submit'
      const asked = { path, accessToken, priority: 'publishing' as const }
      const received = await write(client, { ...asked, form: { ...form, ...flair } })
      if ('kind' in received) return received
      const refusal = refusalIn(received)
      if (refusal) return refusal
      const parsed = received.status === 200 ? Submitted.safeParse(received.json) : undefined
      if (!parsed?.success) return unreadable(client, path, received, parsed?.error)
      const { id, url: address } = parsed.data.json.data
      const permalink = URL.canParse(address) ? new URL(address).pathname : `/comments/${id}`
      return { kind: 'published', value: { id, permalink } }
    },

    deletePost: (id, accessToken) =>
      deleteThing(client, { path: '/api/del', id: `t3_${id}`, accessToken, priority: 'background' }),

    comment: ({ postId, text: comment }, accessToken) =>
      answerTo(client, { thing: `t3_${postId}`, text: comment, accessToken }),

    reply: ({ name, text: reply }, accessToken) =>
      answerTo(client, { thing: name, text: reply, accessToken }),
  }
}

/** Answers what has this fullname. The id that comes back is left alone: of messages it may mean nothing. */
async function answerTo(
  client: RedditClient,
  { thing, text: answer, accessToken }: { thing: string; text: string; accessToken: string },
): Promise<Published<null>> {
  const path = '/api/comment'
  const form = { thing_id: thing, text: answer }
  const received = await write(client, { path, accessToken, form, priority: 'publishing' })
  if ('kind' in received) return received
  const refusal = refusalIn(received)
  if (refusal) return refusal
  const parsed = received.status === 200 ? Commented.safeParse(received.json) : undefined
  if (!parsed?.success) return unreadable(client, path, received, parsed?.error)
  return { kind: 'published', value: null }
}

/** An answer that can't be read may stand for a post that is up. */
function unreadable(
  client: RedditClient,
  path: string,
  { status }: Received,
  error?: z.ZodError,
): Published<never> {
  malformed(client, path, status, error)
  return { kind: 'doubt', detail: `status ${status}` }
}

const DEFAULT_LIMIT_SECONDS = 600
const MAX_LIMIT_SECONDS = 24 * 3600

function refusalIn({ status, json }: Received): Published<never> | null {
  const listed = status === 200 ? Refusals.safeParse(json) : undefined
  if (listed?.success) {
    const { errors, ratelimit } = listed.data.json
    const [code, words] = errors.find(([each]) => LIMITS.has(each)) ?? errors[0] ?? ['UNKNOWN', null]
    const of = LIMITS.get(code)
    if (of) return { kind: 'limited', of, retryAfterSeconds: limitSeconds(ratelimit ?? waitIn(words ?? '')) }
    return { kind: 'refused', code, message: words ?? '' }
  }
  // A page in place of JSON says nothing of the post, which may be up.
  if (json === undefined) return null
  if (status === 400) {
    const { data } = Requirement.safeParse(json)
    return { kind: 'refused', code: data?.reason ?? 'BAD_REQUEST', message: data?.explanation ?? '' }
  }
  if (status === 403 || status === 404 || status === 413) {
    const { data } = Requirement.safeParse(json)
    const code = status === 403 ? 'FORBIDDEN' : status === 404 ? 'SUBREDDIT_NOEXIST' : 'TOO_LONG'
    return { kind: 'refused', code: data?.reason ?? code, message: data?.explanation ?? '' }
  }
  return null
}

const LIMITS = new Map<string, 'account' | 'subreddit'>([
  ['RATELIMIT', 'account'],
  ['SUBREDDIT_RATELIMIT', 'subreddit'],
])

/** The wait that the words of a limit name, in seconds: “wait for 9 minutes”. */
export function waitIn(words: string): number | null {
  const [, number, unit] = /(\d{1,3}) (millisecond|second|minute|hour)/i.exec(words) ?? []
  if (!number || !unit) return null
  const seconds = { millisecond: 0.001, second: 1, minute: 60, hour: 3600 }[unit.toLowerCase()] ?? 60
  return Number(number) * seconds
}

const limitSeconds = (seconds: number | null) =>
  seconds === null || !Number.isFinite(seconds) || seconds < 0
    ? DEFAULT_LIMIT_SECONDS
    : Math.min(Math.max(Math.ceil(seconds), 1), MAX_LIMIT_SECONDS)
