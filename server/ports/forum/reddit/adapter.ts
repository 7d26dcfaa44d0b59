import type { Answer, Asker, Failure, Forum, GrantRefused, Tokens } from '../port.ts'
import {
  FlairTemplates,
  Found,
  Identity,
  Requirements,
  Rules,
  Subreddit,
  TokenAnswer,
  TokenRefusal,
} from './answers.ts'
import { callAsClient, malformed, type RedditClient, read } from './client.ts'
import { messaging } from './messages.ts'
import { Comments, Posts } from './posts.ts'
import { publishing } from './publishing.ts'

/** The permissions that we ask an account's person for (docs/forum-wire.md, Permissions). */
const SCOPES = ['identity', 'submit', 'flair', 'read', 'privatemessages', 'mysubreddits', 'history', 'edit']

/** A token this close to its end is renewed first, in milliseconds. */
const ALMOST_OVER_MS = 60_000

/** Speaks Reddit's wire with the client's account; `redirectUri` is the page that its person comes back to. */
export function reddit(client: RedditClient & { redirectUri: string }): Forum {
  const { redirectUri } = client
  const ofAnybody = anybodysToken(client)

  /** Asks with the product's own token, which may have ended before its time. */
  async function asAnybody<A extends { kind: string }>(
    ask: (accessToken: string) => Promise<A>,
  ): Promise<A | Failure> {
    const token = await ofAnybody(null)
    if (token.kind !== 'answered') return token
    const answer = await ask(token.value)
    if (answer.kind !== 'unauthorized') return answer
    const renewed = await ofAnybody(token.value)
    if (renewed.kind !== 'answered') return renewed
    const again = await ask(renewed.value)
    // No account is behind this token, so that nobody could mend it by connecting again.
    return again.kind === 'unauthorized'
      ? { kind: 'misconfigured', detail: 'a new token isn’t taken' }
      : again
  }

  const askAs = <A extends { kind: string }>(asker: Asker, ask: (accessToken: string) => Promise<A>) =>
    asker === 'anybody' ? asAnybody(ask) : ask(asker.accessToken)

  const publish = publishing(client)
  const about = (name: string) => `/r/${encodeURIComponent(name)}/about`
  return {
    ...publish,
    ...messaging(client, asAnybody),
    pageUrl: (path) => `${client.consentUrl}${path}`,

    async submissions(name, accessToken, priority) {
      const path = `/user/${encodeURIComponent(name)}/submitted?sort=new&limit=100`
      return ofAccount(await read(client, { path, accessToken, priority, schema: Posts }))
    },

    async comments(postId, accessToken) {
      const sorted = async (sort: 'old' | 'new') => {
        const path = `/comments/${encodeURIComponent(postId)}?sort=${sort}&limit=100&depth=1`
        return ofAccount(await read(client, { path, accessToken, priority: 'publishing', schema: Comments }))
      }
      // Ours is among the first; sent again much later, among the latest.
      const first = await sorted('old')
      if (first.kind !== 'answered') return first
      if (first.value.isWhole) return { kind: 'answered', value: first.value.comments }
      const latest = await sorted('new')
      if (latest.kind !== 'answered') return latest
      return { kind: 'answered', value: [...first.value.comments, ...latest.value.comments] }
    },

    async posts(ids, asker, priority) {
      const path = `/api/info?id=${ids.map((id) => `t3_${id}`).join(',')}`
      const ask = (accessToken: string) => read(client, { path, accessToken, priority, schema: Posts })
      return ofAccount(await askAs(asker, ask))
    },

    authorizeUrl(state) {
      const url = new URL(`${client.consentUrl}/api/v1/authorize`)
      url.search = new URLSearchParams({
        client_id: client.clientId,
        response_type: 'code',
        state,
        redirect_uri: redirectUri,
        duration: 'permanent',
        scope: SCOPES.join(' '),
      }).toString()
      return url.href
    },

    async exchange(code) {
      const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri }
      const answer = await tokens(client, form)
      if (answer.kind !== 'answered') return answer
      const { scopes, ...value } = answer.value
      const complete = scopes.has('*') || SCOPES.every((scope) => scopes.has(scope))
      return { kind: 'answered', value: { ...value, complete } }
    },

    async renew(refreshToken) {
      const answer = await tokens(client, { grant_type: 'refresh_token', refresh_token: refreshToken })
      if (answer.kind !== 'answered') return answer
      const { scopes: _, ...value } = answer.value
      // An answer without one means that the old one stays.
      return { kind: 'answered', value: { ...value, refreshToken: value.refreshToken || refreshToken } }
    },

    async revoke(refreshToken) {
      const form = { token: refreshToken, token_type_hint: 'refresh_token' }
      const received = await callAsClient(client, '/api/v1/revoke_token', form)
      if ('kind' in received) return received
      if ([200, 204].includes(received.status)) return { kind: 'answered', value: null }
      return malformed(client, '/api/v1/revoke_token', received.status)
    },

    async identity(accessToken) {
      return ofAccount(
        await read(client, { path: '/api/v1/me', accessToken, priority: 'interactive', schema: Identity }),
      )
    },

    takeLookUp: (person) => client.budget.takeShare(person, client.now()),

    async subreddit(name, priority) {
      const path = about(name)
      const answer = await asAnybody((accessToken) =>
        read(client, { path, accessToken, priority, schema: Subreddit }),
      )
      if (answer.kind !== 'answered' || answer.value.name.toLowerCase() === name.toLowerCase()) return answer
      return malformed(client, path, 200)
    },

    rules: (name, priority) =>
      asAnybody((accessToken) =>
        read(client, { path: `${about(name)}/rules`, accessToken, priority, schema: Rules }),
      ),

    async flair(name, accessToken, priority) {
      const path = `/r/${encodeURIComponent(name)}/api/link_flair_v2`
      const answer = await read(client, { path, accessToken, priority, schema: FlairTemplates })
      return answer.kind === 'forbidden' ? { kind: 'answered', value: [] } : answer
    },

    requirements(name, accessToken, priority) {
      const path = `/api/v1/${encodeURIComponent(name)}/post_requirements`
      return read(client, { path, accessToken, priority, schema: Requirements })
    },

    async search({ text, after, count, limit }, asker) {
      const query = new URLSearchParams({ q: text, limit: String(limit), include_over_18: 'true' })
      if (after !== undefined) {
        query.set('after', after)
        query.set('count', String(count))
      }
      const ask = (accessToken: string) =>
        read(client, {
          path: `/subreddits/search?${query}`,
          accessToken,
          priority: 'interactive',
          schema: Found,
        })
      return ofAccount(await askAs(asker, ask))
    },
  }
}

