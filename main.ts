import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import pino, { type Logger } from 'pino'
import { SANDBOX_AGE_SECRET, SANDBOX_CREDENTIALS, startSandboxes } from './sandboxes.ts'
import { createClock } from './server/clock.ts'
import { type Config, readConfig } from './server/config.ts'
import { createDb, createPool } from './server/db/client.ts'
import { startEmbeddedPostgres } from './server/db/embedded/postgres.ts'
import { migrate } from './server/db/migrate.ts'
import { StartError } from './server/errors.ts'
import { type RunningServer, startServer } from './server/main.ts'
import { loadSampleData } from './server/sample/load.ts'
import { sampleLogIns } from './server/sample/people.ts'
import { runAdmin } from './server/start/admin.ts'
import { prepareDataFolder } from './server/start/data-folder.ts'

/** Time for calls and jobs under way when the program is told to stop, in milliseconds. */
const STOP_DEADLINE_MS = 25_000

/** JSON lines. Of an error only what finds its place: its other fields carry addresses and values of rows. */
function createLog(config: Config): Logger {
  return pino({
    level: config.LOG_LEVEL,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: {
      err: (error: Error & { code?: string }) => ({
        type: error.name,
        code: error.code,
        message: error.message,
        stack: error.stack,
      }),
    },
  })
}

/** What was started, to be ended in the opposite order. */
const started: { name: string; stop: () => Promise<void> }[] = []

/** The composition root: database, sandboxes for services without an account, the server; or one operator's command. */
async function main(args: string[]): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog(config)
  await prepareDataFolder(resolve(config.DATA_DIR))
  if (args[0] === 'admin') {
    process.exitCode = await runCommand(config, args.slice(1))
    return
  }
  const port = await freePort(config)
  const server = await start({ ...config, PORT: port }, log)
  if (sampleDataWanted(config) && config.ROLE !== 'web')
    await loadSampleData(server.context, (sentence) => process.stdout.write(`${sentence}\n`))
  announce(config, port)
}

async function start(config: Config, log: Logger): Promise<RunningServer> {
  const connectionString = config.DATABASE_URL ?? (await embeddedDatabase(config, log))
  const clock = createClock()
  const payments = config.AUTHORIZENET_API_LOGIN_ID === undefined
  // With a real payment account nobody may vouch for themselves: then the operator alone approves.
  const ageSandbox = payments && config.AGE_CHECK_URL === undefined
  const sandboxes = await startSandboxes({
    dataDir: config.DATA_DIR,
    now: clock.now,
    payments,
    mail: config.SMTP_URL === undefined,
    ageResults: ageSandbox ? () => `http://127.0.0.1:${config.PORT}/api/age/result` : null,
  })
  started.push({ name: 'sandboxes', stop: () => sandboxes.close() })
  const publicUrl = (config.PUBLIC_URL ?? `http://localhost:${config.PORT}`).replace(/\/+$/, '')
  const gateway = '/sandbox/authorizenet'
  const server = await startServer({
    config,
    connectionString,
    publicUrl,
    secretKey: config.SECRET_KEY ?? (await ownSecret(config)),
    clock,
    log,
    sandboxes: {
      authorizenet: payments
        ? {
            ...SANDBOX_CREDENTIALS,
            apiUrl: `http://127.0.0.1:${config.PORT}${gateway}/xml/v1/request.api`,
            scriptUrl: `${publicUrl}${gateway}/v1/Accept.js`,
          }
        : null,
      age: ageSandbox ? { url: `${publicUrl}/sandbox/age/`, secret: SANDBOX_AGE_SECRET } : null,
      smtpUrl: sandboxes.smtpUrl,
    },
    sandboxPlugins: sandboxes.plugins,
    clientDir: join(import.meta.dirname, 'client', 'dist'),
  })
  started.push({ name: 'server', stop: () => server.stop() })
  return server
}

async function embeddedDatabase(config: Config, log: Logger): Promise<string> {
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
  return postgres.connectionString
}

/** The installation's own secret, made at the first start when the operator sets none. */
async function ownSecret(config: Config): Promise<string> {
  const path = join(config.DATA_DIR, 'secret.key')
  if (!existsSync(path))
    await writeFile(path, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' })
  return (await readFile(path, 'utf8')).trim()
}

/** Says early and plainly that the port is taken, before a database is started for nothing; picks one for PORT=0. */
async function freePort(config: Config): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        new StartError(
          error.code === 'EADDRINUSE'
            ? `Port ${config.PORT} is taken by another program: stop it, or set PORT to a free one.`
            : error.code === 'EACCES'
              ? `Port ${config.PORT} is not allowed for this user: set PORT to one above 1023.`
              : `HOST ${config.HOST} is no address of this machine: set HOST to 0.0.0.0 or 127.0.0.1.`,
        ),
      )
    })
    probe.listen(config.PORT, config.HOST, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : config.PORT))
    })
  })
}

/** One operator's command against the configured database; a running embedded one can't be shared, so it must be stopped first. */
async function runCommand(config: Config, args: string[]): Promise<number> {
  const log = pino({ level: 'silent' })
  const connectionString = config.DATABASE_URL ?? (await embeddedDatabase(config, log))
  const db = createDb(createPool(connectionString, { max: 2, onError: () => {} }))
  try {
    await migrate(db, connectionString)
    const { ok, output } = await runAdmin(args, db, new Date())
    process.stdout.write(`${output}\n`)
    return ok ? 0 : 1
  } finally {
    await db.destroy()
    for (const { stop: end } of started.reverse()) await end()
  }
}

function sampleDataWanted(config: Config): boolean {
  return (config.SAMPLE_DATA ?? (config.DATABASE_URL ? 'off' : 'on')) === 'on'
}

function announce(config: Config, port: number): void {
  const lines = [`${config.BRAND_NAME} is ready at ${config.PUBLIC_URL ?? `http://localhost:${port}`}`]
  if (sampleDataWanted(config)) {
    lines.push(
      'Log in as:',
      ...sampleLogIns.map(({ role, email, password }) => `  ${role.padEnd(11)} ${email}  ${password}`),
    )
  }
  process.stdout.write(`${lines.join('\n')}\n`)
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
  process.stderr.write(error instanceof StartError ? `${error.message}\n` : `${(error as Error).stack}\n`)
  await stop(1)
}
