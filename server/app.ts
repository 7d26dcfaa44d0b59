import cookie from '@fastify/cookie'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type pg from 'pg'
import { type RouteName, routes } from '../contract/index.ts'
import type { Route } from '../contract/route.ts'
import { type Context, isTrial } from './context.ts'
import { findOwed } from './domains/commerce/cards/data.ts'
import { listHappened } from './domains/commerce/data.ts'
import { countUndecided } from './domains/commerce/payments/operator/data.ts'
import { commerceHandlers } from './domains/commerce/routes.ts'
import { isWithheld } from './domains/compliance/data.ts'
import { countHeld } from './domains/compliance/erasure/data.ts'
import { openExportFile } from './domains/compliance/exports/routes.ts'
import { complianceHandlers } from './domains/compliance/routes.ts'
import { identityHandlers } from './domains/identity/routes.ts'
import { findLiveSessions, findViewer, isSessionLive } from './domains/identity/sessions/data.ts'
import { openMediaFile } from './domains/media/delivery/data.ts'
import { findPreview, openPreview } from './domains/media/previews/data.ts'
import { mediaHandlers } from './domains/media/routes.ts'
import { messagingRealtime } from './domains/messaging/realtime.ts'
import { countOpen } from './domains/messaging/reports/data.ts'
import { messagingHandlers } from './domains/messaging/routes.ts'
import { createNotificationDelivery } from './domains/notifications/realtime.ts'
import { notificationHandlers } from './domains/notifications/routes.ts'
import { noteTimeZone } from './domains/notifications/settings/actions.ts'
import { listSitemapCreators, listSitemapPages } from './domains/profiles/data.ts'
import { profilesHandlers } from './domains/profiles/routes.ts'
import { openPromotionCopy } from './domains/promotion/copies/routes.ts'
import { promotionHandlers } from './domains/promotion/routes.ts'
import { deliverTimeline } from './domains/promotion/schedule/realtime.ts'
import { findHowToVideo } from './domains/site/data.ts'
import { siteHandlers } from './domains/site/routes.ts'
import { AppError } from './errors.ts'
import type { Handlers, Realtime } from './handler.ts'
import { mountCardFrame } from './http/card-frame.ts'
import { readCookie } from './http/cookies.ts'
import { mountCrawlers } from './http/crawlers.ts'
import { installErrorHandler, sendError } from './http/error-handler.ts'
import { mountFiles } from './http/files.ts'
import { mountHowToVideo } from './http/how-to-video.ts'
import { type AnyHandler, mountRoute } from './http/mount.ts'
import { acceptForms } from './http/multipart.ts'
import { mountObservability } from './http/observability.ts'
import { openApiDocument } from './http/openapi.ts'
import { mountPages } from './http/pages.ts'
import { createLocate } from './http/place.ts'
import { mountPreviews } from './http/previews.ts'
import { createRateLimits } from './http/rate-limit.ts'
import { mountSandboxClock } from './http/sandbox-clock.ts'
import { guardSandbox, withoutTicket } from './http/sandbox-guard.ts'
import { installSecurityHeaders, securityHeaders } from './http/security-headers.ts'
import { mountSockets } from './http/sockets.ts'
import { trustedProxies } from './http/trusted-proxies.ts'
import { refuseUnreadable, routedUrl } from './http/unreadable.ts'

/** The limit for the body of a call that isn't a stream; lists of ids are the largest. */
const MAX_BODY_BYTES = 1024 * 1024

const handlers: Handlers = {
  ...identityHandlers,
  ...complianceHandlers,
  ...profilesHandlers,
  ...mediaHandlers({ findOwed }),
  ...commerceHandlers,
  ...messagingHandlers,
  ...promotionHandlers,
  ...notificationHandlers,
  ...siteHandlers,
}

/** Messages, notifications and the timeline share the sockets; each delivers its own. */
const realtime: Realtime = {
  ...messagingRealtime,
  noteTimeZone,
  createDelivery(context, connections) {
    const deliverMessages = messagingRealtime.createDelivery(context, connections)
    const deliverNotifications = createNotificationDelivery(context, connections)
    return (signal) => {
      deliverMessages(signal)
      deliverNotifications(signal)
      deliverTimeline(connections, signal)
    }
  },
}

/** A worker's routes: its health, and nothing else. */
export async function createHealthApp(context: Context): Promise<FastifyInstance> {
  const app: FastifyInstance = fastify({
    loggerInstance: httpLog(context),
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
  })
  installSecurityHeaders(app, context)
  installErrorHandler(app)
  mountObservability(app, context)
  app.setNotFoundHandler((request, reply) => sendError(request, reply, new AppError('not_found')))
  return app
}

/** In a terminal a line for every call would hide what is worth reading. */
function httpLog({ log, config }: Context): FastifyBaseLogger {
  const level = config.LOG_FORMAT === 'pretty' && log.level === 'info' ? 'warn' : log.level
  return log.child({ part: 'http' }, { level }) as FastifyBaseLogger
}

