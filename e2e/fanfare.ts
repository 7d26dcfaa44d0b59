import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endAll, type Started, startProduct } from '../product.ts'
import { readConfig } from '../server/config.ts'
import { createLog } from '../server/start/log.ts'

const root = join(import.meta.dirname, '..')

/** Growing to the room for objects by collections takes a sixth of a start. */
const ROOM_AT_ONCE = ['--min-semi-space-size=16', '--max-semi-space-size=32', '--initial-old-space-size=384']

/** The product on a data folder and a port of its own. */
export type Fanfare = {
  origin: string
  dataDir: string
  /** Ends it and removes its data. */
  dispose(): Promise<void>
}

/** The product as a person starts it, which can be ended and started again. */
export type FanfareProcess = Fanfare & {
  process: ChildProcess
  /** What it wrote on both outputs until it was ready, the last time that it was started. */
  greeting: string
  /** Ends it gracefully, or as the signal says; answers its exit code, null when the signal ended it. */
  end(signal?: NodeJS.Signals): Promise<number | null>
  /** Waits until it has ended by itself; answers its exit code. */
  ended(): Promise<number | null>
  /** Starts it again on the same data and port. */
  restart(): Promise<void>
}

/**
 * Starts the whole product in this process: one of its own takes seconds of processor time until it has loaded and compiled
 * what the story before has already. Its log isn't kept.
 */
export async function startFanfare(environment: Record<string, string> = {}): Promise<Fanfare> {
  const { started, ...fanfare } = await startAt(environment, async (settings) => {
    const started: Started = []
    const config = { ...readConfig({ ...process.env, ...settings }), LOG_FORMAT: 'json' as const }
    const log = createLog(config, () => {})
    await startProduct({ config, log, started, onDatabaseEnd: () => {} }).catch(async (error) => {
      await endAll(started)
      throw error
    })
    return { started }
  })
  return { ...fanfare, dispose: () => fanfare.dispose(() => endAll(started)) }
}

/** Starts the whole product through its own entry point and waits until it is ready. */
export async function startProcess(environment: Record<string, string> = {}): Promise<FanfareProcess> {
  const { settings, dispose, ...started } = await startAt(environment, launch)
  const fanfare: FanfareProcess = {
    ...started,
    end(signal = 'SIGTERM') {
      fanfare.process.kill(signal)
      return fanfare.ended()
    },
    async ended() {
      const { process: child } = fanfare
      if (child.exitCode === null && child.signalCode === null)
        await new Promise((resolve) => child.once('exit', resolve))
      return child.exitCode
    },
    async restart() {
      Object.assign(fanfare, await launch(settings))
    },
    dispose: () => dispose(() => fanfare.end()),
  }
  return fanfare
}

type Place = {
  origin: string
  dataDir: string
  settings: Record<string, string>
  /** Removes the data once this has ended the product. */
  dispose(end: () => Promise<unknown>): Promise<void>
}

/** Starts it on a new data folder, and on a port that another worker may have found free as well. */
async function startAt<Running extends object>(
  environment: Record<string, string>,
  start: (settings: Record<string, string>) => Promise<Running>,
): Promise<Place & Running> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fanfare-story-'))
  const startOnce = async (): Promise<Place & Running> => {
    const port = await takePort()
    const settings = {
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      SAMPLE_DATA: 'off',
      LOG_LEVEL: 'error',
      ...environment,
    }
    const running = await start(settings).catch((error: unknown) => {
      if (/Port \d+ is taken/.test(String(error))) return null
      throw error
    })
    if (!running) return startOnce()
    return {
      ...running,
      origin: `http://localhost:${port}`,
      dataDir,
      settings,
      async dispose(end) {
        await end()
        returned.push(port)
        await rm(dataDir, { recursive: true, force: true })
      },
    }
  }
  return startOnce().catch(async (error: unknown) => {
    await rm(dataDir, { recursive: true, force: true })
    throw error
  })
}

/** Starts the product with settings that it can't start with, and waits until it has ended. */
export async function failToStart(
  environment: Record<string, string>,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fanfare-story-'))
  try {
    const child = run({ PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir, SAMPLE_DATA: 'off', ...environment })
    let stdout = ''
    let stderr = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout += chunk
      // It started after all; what it said is told by the test that fails.
      if (stdout.includes(' is ready at ')) child.kill()
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr += chunk
    })
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
    return { code, stdout, stderr }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

function run(environment: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [...ROOM_AT_ONCE, join(root, 'main.ts')], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function launch(environment: Record<string, string>): Promise<Pick<FanfareProcess, 'process' | 'greeting'>> {
  const child = run(environment)
  return new Promise((resolve, reject) => {
    let output = ''
    const collect = (chunk: Buffer) => {
      output += chunk
      if (/ is ready at .*\n/.test(output)) resolve({ process: child, greeting: output })
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    // How it ended, when it ended otherwise than it was told to.
    child.stderr?.pipe(process.stderr, { end: false })
    child.once('close', (code) => reject(new Error(`the product ended with ${code}: ${output}`)))
  })
}

/** Below the ports that systems give to connections, so that none takes it before the product does, or while it is down. */
const [LOWEST_PORT, HIGHEST_PORT] = [11_000, 32_000]

/** Of servers that have ended: pages are lent again by address. */
const returned: number[] = []

async function takePort(): Promise<number> {
  const port = returned.sort((one, other) => one - other).shift() ?? randomInt(LOWEST_PORT, HIGHEST_PORT)
  const isFree = await new Promise<boolean>((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
  return isFree ? port : takePort()
}
