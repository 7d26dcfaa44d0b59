import { afterEach, beforeEach, expect, test } from 'vitest'
import { CLIENT, REDIRECT, SCOPES, startForum, type TestForum } from './testing.ts'

let forum: TestForum
beforeEach(async () => {
  forum = await startForum()
})
afterEach(() => forum.close())

const page = (more: Record<string, string> = {}) =>
  forum.send(`/api/v1/authorize?${new URLSearchParams(forum.asked(more))}`)

test('the consent page may send its form on to the client', async () => {
  const response = await page()
  expect(response.status).toBe(200)
  expect(response.headers.get('content-security-policy')).toContain(
    `form-action 'self' ${new URL(REDIRECT).origin};`,
  )
  expect(await response.text()).toContain('name="username"')
})

test.each([
  ['client', { client_id: 'other' }],
  ['redirect address', { redirect_uri: `${REDIRECT}&more=1` }],
  ['response type', { response_type: 'token' }],
  ['scope', { scope: 'identity fly' }],
  ['state', { state: '' }],
])('a wrong %s ends on a page with status 400', async (_name, more) => {
  const response = await page(more)
  expect([response.status, response.headers.get('location')]).toEqual([400, null])
})

test('declining leads back with an error and no code', async () => {
  const response = await forum.decide({ decision: 'decline' })
  expect(response.headers.get('location')).toBe(`${REDIRECT}&state=state-1&error=access_denied#_`)
})

test('a name that is not well formed stays on the page', async () => {
  expect((await forum.decide({ username: 'a b' })).status).toBe(400)
})

test('a code works once, and a refresh repeats the refresh token', async () => {
  const response = await forum.decide({ username: 'Ann_Baker' })
  const back = new URL(response.headers.get('location') ?? '')
  expect([back.searchParams.get('state'), back.hash]).toEqual(['state-1', '#_'])
  const fields = {
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') ?? '',
    redirect_uri: REDIRECT,
  }
  const first = await forum.token(fields)
  expect(first.body).toMatchObject({ token_type: 'bearer', expires_in: 86_400, scope: SCOPES })
  expect(await forum.token(fields)).toEqual({ status: 200, body: { error: 'invalid_grant' } })
  const refreshed = await forum.token({
    grant_type: 'refresh_token',
    refresh_token: first.body.refresh_token,
  })
  expect(refreshed.body.refresh_token).toBe(first.body.refresh_token)
})

test('a code is over after ten minutes', async () => {
  const response = await forum.decide({ username: 'Ann_Baker' })
  const code = new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? ''
  forum.advance(600)
  const { body } = await forum.token({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT })
  expect(body).toEqual({ error: 'invalid_grant' })
})

test('a temporary grant has no refresh token', async () => {
  const response = await forum.decide({ username: 'Ann_Baker', duration: 'temporary' })
  const code = new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const { body } = await forum.token({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT })
  expect(Object.keys(body)).not.toContain('refresh_token')
})

test('a wrong secret is 401, a bad refresh token 400, an unknown grant 200', async () => {
  const wrong = await forum.send('/api/v1/access_token', {
    fields: { grant_type: 'client_credentials' },
    headers: { authorization: `Basic ${btoa(`${CLIENT.id}:wrong`)}` },
  })
  expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="reddit"'])
  expect((await forum.token({ grant_type: 'refresh_token', refresh_token: 'nothing' })).status).toBe(400)
  expect(await forum.token({ grant_type: 'magic' })).toEqual({
    status: 200,
    body: { error: 'unsupported_grant_type' },
  })
})

test('revoking a refresh token ends its access tokens; the answer is empty', async () => {
  const ann = await forum.connect('Ann_Baker')
  const response = await forum.send('/api/v1/revoke_token', {
    fields: { token: ann.refreshToken },
    headers: forum.basic,
  })
  expect([response.status, await response.text()]).toEqual([200, ''])
  const refused = await ann.raw('/api/v1/me')
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
    401,
    'Bearer realm="reddit", error="invalid_token"',
  ])
})

test('the operator expires access tokens, or revokes everything', async () => {
  const ann = await forum.connect('Ann_Baker')
  const refresh = () => forum.token({ grant_type: 'refresh_token', refresh_token: ann.refreshToken })
  await forum.admin('POST', '/tokens/expire', { account: 'Ann_Baker' })
  expect((await ann.raw('/api/v1/me')).status).toBe(401)
  expect((await refresh()).status).toBe(200)
  await forum.admin('POST', '/tokens/revoke', { account: 'Ann_Baker' })
  expect((await refresh()).status).toBe(400)
})

test('a missing scope is 403 and says so', async () => {
  const ann = await forum.connect('Ann_Baker', 'identity')
  const response = await ann.raw('/r/Gardens/about')
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([
    403,
    'Bearer realm="reddit", error="insufficient_scope"',
  ])
})

test('an application-only token has no user', async () => {
  const { body } = await forum.token({ grant_type: 'client_credentials' })
  const response = await forum.send('/api/v1/me', {
    headers: { authorization: `bearer ${body.access_token}` },
  })
  expect([response.status, (await response.json()).json.errors[0][0]]).toEqual([200, 'USER_REQUIRED'])
})
