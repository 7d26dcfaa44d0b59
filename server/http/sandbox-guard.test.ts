import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Harness, startHarness } from '../testing/harness.ts'
import { sandboxRoutes } from '../testing/sandbox-routes.ts'
import { buildAccount, PASSWORD } from '../testing/security.ts'

const TOKEN = 'only the operator knows it'
let open: Harness
let guarded: Harness
beforeAll(async () => {
  ;[open, guarded] = await Promise.all([
    startHarness({ mountSandboxes: true }),
    startHarness({ mountSandboxes: true, environment: { HOST: '0.0.0.0', SANDBOX_TOKEN: TOKEN } }),
  ])
})
afterAll(() => Promise.all([open?.stop(), guarded?.stop()]))

const portOf = ({ origin }: Harness) => new URL(origin).port

type Answer = { status: number; body: string; headers: Record<string, string | string[] | undefined> }

/** A request as somebody at this address would send it, with any Host header. */
function send(
  harness: Harness,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  const { method = 'GET', headers = {}, body } = options
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: portOf(harness), path, method, headers }, (answer) => {
      let text = ''
      answer.on('data', (chunk) => {
        text += chunk
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: text, headers: answer.headers }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Pages and calls of the sandboxes, with the effect of reaching them. */
const REACHED: [method: string, path: string, status: number][] = [
  ['GET', '/sandbox/clock', 200],
  ['POST', '/sandbox/clock', 400],
  ['GET', '/sandbox/clock/', 200],
  ['GET', '/sandbox/clock/clock.css', 200],
  ['POST', '/sandbox/clock/move', 400],
  ['GET', '/sandbox/mail/', 200],
  ['GET', '/sandbox/mail/messages', 200],
  ['GET', '/sandbox/mail/mailbox.css', 200],
  ['GET', '/sandbox/authorizenet/', 200],
  ['GET', '/sandbox/authorizenet/v1/Accept.js', 200],
  ['GET', '/sandbox/authorizenet/v1/AcceptCore.js', 200],
  ['POST', '/sandbox/authorizenet/xml/v1/request.api', 200],
  ['GET', '/sandbox/authorizenet/admin/transactions', 200],
  ['GET', '/sandbox/age/', 200],
]

test('nothing that a sandbox mounts is open to strangers, with a token and without', async () => {
  const mounted = await sandboxRoutes(open.context)
  expect(mounted.length).toBeGreaterThan(REACHED.length)
  for (const { method, url } of mounted) {
    const path = url.replaceAll(/:\w+/g, '1').replace('*', 'x')
    const what = `${method} ${url}`
    for (const harness of [open, guarded])
      expect(harness.server.app.hasRoute({ method, url }), what).toBe(true)
    // A HEAD answer has no body that names the refusal.
    const refusal = ({ status, body }: Answer) => [
      status,
      ...(method === 'HEAD' ? [] : [JSON.parse(body).code]),
    ]
    const refused = (status: number, code: string) => [status, ...(method === 'HEAD' ? [] : [code])]
    const elsewhere = await send(open, path, { method, headers: { host: 'fanfare.example' } })
    expect(refusal(elsewhere), what).toEqual(refused(404, 'not_found'))
    const unproven = await send(guarded, path, { method })
    expect(refusal(unproven), what).toEqual(refused(401, 'sandbox_token_missing'))
  }
})

/** The ways to come from elsewhere though the connection comes from this machine. */
const ELSEWHERE: Record<string, string>[] = [
  { host: 'fanfare.example' },
  { host: 'localhost.evil.example' },
  { 'x-forwarded-for': '203.0.113.9' },
  { forwarded: 'for=203.0.113.9' },
  { via: '1.1 proxy' },
]

describe('without a token the sandbox is for this machine', () => {
  test.each([
    ['127.0.0.1', 200],
    ['::ffff:127.0.0.1', 200],
    ['::1', 200],
    ['203.0.113.9', 404],
    ['::ffff:203.0.113.9', 404],
    ['2001:db8::1', 404],
  ])('and so not for who calls from elsewhere by a name of it: from %s %i', async (remoteAddress, status) => {
    const { statusCode } = await open.server.app.inject({
      url: '/sandbox/mail/',
      headers: { host: 'localhost' },
      remoteAddress,
    })
    expect(statusCode).toBe(status)
  })

  test.each(REACHED)('%s %s answers here', async (method, path, status) => {
    expect((await send(open, path, { method })).status).toBe(status)
  })

  test.each(REACHED)('%s %s is not there for anybody else', async (method, path) => {
    for (const headers of ELSEWHERE) {
      const { status, body } = await send(open, path, { method, headers })
      expect([status, JSON.parse(body).code], JSON.stringify(headers)).toEqual([404, 'not_found'])
    }
  })
})

describe('a sample account', () => {
  async function logIn(harness: Harness, headers: Record<string, string>, isSample = true) {
    const { id, email } = await buildAccount(harness, { role: 'superadmin' })
    const { db } = harness.context
    await db.updateTable('users').set({ is_sample: isSample }).where('id', '=', id).execute()
    const countSessions = async () =>
      (await db.selectFrom('sessions').select('id').where('user_id', '=', id).execute()).length
    const before = await countSessions()
    const answer = await send(harness, '/api/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ email, password: PASSWORD }),
    })
    return [answer.status, JSON.parse(answer.body).code, (await countSessions()) - before]
  }

  test('is logged in to from this machine alone while everybody knows its password', async () => {
    expect(await logIn(open, {})).toEqual([200, undefined, 1])
    for (const headers of ELSEWHERE) {
      const what = JSON.stringify(headers)
      expect(await logIn(open, headers), what).toEqual([403, 'sample_account_elsewhere', 0])
      expect(await logIn(open, headers, false), what).toEqual([200, undefined, 1])
    }
  })

  test('has a password of its own with a token, and then is logged in to from everywhere', async () => {
    for (const headers of ELSEWHERE) expect(await logIn(guarded, headers)).toEqual([200, undefined, 1])
  })
})

describe('a page of another origin in a browser on this machine', () => {
  const page = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const form = { ...page, 'content-type': 'application/x-www-form-urlencoded' }

  test.each([
    '/sandbox/clock',
    '/sandbox/clock/move',
    '/sandbox/clock/stop',
    '/sandbox/age/decide',
    '/sandbox/authorizenet/admin/settle',
    '/sandbox/authorizenet/admin/faults',
    '/sandbox/authorizenet/admin/settings',
    '/sandbox/authorizenet/admin/transactions/1/approve',
  ])('posts nothing to %s', async (path) => {
    for (const headers of [form, { ...form, origin: 'null' }, { origin: 'https://evil.example' }]) {
      const { status, body } = await send(open, path, { method: 'POST', headers })
      expect([status, JSON.parse(body).code]).toEqual([403, 'other_origin'])
    }
  })

  test('reads nothing; only the gateway’s script and wire are for every origin, as the card frame needs them', async () => {
    const readable = async (method: string, path: string) => {
      const { headers } = await send(open, path, { method, headers: { ...page, origin: 'null' } })
      return headers['access-control-allow-origin'] !== undefined
    }
    const found: string[] = []
    for (const [method, path] of REACHED) if (await readable(method, path)) found.push(path)
    expect(found).toEqual([
      '/sandbox/authorizenet/v1/Accept.js',
      '/sandbox/authorizenet/v1/AcceptCore.js',
      '/sandbox/authorizenet/xml/v1/request.api',
    ])
  })
})

describe('beside a real service', () => {
  const FORUM = {
    REDDIT_CLIENT_ID: 'client-of-ours',
    REDDIT_CLIENT_SECRET: 'secret',
    REDDIT_USER_AGENT: 'web:fanfare.test:1.0.0 (by /u/fanfare)',
  }
  test.each<[what: string, environment: Record<string, string>]>([
    ['mail', { SMTP_URL: 'smtp://127.0.0.1:25', SANDBOX: 'payments,age' }],
    ['forum', { ...FORUM, SANDBOX: 'payments,mail,age' }],
  ])('of %s the sandbox gateway is there, and no clock to move', async (_what, environment) => {
    const harness = await startHarness({ mountSandboxes: true, environment })
    try {
      const gateway = await send(harness, '/sandbox/authorizenet/')
      expect([gateway.status, gateway.body.includes('/sandbox/clock/')]).toEqual([200, false])
      expect((await send(open, '/sandbox/authorizenet/')).body).toContain('/sandbox/clock/')
      const offset = harness.clock.offset()
      for (const [method, path] of REACHED.filter(([, one]) => one.startsWith('/sandbox/clock')))
        expect((await send(harness, path, { method })).status, path).toBe(404)
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ advanceSeconds: 3600 })
      expect((await send(harness, '/sandbox/clock', { method: 'POST', headers, body })).status).toBe(404)
      expect(harness.clock.offset()).toBe(offset)
    } finally {
      await harness.stop()
    }
  })
})

