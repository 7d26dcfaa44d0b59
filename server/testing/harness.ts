import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunnerOptions, runOnce, Logger as WorkerLogger } from 'graphile-worker'
import pino from 'pino'
import { inject } from 'vitest'
import {
  listenPrivately,
  SANDBOX_CREDENTIALS,
  SANDBOX_FORUM_CLIENT,
  startSandboxes,
} from '../../sandboxes.ts'
import { type Clock, createClock } from '../clock.ts'
import { readConfig } from '../config.ts'
import type { Context } from '../context.ts'
import { createPool, type Pool } from '../db/client.ts'
import { taskListOf } from '../jobs/runner.ts'
import { type RunningServer, startServer } from '../main.ts'
import { noteClockOffset } from '../start/sandbox-clock.ts'
import { type Api, createApi } from './api.ts'
import { cloneTemplate, createRole } from './template.ts'

const SILENT = new WorkerLogger(() => () => {})
/** Stands here, as one that is made with a server would keep it for as long as the queue remembers its pool. */
const ignore = () => {}

/** What the sandbox's age check signs with here. */
const AGE_SECRET = 'the age check of the tests vouches for nobody'

/** The real app on its own PostgreSQL database, with the real sandboxes, for one test file. */
export type Harness = {
  server: RunningServer
  context: Context & { db: Pool }
  clock: Clock
  databaseUrl: string
  /** The same, as the role that the server works as. */
  serverUrl: string
  /** Origin of the server, and of the sandbox services. */
  origin: string
  sandboxOrigin: string
  /** What the sandbox's age check signs its results with. */
  ageSecret: string
  api: {
    visitor(): Api
    as(person: { token: string }): Api
  }
  /** Works the queue until nothing that is due is left. */
  runJobs(): Promise<void>
  stop(): Promise<void>
}

/** Starts everything for one test file. Jobs run only when the test says so. */
export async function startHarness(
  options: {
    environment?: Record<string, string>
    rateLimits?: boolean
    checkpoint?: Context['checkpoint']
    onServing?: (stop: () => Promise<void>) => void
    clientDir?: string
    publicUrl?: string
    /** Serves the sandboxes at the server's own address too, as the product does. */
    mountSandboxes?: boolean
    /** Where the log goes, with `LOG_LEVEL` in the environment. */
    logTo?: { write(line: string): void }
    /** Lets the server work as a role that owns nothing, as the product does. */
    restricted?: boolean
    /** Has the gateway's sandbox send its webhooks. */
    webhooks?: boolean
    /** Another process on the same database, which must outlive this one. */
    beside?: Harness
  } = {},
): Promise<Harness> {
  const database = options.beside
    ? { url: options.beside.databaseUrl, drop: async () => {} }
    : await cloneTemplate(inject('databaseUrl'))
  const role = options.restricted && !options.beside ? await createRole(database.url) : null
  const connectionString = options.beside?.serverUrl ?? role?.url ?? database.url
  const dataDir = await mkdtemp(join(tmpdir(), 'fanfare-test-'))
  const clock = createClock()
  const publicUrl = options.publicUrl ?? 'http://fanfare.test'
  const sandboxes = await startSandboxes({
    dataDir,
    now: clock.now,
    payments: true,
    webhooks: options.webhooks ? () => `${server.address}/api/payments/webhook` : null,
    mail: true,
    push: true,
    age: { results: () => `${server.address}/api/age/result`, secret: AGE_SECRET },
    forum: { redirectUri: `${publicUrl}/tokenconfirmation` },
  })
  const sandboxServer = await listenPrivately(sandboxes.plugins, '')
  const sandboxOrigin = sandboxServer.origin
  const config = readConfig({
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    SECRET_KEY: 'a secret for tests, long enough to be one',
    ROLE: 'web',
    LOG_LEVEL: 'silent',
    ...options.environment,
  })
  const server: RunningServer = await startServer({
    config,
    connectionString,
    ownerConnectionString: connectionString === database.url ? null : database.url,
    publicUrl,
    secretKey: config.SECRET_KEY ?? '',
    previousKeys: config.SECRET_KEY_PREVIOUS,
    clock,
    log: pino({ level: config.LOG_LEVEL }, options.logTo ?? pino.destination(1)),
    sandboxes: {
      authorizenet: {
        ...SANDBOX_CREDENTIALS,
        apiUrl: `${sandboxOrigin}/sandbox/authorizenet/xml/v1/request.api`,
        scriptUrl: `${options.mountSandboxes ? publicUrl : sandboxOrigin}/sandbox/authorizenet/v1/Accept.js`,
      },
      age:
        config.services.age === 'sandbox'
          ? { url: `${sandboxOrigin}/sandbox/age/`, secret: AGE_SECRET }
          : null,
      reddit: {
        ...SANDBOX_FORUM_CLIENT,
        url: `${options.mountSandboxes ? publicUrl : sandboxOrigin}/sandbox/reddit`,
        internalUrl: `${sandboxOrigin}/sandbox/reddit`,
      },
      smtpUrl: sandboxes.smtpUrl,
      pushUrl: `${sandboxOrigin}/sandbox/push/`,
    },
    sandboxPlugins: options.mountSandboxes ? sandboxes.plugins : {},
    clientDir: options.clientDir ?? null,
    rateLimits: options.rateLimits ?? false,
    ...(options.checkpoint ? { checkpoint: options.checkpoint } : {}),
    ...(options.onServing ? { onServing: options.onServing } : {}),
  })
  // The queue's worker doesn't wait until a job is marked as done; over one connection that comes before its next look.
  const jobPool = createPool(connectionString, { max: 1, onError: ignore })
  return {
    server,
    context: server.context,
    clock,
    databaseUrl: database.url,
    serverUrl: connectionString,
    origin: server.address,
    sandboxOrigin,
    ageSecret: AGE_SECRET,
    api: {
      visitor: () => createApi(server.address, null),
      as: (person) => createApi(server.address, person.token),
    },
    async runJobs() {
      await server.context.db.transaction().execute((tx) => noteClockOffset(tx, clock.offset()))
      const taskList = taskListOf(server.jobs)
      const run: RunnerOptions = { pgPool: jobPool, taskList, noHandleSignals: true, logger: SILENT }
      await runOnce(run)
      // The queue remembers each run's options for ever, which would keep every server that this process started.
      delete run.pgPool
      delete run.taskList
    },
    async stop() {
      await server.stop()
      await jobPool.end()
      await sandboxServer.close()
      await sandboxes.close()
      await database.drop()
      await role?.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
