import { resolve } from 'node:path'
import pino from 'pino'
import { endAll, type Started, startDatabase, startProduct } from './product.ts'
import { createClock } from './server/clock.ts'
import { type Config, readConfig } from './server/config.ts'
import { isTrial } from './server/context.ts'
import { createKeyring } from './server/crypto/keyring.ts'
import { createVault } from './server/crypto/vault.ts'
import { createDb, createPool } from './server/db/client.ts'
import { findOrStartPostgres } from './server/db/embedded/running.ts'
import { migrate } from './server/db/migrate.ts'
import { pastGateway } from './server/sample/gateway.ts'
import { loadSampleData } from './server/sample/load.ts'
import { currentSamplePassword } from './server/sample/passwords.ts'
import { runAdmin } from './server/start/admin.ts'
import { prepareDataFolder } from './server/start/data-folder.ts'
import { createLog, logFatal, logFormat, logProcessEvents } from './server/start/log.ts'
import { announce, greeting } from './server/start/ready.ts'
import { readClock } from './server/start/sandbox-clock.ts'
import { readSecrets } from './server/start/secrets.ts'
import { SERVICES } from './server/start/services.ts'

/** Time for calls and jobs under way when the program is told to stop, in milliseconds. */
const STOP_DEADLINE_MS = 25_000

const started: Started = []

/** Starts the product, or does one operator's command. */
async function main(args: string[]): Promise<void> {
  const read = readConfig(process.env)
  const config = { ...read, LOG_FORMAT: logFormat(read, process.stdout.isTTY === true) }
  const write = (line: string) => process.stdout.write(line)
  const log = createLog(config, write)
  if (args[0] === 'admin') {
    process.exitCode = await runCommand(config, args.slice(1))
    return
  }
  if (config.LOG_FORMAT === 'json') logProcessEvents(log)
  const onDatabaseEnd = () => {
    if (stopping) return
    log.error('PostgreSQL ended by itself')
    void stop(1)
  }
  const {
    server,
    gateway,
    config: { PORT: port },
  } = await startProduct({ config, log, started, onDatabaseEnd })
  const loads = sampleDataWanted(config) && config.ROLE !== 'web' && gateway
  const hasSample = loads
    ? await loadSampleData(server.context, pastGateway(gateway), (sentence) => log.info(sentence))
    : sampleDataWanted(config)
  const trials = SERVICES.filter((service) => config.services[service] === 'sandbox')
  if (trials.length > 0) log.warn(`Only a sandbox, for trying things: ${trials.join(', ')}`)
  const password = hasSample ? currentSamplePassword(server.context).password : null
  const ready = { ...config, PORT: port, password }
  if (config.LOG_FORMAT === 'pretty') write(greeting(ready))
  // Whoever waits for it does so whatever else is logged.
  else announce(createLog({ ...config, LOG_LEVEL: 'info' }, write), ready)
}

/** One operator's command against the configured database: the embedded one is started unless it runs already. */
async function runCommand(config: Config, args: string[]): Promise<number> {
  await prepareDataFolder(resolve(config.DATA_DIR))
  const log = pino({ level: 'silent' })
  const start = () => startDatabase({ config, log, started, onDatabaseEnd: () => {} })
  const connectionString =
    config.DATABASE_OWNER_URL ??
    config.DATABASE_URL ??
    (await findOrStartPostgres(config.DATA_DIR, {
      start: async () => (await start()).connectionString,
      onWait: () => process.stderr.write('Waiting for the server, which is starting or stopping.\n'),
    }))
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
    await endAll(started)
  }
}

function sampleDataWanted(config: Config): boolean {
  return (config.SAMPLE_DATA ?? (isTrial(config) && !config.DATABASE_URL ? 'on' : 'off')) === 'on'
}

let stopping = false

async function stop(code: number): Promise<void> {
  if (stopping) return
  stopping = true
  setTimeout(() => process.exit(code || 1), STOP_DEADLINE_MS).unref()
  await endAll(started)
  process.exit(code)
}

process.on('SIGINT', () => void stop(0))
process.on('SIGTERM', () => void stop(0))

try {
  await main(process.argv.slice(2))
} catch (error) {
  // A command is run by a person. Reading the settings may be what failed, so they are not asked.
  const isCommand = process.argv[2] === 'admin'
  // What fails once a stop was asked for, such as a start whose database just ended, is no failure.
  if (!stopping)
    logFatal(error as Error, isCommand ? 'pretty' : logFormat(process.env, process.stderr.isTTY === true))
  await stop(1)
}
