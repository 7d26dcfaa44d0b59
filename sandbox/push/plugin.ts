import { createPublicKey, randomUUID, verify } from 'node:crypto'
import type { FastifyPluginAsync } from 'fastify'

/**
 * The largest message that a push service accepts (RFC 8030 §7.2): 4096 bytes of payload, with what encryption adds.
 */
const MAX_BYTES = 4096
/** How many messages are kept; the oldest go first. */
const CAPACITY = 1000
const RETRY_AFTER_SECONDS = 120

type Kept = { subscription: string; topic: string | null; ttl: number; urgency: string; body: string }

/** How subscriptions are answered whose name begins like this. */
const MISBEHAVING: Record<string, { status: number; headers?: Record<string, string> }> = {
  gone: { status: 410 },
  unknown: { status: 404 },
  busy: { status: 429, headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } },
  down: { status: 503 },
  moved: { status: 307, headers: { location: 'http://127.0.0.1:9/' } },
}

/**
 * The stand-in for a push service (RFC 8030): messages for `POST /send/<name>` are kept as they come, encrypted, and
 * listed by `GET /messages?subscription=<name>`. A later one with the same topic takes an earlier one's place.
 */
export function pushSandbox(): FastifyPluginAsync {
  return async (app) => {
    let kept: Kept[] = []
    app.addContentTypeParser(
      'application/octet-stream',
      { parseAs: 'buffer', bodyLimit: 1024 * 1024 },
      (_request, body, done) => done(null, body),
    )

    app.post<{ Params: { name: string } }>('/send/:name', (request, reply) => {
      const { name } = request.params
      const { authorization = '', ttl, topic, urgency = 'normal' } = request.headers as Record<string, string>
      const [, token, key] = /^vapid t=([^,]+), ?k=(\S+)$/.exec(authorization) ?? []
      if (!token || !key) return reply.code(401).send()
      if (!isSigned({ token, key, host: request.host, now: Date.now() })) return reply.code(403).send()
      if (ttl === undefined || !/^\d+$/.test(ttl)) return reply.code(400).send()
      if (topic !== undefined && !/^[\w-]{1,32}$/.test(topic)) return reply.code(400).send()
      const body = request.body as Buffer
      if (body.length > MAX_BYTES) return reply.code(413).send()
      const refusal = MISBEHAVING[name.split('-')[0] ?? '']
      if (refusal)
        return reply
          .code(refusal.status)
          .headers(refusal.headers ?? {})
          .send()
      const message = { subscription: name, topic: topic ?? null, ttl: Number(ttl), urgency }
      kept = kept.filter((one) => one.subscription !== name || one.topic === null || one.topic !== topic)
      kept = [...kept, { ...message, body: body.toString('base64url') }].slice(-CAPACITY)
      return reply.code(201).header('location', `${app.prefix}/message/${randomUUID()}`).send()
    })

    app.get<{ Querystring: { subscription?: string } }>('/messages', (request, reply) => {
      const { subscription } = request.query
      const items = kept.filter((one) => subscription === undefined || one.subscription === subscription)
      return reply.header('cache-control', 'no-store').send({ items })
    })
  }
}

/** The longest that a signature may hold, in seconds. */
const DAY_SECONDS = 24 * 3600

/** Whether the holder of this key signed for this push service, and for no longer than a day (RFC 8292 §2). */
function isSigned({
  token,
  key,
  host,
  now,
}: {
  token: string
  key: string
  host: string
  now: number
}): boolean {
  try {
    const [header = '', claims = '', signature = ''] = token.split('.')
    const read = (part: string) =>
      JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
    const point = Buffer.from(key, 'base64url')
    const x = point.toString('base64url', 1, 33)
    const y = point.toString('base64url', 33)
    const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
    const { aud, exp } = read(claims)
    const seconds = Number(exp) - now / 1000
    return (
      read(header).alg === 'ES256' &&
      new URL(String(aud)).host === host &&
      seconds > 0 &&
      seconds <= DAY_SECONDS &&
      verify(
        'sha256',
        Buffer.from(`${header}.${claims}`),
        { key: publicKey, dsaEncoding: 'ieee-p1363' },
        Buffer.from(signature, 'base64url'),
      )
    )
  } catch {
    return false
  }
}
