import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { postgresEnvironment } from './cluster.ts'
import { fromPostgres } from './failures.ts'

/** The running main process of PostgreSQL. */
export type Postmaster = {
  stop(): Promise<void>
  onExit(callback: () => void): void
}

type Options = { command: string[]; folder: string; log: (line: string) => void }

/** How long workers of a PostgreSQL that was killed may take to notice, in milliseconds. */
const orphansLast = 10_000
const stopPatience = 30_000

/**
 * Starts `postgres` and waits until it takes connections, recovery after a crash included.
 * @throws StartError when it gives up
 */
export async function startPostmaster(options: Options): Promise<Postmaster> {
  const deadline = Date.now() + orphansLast
  for (;;) {
    const attempt = await tryStart(options)
    if ('child' in attempt) return supervise(attempt.child)
    const orphans = /pre-existing shared memory block/.test(attempt.output)
    if (!orphans || Date.now() > deadline) throw fromPostgres(attempt.output, options.folder)
    await wait(200)
  }
}

function tryStart(options: Options): Promise<{ child: ChildProcess } | { output: string }> {
  const [command = '', ...args] = options.command
  // Detached: Ctrl-C in a terminal must reach this process alone, which ends its own work before the database.
  const child = spawn(command, args, {
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: postgresEnvironment(),
  })
  return new Promise((resolve) => {
    let output = ''
    let ready = false
    createInterface({ input: child.stderr }).on('line', (line) => {
      options.log(line)
      if (ready) return
      output += `${line}\n`
      ready = line.includes('database system is ready to accept connections')
      if (ready) resolve({ child })
    })
    child.once('error', (error) => resolve({ output: error.message }))
    child.once('close', () => resolve({ output }))
  })
}

function supervise(child: ChildProcess): Postmaster {
  let stopping = false
  const exited = new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve()
    else child.once('exit', () => resolve())
  })
  return {
    stop: async () => {
      stopping = true
      // Fast shutdown, and the immediate one when it hangs: https://www.postgresql.org/docs/18/server-shutdown.html
      child.kill('SIGINT')
      const hung = setTimeout(() => child.kill('SIGQUIT'), stopPatience)
      await exited
      clearTimeout(hung)
    },
    onExit: (callback) => {
      void exited.then(() => {
        if (!stopping) callback()
      })
    },
  }
}
