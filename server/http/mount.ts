import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Route } from '../../contract/route.ts'
import type { Context } from '../context.ts'
import type { Db, Tx } from '../db/client.ts'
import type { AnsweredFile, HandlerRequest } from '../handler.ts'
import { audienceOf } from '../viewer.ts'
import { type AccessGuards, requireAccess, requireOpenRegion } from './access.ts'
import { send, sendFile } from './answer.ts'
import { cookieJar, ensureCompanion } from './cookies.ts'
import { idempotencyKeyOf } from './idempotency.ts'
import { headerOf, readInput, requireSelf } from './input.ts'
import type { Locate } from './place.ts'
import { countsFailures, limitsOf, type RateLimits } from './rate-limit.ts'
import { refuseOtherOrigins } from './same-origin.ts'
import { isFromHere } from './this-machine.ts'
import { answerInTransaction } from './transaction.ts'

/** The functions that `app.ts` passes in, so that `http` knows no domain. */
export type Guards = AccessGuards & {
  /** Whether this session is still live. */
  isLive(db: Db, sessionId: string, now: Date): Promise<boolean>
  locate: Locate
  /** Null turns rate limits off (tests of other things). */
  rateLimits: RateLimits | null
}

export type AnyHandler = (request: HandlerRequest<Route>) => Promise<unknown>

/** Registers one call: access → 401/403, region → 451, input → 400, `self` → 403, limits → 429, transaction, answer. */
export function mountRoute(
  app: FastifyInstance,
  name: string,
  route: Route,
  handler: AnyHandler,
  context: Context,
  guards: Guards,
): void {
  app.route({
    method: route.method,
    url: `/api${route.path}`,
    handler: async (request, reply) => {
      reply.header('cache-control', 'private, no-store')
      // Browsers go by this clock, which the sandbox moves; refusals tell it, too.
      const tellTime = () => reply.header('date', context.clock.now().toUTCString())
      tellTime()
      if (route.method !== 'GET') refuseOtherOrigins(request)
      const now = context.clock.now()
      const viewer = await requireAccess(route, request, context, guards, now)
      const place = guards.locate(request)
      const audience = audienceOf(viewer, place)
      const cookies = cookieJar(context, request, reply)
      const ageVisit = cookies.get('age_visit')
      await requireOpenRegion(route, { viewer, place, ageVisit, now }, context, guards)
      const { input, files } = await readInput(route, request)
      requireSelf(route, input, viewer)
      const { knownDevice } = cookies
      const call = { ip: request.ip, viewerId: viewer?.id ?? null, body: input.body, knownDevice }
      const limits = limitsOf(name, route, call)
      await guards.rateLimits?.spend(limits)
      const key = idempotencyKeyOf(route, request)
      const sessionId = viewer?.sessionId ?? null
      const isLive = (sessionId: string) => guards.isLive(context.db, sessionId, now)
      const companion = { key: await ensureCompanion(context, request, cookies, { sessionId, isLive }) }

      const answerWith = async (db: Db | Tx) => {
        const answer = answerOf(reply)
        const response = await handler({
          ...{
            context,
            db,
            viewer,
            audience,
            companion,
            ...input,
            files,
            now,
            idempotencyKey: key,
            cookies,
            answer,
          },
          client: {
            ip: request.ip,
            userAgent: (headerOf(request, 'user-agent') ?? '').slice(0, 300),
            place,
            isFromHere: isFromHere(request),
          },
          stream: request.raw,
          header: (header) => headerOf(request, header),
        } as HandlerRequest<Route>)
        return { status: answer.code(), response }
      }
      const { status, response } = await answerInTransaction(
        context,
        { name, route, body: input.body, viewerId: viewer?.id ?? null, idempotencyKey: key, now },
        answerWith,
      )
      if (countsFailures(route)) await guards.rateLimits?.forgive(limits)
      tellTime()
      if (route.file) return sendFile(reply, route.file, response as AnsweredFile)
      return send(reply, status, response, route)
    },
  })
}

/** The results that a handler may return besides its output. */
function answerOf(reply: FastifyReply): HandlerRequest<Route>['answer'] & { code(): number } {
  let status = 200
  return {
    code: () => status,
    status: (code) => {
      status = code
    },
    header: (header, value) => {
      reply.header(header, value)
    },
  }
}
