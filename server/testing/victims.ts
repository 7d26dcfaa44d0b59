import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'vite'
import type { Harness } from './harness.ts'
import type { KillOptions } from './kill-server.ts'

/** Beside the packages, which the native ones among the server's are found from. */
const folder = join(import.meta.dirname, '..', '..', 'node_modules', '.cache')

/** The server that is killed, with all that it is made of in one file: finding 1500 modules takes half of a start. */
async function inOneFile(): Promise<string> {
  await mkdir(folder, { recursive: true })
  const outDir = await mkdtemp(join(folder, 'kill-server-'))
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: join(import.meta.dirname, 'kill-server.ts'),
      outDir,
      target: 'node20',
      rolldownOptions: { output: { entryFileNames: 'kill-server.mjs' } },
    },
    ssr: { noExternal: true, external: ['sharp', '@node-rs/argon2', 'node-av'] },
  })
  return join(outDir, 'kill-server.mjs')
}

/** A server in a process of its own: its address once it listens, and the signal that ended it. */
export type Victim = {
  address: Promise<string>
  ended: Promise<NodeJS.Signals | null>
  end(): void
  /** At once, with nothing put in order. */
  kill(): void
}

/** A checkpoint that a server without purchases never comes to, for one that is killed from outside. */
export const FROM_OUTSIDE = { crashAt: 'refund.gateway-answered', crashCount: 1, job: null } as const

export type Victims = {
  start(options: Pick<KillOptions, 'crashAt' | 'crashCount' | 'job' | 'massMessageId'>): Victim
  /** Ends all of them, and forgets their program. */
  dispose(): Promise<void>
}

/** Servers on the harness' database that kill themselves. */
export async function prepareVictims(harness: Harness): Promise<Victims> {
  const program = await inOneFile()
  const victims: Victim[] = []
  return {
    start(options) {
      const victim = startVictim(harness, program, options)
      victims.push(victim)
      return victim
    },
    async dispose() {
      for (const victim of victims) victim.end()
      await Promise.all(victims.map(({ ended }) => ended))
      await rm(join(program, '..'), { recursive: true, force: true })
    },
  }
}

function startVictim(
  harness: Harness,
  program: string,
  options: Pick<KillOptions, 'crashAt' | 'crashCount' | 'job' | 'massMessageId'>,
): Victim {
  const told: KillOptions = {
    ...options,
    databaseUrl: harness.databaseUrl,
    dataDir: harness.context.config.DATA_DIR,
    sandboxOrigin: harness.sandboxOrigin,
    clockOffset: harness.clock.offset(),
  }
  const child = spawn(process.execPath, ['--no-warnings', '--min-semi-space-size=16', program], {
    // Compiled once for all of them, a start takes half the time.
    env: { NODE_COMPILE_CACHE: `${told.dataDir}/compiled`, KILL: JSON.stringify(told) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit').then(([, signal]) => signal as NodeJS.Signals | null)
  const listening = once(createInterface(child.stdout), 'line').then(([line]) => String(line))
  const address = Promise.race([
    listening,
    ended.then(() => Promise.reject(new Error('ended before it listened'))),
  ])
  address.catch(() => {})
  return {
    address,
    ended,
    end: () => void child.kill('SIGTERM'),
    kill: () => void child.kill('SIGKILL'),
  }
}
