import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Route } from '../../contract/route.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/client.ts'
import { AppError } from '../errors.ts'
import type { HandlerRequest } from '../handler.ts'
import type { Place } from '../ports/geo/port.ts'
import type { Viewer } from '../viewer.ts'
import {
  ageVisitOf,
  bindMediaLinks,
  ensureCompanion,
  hasAgeCookie,
  rememberAge,
  startAgeVisit,
} from './cookies.ts'
import { readForm } from './multipart.ts'
import type { Locate } from './place.ts'
import type { Limit, RateLimits } from './rate-limit.ts'
import { refuseOtherOrigins } from './same-origin.ts'

/** What `app.ts` hands in, so that `http` knows no domain. */
export type Guards = {
  /** The person of a bearer token, or null when there is none, expired or revoked. */
  authenticate(db: Db, token: string, now: Date): Promise<Viewer | null>
  /** Whether this session has not ended. */
  isLive(db: Db, sessionId: string, now: Date): Promise<boolean>
  locate: Locate
  /** Whether content is withheld from this person or visit at this place: one query, none for an unknown place. */
  withheld(
    db: Db,
    visitor: { place: Place; userId: string | null; ageVisit: string | null; now: Date },
  ): Promise<boolean>
  /** Null switches counting off (tests of other things). */
  rateLimits: RateLimits | null
}

type AnyHandler = (request: HandlerRequest<Route>) => Promise<unknown>

const RETRYABLE = new Set(['40001', '40P01'])
const MAX_TRANSACTION_ATTEMPTS = 3

/** Registers one call: viewer → 401/403, region → 451, parse → 400, `self` → 403, limits → 429, transaction, answer. */
export function mountRoute(
  app: FastifyInstance,
  name: string,
  route: Route,
  handler: AnyHandler,
  context: Context,
  guards: Guards,
): void {
  const schema = answerSchema(route)
  app.route({
    method: route.method,
    url: `/api${route.path}`,
    handler: async (request, reply) => {
      reply.header('cache-control', 'private, no-store')
      if (route.method !== 'GET') refuseOtherOrigins(request)
      const now = context.clock.now()
      const viewer = enrolled(context, route, await identify(request, context, guards, now))
      authorize(route, viewer)
      const place = guards.locate(request)
      const ageVisit = ageVisitOf(context, request)
      if (
        route.restricted !== 'allowed' &&
        !viewer?.ageApproved &&
        (await guards.withheld(context.db, { place, userId: viewer?.id ?? null, ageVisit, now }))
      ) {
        throw new AppError('region_restricted')
      }
      const form = route.multipart ? await readForm(request) : null
      const input = parse(route, request, form ? form.fields : request.body)
      checkSelf(route, input, viewer)
      const limits = limitsOf(name, route, request, input, viewer)
      await guards.rateLimits?.spend(limits)
      const companion = {
        key: await ensureCompanion(context, request, reply, {
          sessionId: viewer?.sessionId ?? null,
          isLive: (sessionId) => guards.isLive(context.db, sessionId, now),
        }),
      }
      let status = 200
      const handle = (db: Db) =>
        handler({
          context,
          db,
          viewer: viewer as Viewer,
          companion,
          ...input,
          now,
          client: {
            ip: request.ip,
            userAgent: (headerOf(request, 'user-agent') ?? '').slice(0, 300),
            place,
            ageCookie: hasAgeCookie(context, request),
            ageVisit,
          },
          idempotencyKey: idempotencyKeyOf(route, request),
          stream: request.raw,
          header: (header) => headerOf(request, header),
          files: form?.files ?? new Map(),
          answer: {
            status: (code) => {
              status = code
            },
            header: (header, value) => {
              reply.header(header, value)
            },
            rememberAge: () => rememberAge(context, reply),
            startAgeVisit: () => startAgeVisit(context, request, reply),
            bindMediaLinks: (sessionId) => bindMediaLinks(context, reply, sessionId),
          },
        } as HandlerRequest<Route>)
      const output = await runHandler(name, route, handle, {
        context,
        viewer,
        request,
        input,
        setStatus: (code) => {
          status = code
        },
        status: () => status,
      })
      if (route.rateLimit && 'by' in route.rateLimit) await guards.rateLimits?.forgive(limits)
      return send(reply, status, output, schema())
    },
  })
}

type AnswerSchema = Record<string, unknown>

/** What an answer may hold, made when the first is given: all of them together would be a third of a server's start. */
function answerSchema(route: Route): () => AnswerSchema {
  let schema: AnswerSchema | undefined
  return () => {
    schema ??= z.toJSONSchema(route.output, { target: 'draft-7', io: 'output', unrepresentable: 'any' })
    return schema
  }
}

/** Answers with what the contract names and nothing else that `output` may hold. */
function send(reply: FastifyReply, status: number, output: unknown, schema: AnswerSchema): FastifyReply {
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer((answer: Record<string, unknown>) => reply.serializeInput(answer, schema))
    .send(output)
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name.toLowerCase()]
  return Array.isArray(value) ? value[0] : value
}

