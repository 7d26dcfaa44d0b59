import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** The product as a person starts it, on a data folder and a port of its own. */
export type Fanfare = {
  origin: string
  dataDir: string
  process: ChildProcess
  /** Ends it gracefully, or as the signal says. */
  end(signal?: NodeJS.Signals): Promise<void>
  /** Starts it again on the same data and port. */
  restart(): Promise<void>
  /** Ends it and removes its data. */
  dispose(): Promise<void>
}

/** Starts the whole product through its own entry point and waits until it is ready. */
export async function startFanfare(environment: Record<string, string> = {}): Promise<Fanfare> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fanfare-story-'))
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const start = () =>
    launch({
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      SAMPLE_DATA: 'off',
      LOG_LEVEL: 'error',
      ...environment,
    })
  const fanfare: Fanfare = {
    origin,
    dataDir,
    process: await start(),
    async end(signal = 'SIGTERM') {
      const { process: child } = fanfare
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill(signal)
      await ended
    },
    async restart() {
      fanfare.process = await start()
    },
    async dispose() {
      await fanfare.end()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  return fanfare
}

function launch(environment: Record<string, string>): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(root, 'main.ts')], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return new Promise((resolve, reject) => {
    let output = ''
    const hear = (chunk: Buffer) => {
      output += chunk
      if (output.includes(' is ready at ')) resolve(child)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('exit', (code) => reject(new Error(`the product ended with ${code}: ${output}`)))
  })
}

async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