/** An answer to a call that names no subreddit, so that what is said of one can't be meant. */
function ofAccount<T>(answer: Answer<T, { kind: 'private' | 'gone' | 'banned' | 'quarantined' }>): Answer<T> {
  switch (answer.kind) {
    case 'private':
    case 'quarantined':
      return { kind: 'forbidden' }
    case 'gone':
    case 'banned':
      return { kind: 'malformed', detail: 'not found' }
    default:
      return answer
  }
}

type Granted = Tokens & { scopes: ReadonlySet<string> }

/** Has tokens made. A refused grant comes as 400, or with status 200 as an `error`. */
async function tokens(
  client: RedditClient,
  form: Record<string, string>,
): Promise<Answer<Granted, GrantRefused>> {
  const path = '/api/v1/access_token'
  const received = await callAsClient(client, path, form)
  if ('kind' in received) return received
  const { status, json } = received
  if (status === 400) return { kind: 'grant-refused' }
  if (status !== 200) return malformed(client, path, status)
  const refusal = TokenRefusal.safeParse(json)
  if (refusal.success) {
    const isGrant = ['invalid_grant', 'invalid_request', 'access_denied'].includes(refusal.data.error)
    return isGrant ? { kind: 'grant-refused' } : { kind: 'misconfigured', detail: refusal.data.error }
  }
  const parsed = TokenAnswer.safeParse(json)
  if (!parsed.success) return malformed(client, path, status, parsed.error)
  const { access_token, refresh_token = '', expires_in, scope } = parsed.data
  const expiresAt = new Date(client.now().getTime() + expires_in * 1000)
  const scopes = new Set(scope.split(/[ ,]+/))
  return {
    kind: 'answered',
    value: { accessToken: access_token, refreshToken: refresh_token, expiresAt, scopes },
  }
}

/** The token of the product itself, kept until it is almost over; several callers wait for the same one. */
function anybodysToken(client: RedditClient) {
  let kept: { token: string; expiresAt: Date } | null = null
  let underWay: Promise<Answer<string>> | null = null

  async function fetchToken(): Promise<Answer<string>> {
    const answer = await tokens(client, { grant_type: 'client_credentials' })
    if (answer.kind === 'grant-refused')
      return { kind: 'misconfigured', detail: 'no token without an account' }
    if (answer.kind !== 'answered') return answer satisfies Failure
    const { accessToken, expiresAt } = answer.value
    kept = { token: accessToken, expiresAt }
    return { kind: 'answered', value: accessToken }
  }

  /** A token that is good, other than the one that the forum refused. */
  return (refused: string | null): Promise<Answer<string>> => {
    const now = client.now().getTime()
    if (kept && kept.token !== refused && kept.expiresAt.getTime() - now > ALMOST_OVER_MS)
      return Promise.resolve({ kind: 'answered', value: kept.token })
    underWay ??= fetchToken().finally(() => {
      underWay = null
    })
    return underWay
  }
}
