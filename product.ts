import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import { listenPrivately, SANDBOX_CREDENTIALS, SANDBOX_FORUM_CLIENT, startSandboxes } from './sandboxes.ts'
import { createClock } from './server/clock.ts'
import type { Config } from './server/config.ts'
import { isTrial, type SandboxAddresses } from './server/context.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './server/db/embedded/postgres.ts'
import { type RunningServer, startServer } from './server/main.ts'
import { prepareDataFolder } from './server/start/data-folder.ts'
import { ageSandboxSecret, readSecrets } from './server/start/secrets.ts'
import { listenError } from './server/start/services.ts'

/** How each part of what was started is ended, in the order of the start. */
export type Started = (() => Promise<void>)[]

/** Ends it in the opposite order. A part that can't be ended holds up no other. */
export async function endAll(started: Started): Promise<void> {
  for (const end of started.splice(0).reverse()) await end().catch(() => {})
}

export type ProductOptions = {
  config: Config
  log: Logger
  /** What is started is added here, so that its owner can end it during the start as well. */
  started: Started
  /** The embedded database ended by itself. */
  onDatabaseEnd: () => void
}

/**
 * Starts the whole product by these settings; with port 0 it takes one that is free, which `config` of the answer says. The
 * gateway is the sandbox's, null where an account is configured. What fails throws, often as a `StartError`.
 */
export async function startProduct(
  options: ProductOptions,
): Promise<{ server: RunningServer; gateway: SandboxAddresses['authorizenet']; config: Config }> {
  const { log, started } = options
  await prepareDataFolder(resolve(options.config.DATA_DIR))
  const config = { ...options.config, PORT: await freePort(options.config) }
  log.info(`Starting ${config.BRAND_NAME}`)
  const { connectionString, ownerConnectionString } = await openDatabase({ ...options, config })
  const clock = createClock()
  const isSandbox = (service: keyof Config['services']) => config.services[service] === 'sandbox'
  const here = ownOrigin(config)
  const secrets = await readSecrets(config, clock.now())
  const ageSecret = ageSandboxSecret(secrets)
  const publicUrl = (config.PUBLIC_URL ?? `http://localhost:${config.PORT}`).replace(/\/+$/, '')
  const sandboxes = await startSandboxes({
    dataDir: config.DATA_DIR,
    now: clock.now,
    payments: isSandbox('payments'),
    // A worker serves no calls; the web process sends what both have written.
    webhooks: config.ROLE === 'worker' ? null : () => `${here}/api/payments/webhook`,
    mail: isSandbox('mail'),
    push: isTrial(config),
    age: isSandbox('age') ? { results: () => `${here}/api/age/result`, secret: ageSecret } : null,
    forum: isSandbox('forum') ? { redirectUri: `${publicUrl}/tokenconfirmation` } : null,
  })
  started.push(() => sandboxes.close())
  const gatewayPath = '/sandbox/authorizenet'
  // A worker serves nobody, so the gateway that it asks is its own, on the same file as the web process's. With a token the
  // public address asks for it, which the forum's wire has no place for.
  const isWorker = config.ROLE === 'worker'
  const { authorizenet, reddit } = sandboxes.plugins
  const own = {
    ...(isWorker && authorizenet ? { authorizenet } : {}),
    ...((isWorker || config.SANDBOX_TOKEN) && reddit ? { reddit } : {}),
  }
  const hasOwn = Object.keys(own).length > 0
  const privately = hasOwn ? await listenPrivately(own, `/${randomBytes(16).toString('hex')}`) : null
  if (privately) started.push(() => privately.close())
  const token = config.SANDBOX_TOKEN ? `?token=${encodeURIComponent(config.SANDBOX_TOKEN)}` : ''
  const gateway = isSandbox('payments')
    ? {
        ...SANDBOX_CREDENTIALS,
        apiUrl: `${isWorker ? privately?.origin : here}${gatewayPath}/xml/v1/request.api${isWorker ? '' : token}`,
        scriptUrl: `${publicUrl}${gatewayPath}/v1/Accept.js`,
      }
    : null
  const server = await startServer({
    config,
    connectionString,
    ownerConnectionString,
    publicUrl,
    ...secrets,
    clock,
    log,
    sandboxes: {
      authorizenet: gateway,
      age: isSandbox('age') ? { url: `${publicUrl}/sandbox/age/`, secret: ageSecret } : null,
      reddit: isSandbox('forum')
        ? {
            ...SANDBOX_FORUM_CLIENT,
            url: `${publicUrl}/sandbox/reddit`,
            internalUrl: `${privately?.origin ?? here}/sandbox/reddit`,
          }
        : null,
      smtpUrl: sandboxes.smtpUrl,
      pushUrl: sandboxes.plugins.push ? `${here}/sandbox/push/` : null,
    },
    sandboxPlugins: sandboxes.plugins,
    clientDir: join(import.meta.dirname, 'client', 'dist'),
    onServing: (stop) => started.push(stop),
  })
  return { server, gateway, config }
}

/** The addresses as the server's role and as the owner, null where both are one. */
async function openDatabase(options: ProductOptions) {
  const { config } = options
  if (config.DATABASE_URL)
    return {
      connectionString: config.DATABASE_URL,
      ownerConnectionString: config.DATABASE_OWNER_URL ?? null,
    }
  const postgres = await startDatabase(options)
  return {
    connectionString: postgres.serverConnectionString,
    ownerConnectionString: postgres.connectionString,
  }
}

/** The embedded database, below the data folder. */
export async function startDatabase(options: ProductOptions): Promise<EmbeddedPostgres> {
  const { config, log, started, onDatabaseEnd } = options
  const postgres = await startEmbeddedPostgres({
    dataDir: config.DATA_DIR,
    log: (line) => log.debug({ part: 'postgres' }, line),
  })
  started.push(() => postgres.stop())
  postgres.onExit(onDatabaseEnd)
  return postgres
}

/** Where this process reaches itself. */
function ownOrigin({ HOST, PORT }: Config): string {
  const host = ['0.0.0.0', '::', 'localhost'].includes(HOST) ? '127.0.0.1' : HOST
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`
}

/** Says early and plainly that the port is taken, before a database is started for nothing; picks one for PORT=0. */
async function freePort(config: Config): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error) => reject(listenError(error, config)))
    probe.listen(config.PORT, config.HOST, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : config.PORT))
    })
  })
}
