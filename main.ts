import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import pino, { type Logger } from 'pino'
import { listenPrivately, SANDBOX_CREDENTIALS, SANDBOX_FORUM_CLIENT, startSandboxes } from './sandboxes.ts'
import { createClock } from './server/clock.ts'
import { type Config, readConfig } from './server/config.ts'
import { isTrial, type SandboxAddresses } from './server/context.ts'
import { createKeyring } from './server/crypto/keyring.ts'
import { createVault } from './server/crypto/vault.ts'
import { createDb, createPool } from './server/db/client.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './server/db/embedded/postgres.ts'
import { findRunningPostgres } from './server/db/embedded/running.ts'
import { migrate } from './server/db/migrate.ts'
import { type RunningServer, startServer } from './server/main.ts'
import { pastGateway } from './server/sample/gateway.ts'
import { loadSampleData } from './server/sample/load.ts'
import { currentSamplePassword } from './server/sample/passwords.ts'
import { sampleLogIns } from './server/sample/people.ts'
import { runAdmin } from './server/start/admin.ts'
import { prepareDataFolder } from './server/start/data-folder.ts'
import { createLog, logFatal, logFormat, logProcessEvents } from './server/start/log.ts'
import { readClock } from './server/start/sandbox-clock.ts'
import { ageSandboxSecret, readSecrets } from './server/start/secrets.ts'
import { listenError, SERVICES } from './server/start/services.ts'

/** Time for calls and jobs under way when the program is told to stop, in milliseconds. */
const STOP_DEADLINE_MS = 25_000

/** What was started, to be ended in the opposite order. */
const started: { name: string; stop: () => Promise<void> }[] = []

/** The composition root: database, sandboxes for services without an account, the server; or one operator's command. */
async function main(args: string[]): Promise<void> {
  const read = readConfig(process.env)
  const config = { ...read, LOG_FORMAT: logFormat(read, process.stdout.isTTY === true) }
  const write = (line: string) => process.stdout.write(line)
  const log = createLog(config, write)
  await prepareDataFolder(resolve(config.DATA_DIR))
  if (args[0] === 'admin') {
    process.exitCode = await runCommand(config, args.slice(1))
    return
  }
  if (config.LOG_FORMAT === 'json') logProcessEvents(log)
  const port = await freePort(config)
  log.info(`Starting ${config.BRAND_NAME}`)
  const { server, gateway } = await start({ ...config, PORT: port }, log)
  const loads = sampleDataWanted(config) && config.ROLE !== 'web' && gateway
  const hasSample = loads
    ? await loadSampleData(server.context, pastGateway(gateway), (sentence) => log.info(sentence))
    : sampleDataWanted(config)
  const trials = SERVICES.filter((service) => config.services[service] === 'sandbox')
  if (trials.length > 0) log.warn(`Only a sandbox, for trying things: ${trials.join(', ')}`)
  const password = hasSample ? currentSamplePassword(server.context).password : null
  if (config.LOG_FORMAT === 'pretty') write(greeting(config, port, password))
  // Whoever waits for it does so whatever else is logged.
  else announce(createLog({ ...config, LOG_LEVEL: 'info' }, write), config, port, password)
}

/** The running server, and the sandbox gateway where there is one. */
async function start(
  config: Config,
  log: Logger,
): Promise<{ server: RunningServer; gateway: SandboxAddresses['authorizenet'] }> {
  const { connectionString, ownerConnectionString } = await openDatabase(config, log)
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
  started.push({ name: 'sandboxes', stop: () => sandboxes.close() })
  const gatewayPath = '/sandbox/authorizenet'
  // A worker serves nobody, so the gateway that it asks is its own, on the same file as the web process's.
  const privately = config.ROLE === 'worker' ? await listenPrivately(sandboxes.plugins) : null
  if (privately) started.push({ name: 'gateway', stop: () => privately.close() })
  // With a token the public address asks for it, which the forum's wire has no place for.
  const forum =
    privately === null && config.SANDBOX_TOKEN && sandboxes.plugins.reddit
      ? await listenPrivately({ reddit: sandboxes.plugins.reddit })
      : null
  if (forum) started.push({ name: 'forum', stop: () => forum.close() })
  const token = config.SANDBOX_TOKEN ? `?token=${encodeURIComponent(config.SANDBOX_TOKEN)}` : ''
  const gateway = isSandbox('payments')
    ? {
        ...SANDBOX_CREDENTIALS,
        apiUrl: `${privately?.origin ?? here}${gatewayPath}/xml/v1/request.api${privately ? '' : token}`,
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
            internalUrl: `${(privately ?? forum)?.origin ?? here}/sandbox/reddit`,
          }
        : null,
      smtpUrl: sandboxes.smtpUrl,
      pushUrl: sandboxes.plugins.push ? `${here}/sandbox/push/` : null,
    },
    sandboxPlugins: sandboxes.plugins,
    clientDir: join(import.meta.dirname, 'client', 'dist'),
  })
  started.push({ name: 'server', stop: () => server.stop() })
  return { server, gateway }
}