async function identify(
  request: FastifyRequest,
  context: Context,
  guards: Guards,
  now: Date,
): Promise<Viewer | null> {
  const token = /^Bearer ([A-Za-z0-9_-]{20,100})$/.exec(request.headers.authorization ?? '')?.[1]
  return token ? guards.authenticate(context.db, token, now) : null
}

/** A superadmin who lacks the required second factor may only set it up; to public calls they are a stranger. */
function enrolled(context: Context, route: Route, viewer: Viewer | null): Viewer | null {
  const lacks = context.secondFactorRequired && viewer?.role === 'superadmin' && !viewer.secondFactor
  if (!lacks || route.withoutSecondFactor === 'allowed') return viewer
  if (route.access === 'public') return null
  throw new AppError('second_factor_required')
}

function authorize(route: Route, viewer: Viewer | null): void {
  if (route.access === 'public') return
  if (!viewer) throw new AppError('not_authenticated')
  if (route.access === 'session') return
  if (!viewer.emailVerified) throw new AppError('email_unverified')
  if (route.access === 'superadmin' && viewer.role !== 'superadmin') throw new AppError('superadmins_only')
  if (route.access === 'creator' && !viewer.isCreator) throw new AppError('creators_only')
}

type Input = {
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: Record<string, unknown>
}

function parse(route: Route, request: FastifyRequest, body: unknown): Input {
  return {
    params: route.params?.parse(request.params) ?? {},
    query: route.query?.parse(request.query) ?? {},
    body: route.body?.parse(body ?? {}) ?? {},
  }
}

function checkSelf(route: Route, input: Input, viewer: Viewer | null): void {
  if (!route.self) return
  const named = input.body[route.self] ?? input.query[route.self] ?? input.params[route.self]
  if (named !== undefined && named !== viewer?.id) throw new AppError('not_yourself')
}

function limitsOf(
  name: string,
  { rateLimit }: Route,
  request: FastifyRequest,
  input: Input,
  viewer: Viewer | null,
): Limit[] {
  if (!rateLimit) return []
  const { points, seconds } = rateLimit
  if (!('by' in rateLimit))
    return [{ name, key: viewer ? `user:${viewer.id}` : `ip:${request.ip}`, points, seconds }]
  const { by, pointsPerAddress } = rateLimit
  const value = createHash('sha256').update(String(input.body[by])).digest('base64url')
  return [
    { name, key: `${by}:${value}`, points, seconds },
    { name: `${name}.address`, key: `ip:${request.ip}`, points: pointsPerAddress, seconds },
  ]
}

function idempotencyKeyOf(route: Route, request: FastifyRequest): string | null {
  const key = headerOf(request, 'idempotency-key')
  if (!route.idempotent || key === undefined) return null
  if (!/^[\x21-\x7e]{8,200}$/.test(key))
    throw new AppError('invalid_input', {
      details: { 'Idempotency-Key': 'Use 8 to 200 printable characters.' },
    })
  return key
}

/** Opens the transaction that the route asks for, again when the database asks for another try. */
async function runHandler(
  name: string,
  route: Route,
  handle: (db: Db) => Promise<unknown>,
  call: {
    context: Context
    viewer: Viewer | null
    request: FastifyRequest
    input: Input
    status: () => number
    setStatus: (code: number) => void
  },
): Promise<unknown> {
  const { context, viewer } = call
  if (route.method === 'GET' || route.transaction === 'manual') return handle(context.db)
  const key = idempotencyKeyOf(route, call.request)
  for (let attempt = 1; ; attempt++) {
    try {
      return await context.db.transaction().execute(async (db) => {
        if (!key || !viewer) return handle(db)
        const hash = requestHash(name, call.input.body)
        const replay = await replayed(db, viewer.id, key, hash)
        if (replay) {
          call.setStatus(replay.status)
          return replay.response
        }
        const output = await handle(db)
        await db
          .insertInto('idempotency_keys')
          .values({
            user_id: viewer.id,
            key,
            route: name,
            request_hash: hash,
            status: call.status(),
            response: JSON.stringify(output),
            created_at: context.clock.now(),
          })
          .execute()
        return output
      })
    } catch (error) {
      if (attempt >= MAX_TRANSACTION_ATTEMPTS || !RETRYABLE.has((error as { code?: string }).code ?? ''))
        throw error
    }
  }
}

/** What a request with an idempotency key is compared by. */
export function requestHash(name: string, body: unknown): string {
  return createHash('sha256')
    .update(`${name} ${JSON.stringify(body)}`)
    .digest('base64url')
}

/** The first answer to this key, or null when this call is the first; holds the key until the transaction ends. */
async function replayed(
  db: Db,
  userId: string,
  key: string,
  hash: string,
): Promise<{ status: number; response: unknown } | null> {
  const lock = await sql<{
    held: boolean
  }>`select pg_try_advisory_xact_lock(hashtextextended(${`${userId} ${key}`}, 0)) as held`.execute(db)
  if (!lock.rows[0]?.held) throw new AppError('request_in_flight')
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'response'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst()
  if (!row) return null
  if (row.request_hash !== hash) throw new AppError('idempotency_key_reused')
  return { status: row.status, response: row.response }
}
