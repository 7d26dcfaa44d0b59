import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import pg from 'pg'

/** The first message of a process that starts the embedded PostgreSQL. */
export type Outcome = { connectionString: string } | { refusal: string }

/** A process of its own that runs the embedded PostgreSQL until it is told to stop or is killed. */
export type StartedProcess = {
  outcome: Outcome
  /** The next line that it prints. */
  nextLine(): Promise<string>
  kill(signal: NodeJS.Signals): Promise<void>
  /** Sends a signal to its whole process group, as Ctrl-C in a terminal does. */
  signalGroup(signal: NodeJS.Signals): void
}

/**
 * Starts the embedded PostgreSQL in another process, for tests that kill it. It stops on SIGTERM, says
 * `still answers` on SIGINT when PostgreSQL does, and `postgres ended` when PostgreSQL ended by itself.
 * @param options.before JavaScript to run first
 */
export async function startInProcess(options: {
  dataDir: string
  env?: NodeJS.ProcessEnv
  uid?: number
  before?: string
}): Promise<StartedProcess> {
  const program = `
    ${options.before ?? ''}
    const { startEmbeddedPostgres } = await import(${JSON.stringify(import.meta.resolve('./postgres.ts'))})
    const { default: pg } = await import(${JSON.stringify(import.meta.resolve('pg'))})
    const { StartError } = await import(${JSON.stringify(import.meta.resolve('../../errors.ts'))})
    try {
      const postgres = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(options.dataDir)} })
      const connectionString = postgres.connectionString
      postgres.onExit(() => console.log('postgres ended'))
      process.on('SIGTERM', () => postgres.stop())
      process.on('SIGINT', async () => {
        const client = new pg.Client({ connectionString })
        await client.connect()
        await client.query('select 1')
        await client.end()
        console.log('still answers')
      })
      console.log(JSON.stringify({ connectionString }))
    } catch (error) {
      if (!(error instanceof StartError)) throw error
      console.log(JSON.stringify({ refusal: error.message }))
    }`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...options.env },
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  })
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const nextLine = async () => String((await lines.next()).value)
  const { pid } = child
  if (pid === undefined) throw new Error('The process did not start.')
  return {
    outcome: JSON.parse(await nextLine()),
    nextLine,
    kill: async (signal) => {
      child.kill(signal)
      await exited
    },
    signalGroup: (signal) => process.kill(-pid, signal),
  }
}

/** The address of a database that started. */
export function address(outcome: Outcome | undefined): string {
  if (outcome && 'connectionString' in outcome) return outcome.connectionString
  throw new Error(`It did not start: ${outcome?.refusal}`)
}

/** A connection that outlives the end of its database, for the test to look at. */
export async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  // A database that is killed cuts its connections, which pg tells as an event.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Runs one command and answers its rows. */
export async function query(connectionString: string, sql: string): Promise<unknown[]> {
  const client = await connect(connectionString)
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
