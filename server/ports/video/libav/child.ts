import { type ChildProcess, spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type MediaRefusal, ProcessingStopped, StorageFailed } from '../port.ts'
import { type Limits, timeLimit } from './limits.ts'
import type { Job, Made, Report } from './worker.ts'

export type Outcome<Task extends keyof Made = keyof Made> =
  | { ok: true; made: Made[Task] }
  | { ok: false; refusal: MediaRefusal }

/** Callbacks for the progress of a job and for the length of a video in seconds. */
export type Watching = { onProgress: (percent: number) => void; onLength?: (seconds: number) => void }

/** Signals by which a decoder that broke on its input ends its process. */
const crashes = new Set<NodeJS.Signals | null>([
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGILL',
  'SIGSEGV',
  'SIGSYS',
  'SIGTRAP',
])
const worker = fileURLToPath(new URL('./worker.ts', import.meta.url))
const memoryCheckMs = 100

/**
 * Runs one job in a process of its own and ends it when it takes too long, too much memory, or `signal` aborts.
 * Rejects only for what is not the file's fault.
 */
export function runChild<Task extends keyof Made>(
  job: Job<Task>,
  limits: Limits,
  options: Watching & { signal: AbortSignal },
): Promise<Outcome<Task>> {
  return new Promise((resolve, reject) => {
    const { size: bytes } = statSync(job.path)
    const child = start(job, limits)
    let outcome: Outcome<Task> | null = null
    let failure: Error | null = null
    const refuse = (refusal: MediaRefusal) => {
      outcome ??= { ok: false, refusal }
      child.kill('SIGKILL')
    }
    const giveUp = () => refuse('media_too_long_to_process')
    let deadline = setTimeout(giveUp, timeLimit(limits, { seconds: 0, bytes }))
    const memory = setInterval(async () => {
      if ((await residentMb(child)) > limits.memoryMb) refuse('media_too_large')
    }, memoryCheckMs)
    const abort = () => {
      failure = new ProcessingStopped()
      child.kill('SIGKILL')
    }
    if (options.signal.aborted) abort()
    options.signal.addEventListener('abort', abort, { once: true })
    child.on('message', (report: Report) => {
      if (outcome) return
      if (report.kind === 'progress') options.onProgress(report.percent)
      else if (report.kind === 'length') {
        clearTimeout(deadline)
        deadline = setTimeout(giveUp, timeLimit(limits, { seconds: report.seconds, bytes }))
        options.onLength?.(report.seconds)
      } else if (report.kind === 'done') outcome = { ok: true, made: report.made as Made[Task] }
      else if (report.kind === 'refused') outcome = { ok: false, refusal: report.refusal }
      else failure = report.ofDisk ? new StorageFailed(report.message) : new Error(report.message)
    })
    child.on('error', (error) => {
      failure ??= error
    })
    child.on('close', (code, signal) => {
      clearTimeout(deadline)
      clearInterval(memory)
      options.signal.removeEventListener('abort', abort)
      if (failure) reject(failure)
      else if (outcome) resolve(outcome)
      else if (crashes.has(signal)) resolve({ ok: false, refusal: 'media_unreadable' })
      else reject(new Error(`media process ended with ${signal ?? code}`))
    })
  })
}

/** The environment holds secrets of the server: the child gets none of it but where modules are kept compiled. */
function start(job: Job, limits: Limits): ChildProcess {
  const { NODE_COMPILE_CACHE: compiled } = process.env
  const heap = `--max-old-space-size=${Math.max(64, Math.floor(limits.memoryMb / 4))}`
  return spawn(process.execPath, [heap, worker, JSON.stringify(job)], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { MALLOC_ARENA_MAX: '2', ...(compiled ? { NODE_COMPILE_CACHE: compiled } : {}) },
  })
}

/** MiB of memory that the child holds; 0 where the system does not tell. */
async function residentMb(child: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024
}
