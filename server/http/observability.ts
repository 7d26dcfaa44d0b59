import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { isFromHere } from './this-machine.ts'

/** Figures of the whole process: whoever measures them goes on until it ends, whatever servers it has stopped. */
let ofProcess: Registry | undefined

function processFigures(): Registry {
  if (!ofProcess) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  return ofProcess
}

/** `/healthz` (the process is up), `/readyz` (database, migrations and queue answer), `/metrics` for Prometheus. */
export function mountObservability(
  app: FastifyInstance,
  context: Context,
  figures?: {
    connections: () => number
    /** Payments that somebody has to decide at the gateway, by state. */
    undecidedPayments: () => Promise<Record<string, number>>
    /** Accounts whose erasure is due, by what it waits for. */
    overdueErasures: () => Promise<Record<string, number>>
    /** Reports of messages that nobody has closed, by how old they are. */
    openReports: () => Promise<Record<string, number>>
  },
): void {
  const registry = new Registry()
  // Measured from the start on.
  const figuresOfProcess = processFigures()
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from request to answer, by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  if (figures) {
    new Gauge({
      name: 'realtime_connections',
      help: 'Sockets that are open at this process.',
      registers: [registry],
      collect() {
        this.set(figures.connections())
      },
    })
    mountCounts(registry, {
      name: 'payments_undecided',
      help: 'Payments held for review at the gateway, without an end for a day (unknown), or that it refused to give back, also those that are being sent another way (refund_refused).',
      label: 'status',
      count: figures.undecidedPayments,
    })
    mountCounts(registry, {
      name: 'erasures_overdue',
      help: 'Deleted accounts that are due to be erased, by what that waits for.',
      label: 'waits_for',
      count: figures.overdueErasures,
    })
    mountCounts(registry, {
      name: 'message_reports_open',
      help: 'Reported messages that nobody has decided on, of the last 24 hours (day) or older.',
      label: 'age',
      count: figures.openReports,
    })
  }
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    duration.observe(
      { method: request.method, route, status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    )
  })

  app.get('/healthz', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  )

  const isReady = readiness(context)
  app.get('/readyz', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    if (await isReady()) return reply.send({ status: 'ready' })
    return reply.code(503).send({ status: 'not ready' })
  })

  app.get('/metrics', async (request, reply) => {
    const token = context.config.METRICS_TOKEN
    const given = Buffer.from(request.headers.authorization ?? '')
    const wanted = Buffer.from(`Bearer ${token}`)
    // Without a token, metrics are only for this machine.
    const allowed = token
      ? given.length === wanted.length && timingSafeEqual(given, wanted)
      : isFromHere(request)
    if (!allowed) throw new AppError('not_found')
    return reply.type(registry.contentType).send(await Registry.merge([figuresOfProcess, registry]).metrics())
  })
}

/** A gauge that is counted when it is read. */
function mountCounts(
  registry: Registry,
  {
    name,
    help,
    label,
    count,
  }: { name: string; help: string; label: string; count: () => Promise<Record<string, number>> },
): void {
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    async collect() {
      this.reset()
      // If the database doesn't answer, only this metric is missing.
      const counts = await count().catch(() => ({}))
      for (const [value, number] of Object.entries(counts)) this.set({ [label]: value }, number)
    },
  })
}

/** Anyone may ask, and each check writes to the store, so one check answers all requests within this time. */
const LOOK_MS = 5000

function readiness({ db, storage, clock }: Context): () => Promise<boolean> {
  let lookedAt = Number.NEGATIVE_INFINITY
  let seen = Promise.resolve(false)
  return () => {
    const now = clock.now().getTime()
    if (now - lookedAt >= LOOK_MS) {
      lookedAt = now
      seen = look().catch(() => false)
    }
    return seen
  }

  async function look(): Promise<boolean> {
    await sql`select 1 from installation, graphile_worker.migrations limit 1`.execute(db)
    await storage.check()
    return true
  }
}
