import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './command.ts'
import { plantProject } from './planted-project.ts'

/** What the start did, beside a build and a program that say that they ran, and how it ended. */
function started({ args = [], role, isBuilt = true }: { args?: string[]; role: string; isBuilt?: boolean }) {
  const real = (path: string) => readFileSync(join(root, path), 'utf8')
  using project = plantProject({
    'scripts/start.mjs': real('scripts/start.mjs'),
    'scripts/node-version.mjs': real('scripts/node-version.mjs'),
    'scripts/client-build.ts': `export const buildClientIfChanged = async () => (console.log('build'), ${isBuilt})`,
    'server/start/log.ts': 'export const [logFormat, createLog] = [() => "json", () => ({})]',
    'main.ts': `console.log('program', ...process.argv.slice(2))`,
  })
  const { stdout, status } = spawnSync(process.execPath, ['scripts/start.mjs', ...args], {
    cwd: project.folder,
    env: { ...process.env, ROLE: role },
    encoding: 'utf8',
  })
  return { did: stdout.trim().split('\n'), status }
}

test.each(['all', 'web'])('as %s it builds the client before it runs the program, or fails', (role) => {
  expect(started({ role })).toEqual({ did: ['build', 'program'], status: 0 })
  expect(started({ role, isBuilt: false })).toEqual({ did: ['build'], status: 1 })
})

test('as a worker, and for an operator’s command, it builds no client', () => {
  expect(started({ role: 'worker', isBuilt: false })).toEqual({ did: ['program'], status: 0 })
  const books = started({ role: 'all', args: ['admin', 'books'], isBuilt: false })
  expect(books).toEqual({ did: ['program admin books'], status: 0 })
})
