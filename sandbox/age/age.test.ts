import { createHmac } from 'node:crypto'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ageSandbox } from './plugin.ts'

const secret = 'a secret that only the two of them know'
const now = new Date('2026-03-04T05:06:07.000Z')
const seconds = Math.floor(now.getTime() / 1000)
const check = '01890000-0000-7000-8000-00000000beef'
const hmac = (text: string) => createHmac('sha256', secret).update(text).digest('hex')

type Delivery = { body: string; signature: string }
let app: FastifyInstance
let receiver: FastifyInstance
let delivered: Delivery[] = []
beforeAll(async () => {
  receiver = Fastify()
  receiver.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  )
  receiver.post('/result', async (request) => {
    delivered.push({ body: String(request.body), signature: String(request.headers['x-age-signature']) })
    return {}
  })
  const origin = await receiver.listen({ port: 0, host: '127.0.0.1' })
  app = Fastify()
  await app.register(ageSandbox({ secret, webhookUrl: () => `${origin}/result`, now: () => now }), {
    prefix: '/sandbox/age',
  })
})
afterAll(async () => {
  await app?.close()
  await receiver?.close()
})
beforeEach(() => {
  delivered = []
})

const startOf = (change: Partial<Record<'check' | 'return' | 'at', string>> = {}) => {
  const start = { check, return: 'https://site.test/agecheck?a=1', at: String(seconds), ...change }
  return { ...start, signature: hmac(`start.${start.check}.${start.return}.${start.at}`) }
}
const open = (query: Record<string, string>) => app.inject({ url: '/sandbox/age/', query })
const decide = (form: Record<string, string>) =>
  app.inject({
    method: 'POST',
    url: '/sandbox/age/decide',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(form).toString(),
  })
const isSigned = ({ body, signature }: Delivery) =>
  signature === `t=${seconds},v1=${hmac(`result.${seconds}.${body}`)}`

describe('the way there', () => {
  test('opens the page, which runs nothing and leads back to where it was signed for alone', async () => {
    const page = await open(startOf({ return: 'https://site.test/"><script>alert(1)</script>' }))
    expect(page.statusCode).toBe(200)
    expect(page.body).not.toContain('<script')
    expect(page.headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; form-action 'self' https://site.test; base-uri 'none'; frame-ancestors 'none'",
    )
    expect((await app.inject('/sandbox/age/check.css')).headers['content-type']).toContain('text/css')
  })

  test.each([
    ['to another place than signed', { ...startOf(), return: 'https://elsewhere.example/' }, 403],
    ['of another check than signed', { ...startOf(), check: check.replace('beef', 'dead') }, 403],
    ['more than 15 minutes old', startOf({ at: String(seconds - 901) }), 403],
    ['with a script for an address', startOf({ return: 'javascript:alert(1)' }), 400],
    ['without a check', { at: '1' }, 400],
    ['not taken at all', {}, 200],
  ])('%s checks nobody', async (_, query, status) => {
    const page = await open(query as Record<string, string>)
    expect([page.statusCode, page.body.includes('Nothing to check')]).toEqual([status, true])
    const answer = await decide({ ...(query as Record<string, string>), result: 'approved' })
    expect(answer.statusCode).toBeGreaterThanOrEqual(400)
    expect(delivered).toEqual([])
  })
})

describe('a decision', () => {
  test.each([
    ['both', 1, true],
    ['webhook', 1, false],
    ['twice', 2, true],
    ['return', 0, true],
  ])('delivered %s: %i webhooks, with the visitor: %s', async (delivery, webhooks, carried) => {
    const answer = await decide({ ...startOf(), result: 'approved', delivery, lifetime: '1' })
    expect(answer.statusCode).toBe(303)
    const back = new URL(String(answer.headers.location))
    expect([back.origin, back.pathname, back.searchParams.get('a')]).toEqual([
      'https://site.test',
      '/agecheck',
      '1',
    ])
    const brought = {
      body: Buffer.from(back.searchParams.get('result') ?? '', 'base64url').toString(),
      signature: back.searchParams.get('signature') ?? '',
    }
    expect(delivered).toHaveLength(webhooks)
    for (const message of carried ? [...delivered, brought] : delivered) {
      expect(isSigned(message)).toBe(true)
      expect(JSON.parse(message.body)).toEqual({
        check,
        result: 'approved',
        method: 'document',
        expiresAt: '2026-03-05T05:06:07.000Z',
      })
    }
    if (!carried) expect(brought).toEqual({ body: '', signature: '' })
  })

  test.each(['refused', 'expired'])('%s has no end of its own', async (result) => {
    await decide({ ...startOf(), result })
    expect(JSON.parse(delivered[0]?.body ?? '')).toMatchObject({ result, expiresAt: null })
  })

  test('can be signed by somebody else, to be refused', async () => {
    const { headers } = await decide({ ...startOf(), result: 'approved', delivery: 'forged' })
    const back = new URL(String(headers.location)).searchParams
    const body = Buffer.from(back.get('result') ?? '', 'base64url').toString()
    expect(isSigned({ body, signature: back.get('signature') ?? '' })).toBe(false)
    expect(delivered).toEqual([])
  })
})
