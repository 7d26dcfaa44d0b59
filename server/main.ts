import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import type { Logger } from 'pino'
import { createApp, createHealthApp } from './app.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import { type Context, createContext, isTrial, type SandboxAddresses } from './context.ts'
import { createDb, createPool, type Pool } from './db/client.ts'
import { migrate } from './db/migrate.ts'
import { grantServerRole } from './db/server-role.ts'
import { commerceJobs } from './domains/commerce/jobs.ts'
import { complianceJobs } from './domains/compliance/jobs.ts'
import { identityJobs } from './domains/identity/jobs.ts'
import { mediaJobs } from './domains/media/jobs.ts'
import { messagingJobs } from './domains/messaging/jobs.ts'
import { notificationJobs } from './domains/notifications/jobs.ts'
import { promotionJobs } from './domains/promotion/jobs.ts'
import { StartError } from './errors.ts'
import type { JobHandlers } from './jobs/catalogue.ts'
import { startRunner } from './jobs/runner.ts'
import { renewSamplePasswords } from './sample/passwords.ts'
import { enterMode } from './start/installation.ts'
import { followClock } from './start/sandbox-clock.ts'
import { listenError } from './start/services.ts'

export type ServerOptions = {
  config: Config
  /** As the role that the server works as. */
  connectionString: string
  /** As the owner of the tables, where that is another one. */
  ownerConnectionString?: string | null
  publicUrl: string
  secretKey: string
  /** Older secrets that are still read. */
  previousKeys?: readonly string[]
  clock: Clock
  log: Logger
  sandboxes: SandboxAddresses
  /** Mounted below `/sandbox/<name>`. */
  sandboxPlugins: Record<string, FastifyPluginAsync>
  /** The built client, or null for an API alone (tests). */
  clientDir: string | null
  rateLimits?: boolean
  checkpoint?: Context['checkpoint']
  /** Gets how to end it once it serves and takes jobs, which is before all of it has started. */
  onServing?: (stop: () => Promise<void>) => void
}

export type RunningServer = {
  context: Context & { db: Pool }
  app: FastifyInstance
  /** Every background job's handler, for a test that runs one by hand. */
  jobs: JobHandlers
  /** Where it listens, as `http://host:port`. */
  address: string
  /** Ends gracefully: answers requests under way, finishes the jobs at hand, then closes everything. */
  stop(): Promise<void>
}

/** Connects, migrates, and serves by the configured role: `web`, `worker` or both. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { config, log } = options
  const onError = (error: Error) => log.error({ err: error }, 'idle database connection broke')
  const pool = createPool(options.connectionString, {
    max: 20,
    // Opening one takes as long as ten messages, and it plans each statement again.
    keptOpen: 5,
    onError,
  })
  const db = createDb(pool)
  const context = await prepare().catch(async (error: unknown) => {
    await db.destroy()
    throw error
  })
  const following = isTrial(config) ? await followClock(context) : null
  await renewSamplePasswords(context)
  await requireStorage(context)
  const app =
    config.ROLE === 'worker'
      ? await createHealthApp(context)
      : await createApp({
          context,
          pool,
          clientDir: options.clientDir,
          sandboxes: options.sandboxPlugins,
          rateLimits: options.rateLimits ?? true,
        })
  const jobs: JobHandlers = {
    ...identityJobs(context),
    ...notificationJobs(context),
    ...mediaJobs(context),
    ...commerceJobs(context),
    ...messagingJobs(context),
    ...promotionJobs(context),
    ...complianceJobs(context),
  }
  const end = async (runner: ReturnType<typeof startRunner> | null) => {
    const closed = closeServer(app)
    await Promise.all([
      closed,
      runner?.then((started) => started.stop()).catch(() => {}),
      // Else the runner would wait for the end of a long video.
      closed.then(() => context.processor.close()),
    ])
    await following?.stop()
    context.mail.close()
    await db.destroy()
  }
  const address = await listen(app, config).catch(async (error: unknown) => {
    await end(null)
    throw error
  })
  const runner =
    config.ROLE === 'web'
      ? null
      : startRunner({
          // The queue counts a job as taken once it asked for it, so an answer that comes late is still its.
          openPool: (max) => createPool(options.connectionString, { max, onError, answerTimeoutMs: 0 }),
          handlers: jobs,
          log,
        })
  let ended: Promise<void> | undefined
  const stop = () => (ended ??= end(runner))
  options.onServing?.(stop)
  await runner?.catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return { context, app, jobs, address, stop }

  async function prepare() {
    await requireDatabase(pool)
    if (options.ownerConnectionString) await migrateAsOwner(options.ownerConnectionString)
    else {
      log.warn('The server owns its tables and could alter its own books: DATABASE_OWNER_URL prevents that.')
      await migrate(db, options.connectionString)
    }
    await enterMode(db, {
      livemode: options.sandboxes.authorizenet === null,
      trial: isTrial(config),
      forum: config.services.forum,
    })
    return { ...(await createContext({ ...options, db })), db }
  }

  async function migrateAsOwner(address: string) {
    const owner = createDb(createPool(address, { max: 2, onError }))
    try {
      await migrate(owner, address)
      const { rows } = await pool.query<{ name: string }>('select current_user as name')
      await grantServerRole(owner, rows[0]?.name ?? '')
    } finally {
      await owner.destroy()
    }
  }
}

async function requireStorage({ storage, config, db }: Context): Promise<void> {
  try {
    await storage.check()
  } catch (error) {
    await db.destroy()
    const where = config.STORAGE === 's3' ? 'the S3_* settings' : 'DATA_DIR'
    throw new StartError(
      `The store of media can't be used (${(error as Error).message}): check ${where}, and that it may be written to.`,
    )
  }
}

/** Time for answers under way, above all what the payment gateway is asked, in milliseconds. */
const CONNECTION_DEADLINE_MS = 15_000

/** Closes it once what is under way is answered; transfers that take longer go on after the next start. */
async function closeServer(app: FastifyInstance): Promise<void> {
  // A connection that was busy at the stop would stay open for further calls after its answer.
  const idle = setInterval(() => app.server.closeIdleConnections(), 100)
  const deadline = setTimeout(() => app.server.closeAllConnections(), CONNECTION_DEADLINE_MS)
  try {
    await app.close()
  } finally {
    clearInterval(idle)
    clearTimeout(deadline)
  }
}

async function listen(app: FastifyInstance, config: Config): Promise<string> {
  try {
    return await app.listen({ port: config.PORT, host: config.HOST })
  } catch (error) {
    throw listenError(error as Error, config)
  }
}

const MIN_POSTGRES = 18

async function requireDatabase(pool: {
  query: (text: string) => Promise<{ rows: { version: number }[] }>
}): Promise<void> {
  let version: number | undefined
  try {
    const { rows } = await pool.query("select current_setting('server_version_num')::int / 10000 as version")
    version = rows[0]?.version
  } catch (error) {
    throw new StartError(
      `The database can't be reached (${(error as Error).message}): check DATABASE_URL, and that PostgreSQL runs and accepts this user.`,
    )
  }
  if (!version || version < MIN_POSTGRES) {
    throw new StartError(
      `The database is PostgreSQL ${version}, but ${MIN_POSTGRES} or newer is needed: point DATABASE_URL at a newer server.`,
    )
  }
}
