import fastify from 'fastify'
import { redditSandbox } from './plugin.ts'

export const CLIENT = {
  id: 'testClient',
  secret: 'testSecret',
  redirectUris: ['http://127.0.0.1:9/back?from=forum'],
}
export const REDIRECT = CLIENT.redirectUris[0] ?? ''
export const AGENT = 'test:forum.sandbox:1.0 (by /u/example_owner)'
export const SCOPES = 'identity submit flair read privatemessages mysubreddits history edit'

type Fields = Record<string, string>

/** A forum on a port of its own, with a clock that stands until it's moved. */
export async function startForum() {
  let now = Date.UTC(2026, 10, 21, 12)
  const app = fastify()
  await app.register(redditSandbox({ store: ':memory:', now: () => new Date(now), client: CLIENT }), {
    prefix: '/sandbox/reddit',
  })
  const base = `${await app.listen({ port: 0, host: '127.0.0.1' })}/sandbox/reddit`

  /** The raw answer to one call of either host; fields make it a form. */
  const send = (path: string, options: { fields?: Fields; headers?: Fields } = {}) =>
    fetch(base + path, {
      headers: { 'user-agent': AGENT, ...options.headers },
      redirect: 'manual',
      ...(options.fields ? { method: 'POST', body: new URLSearchParams(options.fields) } : {}),
    })

  const basic = { authorization: `Basic ${btoa(`${CLIENT.id}:${CLIENT.secret}`)}` }
  const asked = (more: Fields = {}) => ({
    client_id: CLIENT.id,
    response_type: 'code',
    state: 'state-1',
    redirect_uri: REDIRECT,
    scope: SCOPES,
    duration: 'permanent',
    ...more,
  })
  const decide = (more: Fields) =>
    send('/api/v1/authorize', { fields: { ...asked(), decision: 'allow', ...more } })
  const token = async (fields: Fields) => {
    const response = await send('/api/v1/access_token', { fields, headers: basic })
    return { status: response.status, body: await response.json() }
  }

  /** Consents as this account and gives its tokens, and calls made with them. */
  async function connect(username: string, scope = SCOPES) {
    const response = await decide({ username, scope })
    const code = new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? ''
    const { body } = await token({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT })
    const headers = { authorization: `bearer ${body.access_token}` }
    const raw = (path: string, fields?: Fields) => send(path, { headers, ...(fields ? { fields } : {}) })
    const get = async (path: string) => (await raw(path)).json()
    const post = async (path: string, fields: Fields) =>
      (await raw(path, { api_type: 'json', ...fields })).json()
    const submit = (fields: Fields) =>
      post('/api/submit', { kind: 'self', sr: 'Lanterns', title: 'A lamp', ...fields })
    return { accessToken: body.access_token, refreshToken: body.refresh_token, raw, get, post, submit }
  }

  async function admin(method: string, path: string, body?: object) {
    const response = await fetch(`${base}/admin${path}`, {
      method,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return response.json()
  }

  return {
    base,
    basic,
    asked,
    send,
    decide,
    token,
    connect,
    admin,
    advance(seconds: number): void {
      now += seconds * 1000
    },
    close: () => app.close(),
  }
}

export type TestForum = Awaited<ReturnType<typeof startForum>>
