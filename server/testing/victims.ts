import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { build } from 'vite'
import { inject } from 'vitest'
import type { Harness } from './harness.ts'
import type { KillOptions } from './kill-server.ts'

/**
 * The server that is killed, with all that it is made of in one file: finding 1500 modules takes half of a start. Who
 * needs it first builds it for all files of the run, while the others wait.
 */
async function inOneFile(): Promise<string> {
  const folder = inject('killServerFolder')
  const turn = new pg.Client({ connectionString: inject('databaseUrl') })
  await turn.connect()
  try {
    await turn.query(`select pg_advisory_lock(hashtext('kill-server'))`)
    if (!existsSync(folder)) await buildInto(folder)
  } finally {
    await turn.end()
  }
  return join(folder, 'kill-server.mjs')
}

async function buildInto(folder: string): Promise<void> {
  const outDir = `${folder}-unfinished`
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: join(import.meta.dirname, 'kill-server.ts'),
      outDir,
      target: 'node20',
      // Half the bytes to read, check and decode at each of the many starts.
      minify: true,
      rolldownOptions: { output: { entryFileNames: 'kill-server.mjs', chunkFileNames: '[name]-[hash].mjs' } },
    },
    // TypeScript is for the queue's settings in a file, which nobody has: 8 MB more at each start.
    ssr: { noExternal: true, external: ['sharp', '@node-rs/argon2', 'node-av', 'typescript'] },
  })
  await rename(outDir, folder)
}

/** A server in a process of its own: its address once it listens, and the signal that ended it. */
export type Victim = {
  address: Promise<string>
  ended: Promise<NodeJS.Signals | null>
  end(): void
  /** Ends it at once, without cleanup. */
  kill(): void
}

/** A checkpoint that a server without purchases never comes to, for one that is killed from outside. */
export const FROM_OUTSIDE = { crashAt: 'refund.gateway-answered', crashCount: 1, job: null } as const

export type Victims = {
  start(options: Pick<KillOptions, 'crashAt' | 'crashCount' | 'job' | 'massMessageId'>): Victim
  /** Ends all of them. */
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
    env: { NODE_COMPILE_CACHE: join(program, '..', 'compiled'), KILL: JSON.stringify(told) },
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
