import { flushCompileCache } from 'node:module'
import pino from 'pino'
import { SANDBOX_CREDENTIALS, SANDBOX_FORUM_CLIENT } from '../../sandboxes.ts'
import { createClock } from '../clock.ts'
import { readConfig } from '../config.ts'
import type { Checkpoint } from '../context.ts'
import { startServer } from '../main.ts'

/** What a test tells the server that it kills, as one line of JSON in the variable `KILL`. */
export type KillOptions = {
  databaseUrl: string
  dataDir: string
  /** Where the sandbox gateway answers, which outlives this process. */
  sandboxOrigin: string
  clockOffset: number
  /** The process ends by SIGKILL when something comes to this checkpoint for the `crashCount`-th time. */
  crashAt: Checkpoint
  crashCount: number
  /** Run as the first thing, and the last. */
  job:
    | 'purchases.recover'
    | 'refunds.recover'
    | 'payments.compare'
    | 'renewals.charge'
    | 'posts.submit'
    | null
  /** Or this mass message is worked at until it went to everybody. */
  massMessageId?: string
}

const options = JSON.parse(process.env.KILL ?? '{}') as KillOptions
const gateway = `${options.sandboxOrigin}/sandbox/authorizenet`
let arrivals = 0

const config = readConfig({
  PORT: '0',
  HOST: '127.0.0.1',
  DATA_DIR: options.dataDir,
  DATABASE_URL: options.databaseUrl,
  SECRET_KEY: 'a secret for tests, long enough to be one',
  ROLE: 'web',
  LOG_LEVEL: 'silent',
})
const server = await startServer({
  config,
  connectionString: options.databaseUrl,
  publicUrl: 'http://fanfare.test',
  secretKey: config.SECRET_KEY ?? '',
  clock: createClock(options.clockOffset),
  log: pino({ level: config.LOG_LEVEL }),
  sandboxes: {
    authorizenet: {
      ...SANDBOX_CREDENTIALS,
      apiUrl: `${gateway}/xml/v1/request.api`,
      scriptUrl: `${gateway}/v1/Accept.js`,
    },
    age: null,
    reddit: {
      ...SANDBOX_FORUM_CLIENT,
      url: `${options.sandboxOrigin}/sandbox/reddit`,
      internalUrl: `${options.sandboxOrigin}/sandbox/reddit`,
    },
    smtpUrl: 'smtp://127.0.0.1:1',
  },
  sandboxPlugins: {},
  clientDir: null,
  rateLimits: false,
  checkpoint: async (name) => {
    if (name !== options.crashAt) return
    arrivals += 1
    if (arrivals === options.crashCount) process.kill(process.pid, 'SIGKILL')
  },
})
// A killed process writes nothing at its end, so the compile cache is written now.
flushCompileCache()
process.stdout.write(`${server.address}\n`)
if (options.massMessageId) {
  const { massMessageId } = options
  const isGoing = () =>
    server.context.db
      .selectFrom('mass_messages')
      .select('id')
      .where('id', '=', massMessageId)
      .where('status', 'in', ['sending', 'unsending'])
      .executeTakeFirst()
  while (await isGoing())
    await server.jobs['messages.mass']({ massMessageId }, { attempt: 1, lastAttempt: false })
  process.exit(0)
}
if (options.job) {
  await server.jobs[options.job]({}, { attempt: 1, lastAttempt: false })
  process.exit(0)
}
