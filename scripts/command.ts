import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** The folder of the project. */
export const root = join(import.meta.dirname, '..')

/** How a command ended, and all that it wrote. */
export type Result = { ok: boolean; output: string; stdout: string }

/**
 * Runs a program of node_modules by this same Node.
 * @param program path below node_modules
 * @param options.live shows what it writes at once, in place of collecting it
 */
export function runTool(
  program: string,
  args: string[],
  options: { cwd?: string; live?: boolean; env?: NodeJS.ProcessEnv } = {},
): Promise<Result> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'node_modules', program), ...args], {
      cwd: options.cwd ?? root,
      stdio: options.live ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...options.env },
    })
    let output = ''
    let stdout = ''
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      output += text
      stdout += text
    })
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      output += text
    })
    child.once('error', (error) => resolve({ ok: false, output: error.message, stdout }))
    child.once('close', (code) => resolve({ ok: code === 0, output, stdout }))
  })
}

/** Writes one line for people. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Seconds since a moment of `performance.now()`, for people. */
export function secondsSince(start: number): string {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`
}