describe('with a token', () => {
  test.each(REACHED)('%s %s asks for it', async (method, path, status) => {
    for (const headers of [{}, { 'x-sandbox-token': 'guessed' }, { cookie: 'sandbox=guessed' }]) {
      const refused = await send(guarded, path, { method, headers })
      expect([refused.status, JSON.parse(refused.body).code]).toEqual([401, 'sandbox_token_missing'])
    }
    expect((await send(guarded, `${path}?token=guessed`, { method })).status).toBe(401)
    expect((await send(guarded, `${path}?token=${encodeURIComponent(TOKEN)}`, { method })).status).toBe(
      method === 'GET' ? 303 : status,
    )
    const { status: let_in } = await send(guarded, path, { method, headers: { 'x-sandbox-token': TOKEN } })
    expect(let_in).toBe(status)
  })

  test('a browser shows it once: in the address, which forgets it, or in the form', async () => {
    const html = { accept: 'text/html' }
    const asked = await send(guarded, '/sandbox/mail/?to=ada', { headers: html })
    expect([asked.status, asked.body.includes('Sandbox token')]).toEqual([401, true])
    const byAddress = await send(guarded, `/sandbox/mail/?to=ada&token=${encodeURIComponent(TOKEN)}`, {
      headers: html,
    })
    const form = (token: string, to: string) =>
      send(guarded, '/sandbox/enter', {
        method: 'POST',
        headers: { ...html, 'content-type': 'application/x-www-form-urlencoded' },
        body: String(new URLSearchParams({ token, to })),
      })
    const byForm = await form(TOKEN, '/sandbox/mail/')
    for (const [answer, to] of [
      [byAddress, '/sandbox/mail/?to=ada'],
      [byForm, '/sandbox/mail/'],
    ] as const) {
      expect([answer.status, answer.headers.location]).toEqual([303, to])
      const [cookie = ''] = String(answer.headers['set-cookie']).split(';')
      expect(cookie).not.toContain(TOKEN)
      expect((await send(guarded, '/sandbox/mail/messages', { headers: { cookie } })).status).toBe(200)
    }
    expect((await form('guessed', '/sandbox/mail/')).status).toBe(401)
    expect((await form(TOKEN, 'https://elsewhere.example/')).headers.location).toBe('/sandbox/mail/')
  })

  test('the card frame gets a ticket for the gateway’s script alone, and only a browser that is in', async () => {
    const scriptIn = async (cookie: string) =>
      /data-script-url="([^"]+)"/.exec(
        (await send(guarded, '/card-frame', { headers: { cookie } })).body,
      )?.[1] ?? ''
    expect(await scriptIn('')).not.toContain('~')
    const entered = await send(guarded, `/sandbox/clock?token=${encodeURIComponent(TOKEN)}`)
    const [cookie = ''] = String(entered.headers['set-cookie']).split(';')
    const { pathname } = new URL(await scriptIn(cookie))
    expect(pathname).toMatch(/^\/sandbox\/~[^/]+\/authorizenet\/v1\/Accept\.js$/)
    expect((await send(guarded, pathname)).status).toBe(200)
    const ticketed = (path: string) => pathname.replace(/authorizenet.*/, path)
    const api = { method: 'POST', body: '{}' }
    expect((await send(guarded, ticketed('authorizenet/xml/v1/request.api'), api)).status).toBe(200)
    for (const path of ['mail/messages', 'clock', 'authorizenet/admin/transactions', 'authorizenet/'])
      expect((await send(guarded, ticketed(path))).status, path).toBe(401)
    guarded.clock.advance(2 * 3600 * 1000)
    expect((await send(guarded, pathname)).status).toBe(401)
  })
})