/** The addresses as the server's role and as the owner, null where both are one. */
async function openDatabase(config: Config, log: Logger) {
  if (config.DATABASE_URL)
    return {
      connectionString: config.DATABASE_URL,
      ownerConnectionString: config.DATABASE_OWNER_URL ?? null,
    }
  const postgres = await embeddedDatabase(config, log)
  return {
    connectionString: postgres.serverConnectionString,
    ownerConnectionString: postgres.connectionString,
  }
}

async function embeddedDatabase(config: Config, log: Logger): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({
    dataDir: config.DATA_DIR,
    log: (line) => log.debug({ part: 'postgres' }, line),
  })
  started.push({ name: 'database', stop: () => postgres.stop() })
  postgres.onExit(() => {
    if (stopping) return
    log.error('PostgreSQL ended by itself')
    void stop(1)
  })
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

/** One operator's command against the configured database: the embedded one is started unless it runs already. */
async function runCommand(config: Config, args: string[]): Promise<number> {
  const log = pino({ level: 'silent' })
  const connectionString =
    config.DATABASE_OWNER_URL ??
    config.DATABASE_URL ??
    (await findRunningPostgres(config.DATA_DIR)) ??
    (await embeddedDatabase(config, log)).connectionString
  const { secretKey, previousKeys } = await readSecrets(config, createClock().now())
  const vault = createVault(createKeyring(secretKey, previousKeys))
  const db = createDb(createPool(connectionString, { max: 2, onError: () => {} }))
  try {
    await migrate(db, connectionString)
    const clock = createClock()
    await readClock({ db, clock })
    const { ok, output } = await runAdmin(args, db, vault, clock.now())
    process.stdout.write(`${output}\n`)
    return ok ? 0 : 1
  } finally {
    await db.destroy()
    for (const { stop: end } of started.reverse()) await end()
  }
}

function sampleDataWanted(config: Config): boolean {
  return (config.SAMPLE_DATA ?? (isTrial(config) && !config.DATABASE_URL ? 'on' : 'off')) === 'on'
}

const readyAt = ({ BRAND_NAME, PUBLIC_URL }: Config, port: number) =>
  `${BRAND_NAME} is ready at ${PUBLIC_URL ?? `http://localhost:${port}`}`

/** What a person in a terminal reads once it is ready; `password` of the sample accounts, null where there are none. */
function greeting(config: Config, port: number, password: string | null): string {
  const logIns = password
    ? ['Log in as:', ...sampleLogIns.map(({ role, email }) => `  ${role.padEnd(11)} ${email}  ${password}`)]
    : []
  return `${[readyAt(config, port), ...logIns].join('\n')}\n`
}

/** The same as lines of the log. */
function announce(log: Logger, config: Config, port: number, password: string | null): void {
  if (password)
    for (const { role, email } of sampleLogIns) log.info({ role, email, password }, 'Sample account')
  log.info(readyAt(config, port))
}

let stopping = false

async function stop(code: number): Promise<void> {
  if (stopping) return
  stopping = true
  setTimeout(() => process.exit(code || 1), STOP_DEADLINE_MS).unref()
  for (const { stop: end } of started.reverse()) await end().catch(() => {})
  process.exit(code)
}

process.on('SIGINT', () => void stop(0))
process.on('SIGTERM', () => void stop(0))

try {
  await main(process.argv.slice(2))
} catch (error) {
  // A command is run by a person. Reading the settings may be what failed, so they are not asked.
  const isCommand = process.argv[2] === 'admin'
  logFatal(error as Error, isCommand ? 'pretty' : logFormat(process.env, process.stderr.isTTY === true))
  await stop(1)
}