/** The whole HTTP server, not yet listening. `sandboxes` are mounted below `/sandbox/<name>`. */
export async function createApp(options: {
  context: Context
  pool: pg.Pool
  clientDir: string | null
  sandboxes: Record<string, FastifyPluginAsync>
  rateLimits: boolean
}): Promise<FastifyInstance> {
  const { context } = options
  const isTrustedProxy = trustedProxies(context.config.TRUST_PROXY)
  const locate = createLocate(context.geo, isTrustedProxy)
  const app: FastifyInstance = fastify({
    loggerInstance: httpLog(context),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: isTrustedProxy,
    bodyLimit: MAX_BODY_BYTES,
    // Large uploads may take hours, but a connection on which nothing moves is closed.
    requestTimeout: 0,
    // Listeners connect to the database before the start is over; a busy one takes its time.
    pluginTimeout: 60_000,
    connectionTimeout: 120_000,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    return503OnClosing: false,
    routerOptions: { maxParamLength: 300 },
    rewriteUrl: (request) => withoutTicket(routedUrl(request)),
    // The longest lists of ids that the contract allows in a query.
    http: { maxHeaderSize: 64 * 1024 },
    clientErrorHandler: refuseUnreadable,
    genReqId: () => crypto.randomUUID(),
    // Requests that can't be routed pass no hook.
    frameworkErrors: (error, request, reply) =>
      sendError(request, reply.headers(securityHeaders(context)), error),
  })
  app.addHook('onResponse', async (request, reply) => {
    // The route, never the address: addresses carry names, signatures and tokens.
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    )
  })
  await app.register(cookie)
  installSecurityHeaders(app, context)
  installErrorHandler(app)
  const guards = {
    authenticate: findViewer,
    isLive: isSessionLive,
    locate,
    withheld: isWithheld,
    rateLimits: options.rateLimits ? createRateLimits(options.pool) : null,
  }
  const sockets = mountSockets(app, context, realtime, {
    ...guards,
    findLiveSessions,
    isTrustedProxy,
    connectionString: options.pool.options.connectionString ?? '',
  })
  mountObservability(app, context, {
    connections: () => sockets.connections(),
    undecidedPayments: () => countUndecided(context.db, context.clock.now()),
    overdueErasures: () => countHeld(context.db, context.clock.now()),
    openReports: () => countOpen(context.db, context.clock.now()),
  })
  await app.register(async (api) => {
    const all = Object.entries(routes) as [RouteName, Route][]
    const mount = (scope: FastifyInstance, takes: (route: Route) => boolean) => {
      for (const [name, route] of all.filter(([, route]) => takes(route)))
        mountRoute(scope, name, route, handlers[name] as AnyHandler, context, guards)
    }
    mount(api, ({ bytes, multipart }) => !bytes && !multipart)
    await api.register(async (forms) => {
      await acceptForms(forms)
      mount(forms, ({ multipart }) => multipart === true)
    })
    await api.register(async (streams) => {
      streams.removeAllContentTypeParsers()
      streams.addContentTypeParser('*', (_request, _payload, done) => done(null))
      mount(streams, ({ bytes }) => bytes === true)
    })
    let document: object | undefined
    api.get('/api/openapi.json', async () => {
      document ??= openApiDocument(context.config.BRAND_NAME, context.publicUrl)
      return document
    })
  })
  mountHowToVideo(app, () => findHowToVideo(context))
  mountFiles(
    app,
    context,
    async (request) =>
      (await openExportFile(context, request)) ??
      (await openPromotionCopy(context, request)) ??
      openMediaFile(context, request),
    locate,
  )
  const withheldFrom = (request: FastifyRequest) =>
    isWithheld(context.db, {
      place: locate(request),
      userId: null,
      ageVisit: readCookie(context, request, 'age_visit'),
      ageChecks: context.ageChecks,
      now: context.clock.now(),
    })
  mountPreviews(app, (mediaId) => openPreview(context, mediaId, context.clock.now()), withheldFrom)
  await mountCardFrame(app, context, options.clientDir)
  mountCrawlers(app, context, {
    pages: () => listSitemapPages(context.db),
    creators: (firstId) => listSitemapCreators(context.db, firstId),
  })
  await app.register(
    async (sandbox) => {
      guardSandbox(sandbox, context)
      if (isTrial(context.config))
        await mountSandboxClock(sandbox, context, (range) => listHappened(context.db, range))
      for (const [name, plugin] of Object.entries(options.sandboxes))
        await sandbox.register(plugin, { prefix: `/${name}` })
    },
    { prefix: '/sandbox' },
  )
  await mountPages(app, context, options.clientDir, async (path, request) => {
    const preview = await findPreview(context, path, context.clock.now())
    return preview && !(await withheldFrom(request)) ? preview : null
  })
  return app
}
