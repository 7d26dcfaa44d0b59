import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'
import { root } from './command.ts'
import { importGraph } from './imports.ts'

/** The import graph: each file with the files that it imports. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>

/**
 * Files that import everything. Nearly every test reaches the server through them, so imports through them don't say
 * what a test covers.
 */
const FRONT_DOORS = new Set([
  'main.ts',
  'product.ts',
  'contract/index.ts',
  'server/app.ts',
  'server/main.ts',
  'client/app/router.tsx',
  'client/lib/routes.ts',
])

/** Tests that make every call of the contract, wherever a call is declared. */
const EVERY_CALL = 'server/testing/matrix.test.ts'

/**
 * Chooses the unit tests that a change can break: those that import what changed, and those that stand beside it
 * or beside what imports it, since a test calls the API and stands next to the code that it covers.
 * @param changed paths from the root of the project
 * @returns test files, sorted
 */
export function testsFor(changed: readonly string[], graph: ImportGraph): string[] {
  const affected = importersOf(changed, graph)
  const tests = [...graph.keys()].filter((path) => /\.test\.tsx?$/.test(path))
  const folders = new Set(tests.map((path) => dirname(path)))
  const beside = new Set(
    [...affected]
      .filter((path) => !isTest(path) && !FRONT_DOORS.has(path))
      .map((path) => nearestFolder(dirname(path), folders)),
  )
  return tests
    .filter(
      (path) =>
        affected.has(path) ||
        beside.has(dirname(path)) ||
        (path === EVERY_CALL && changed.some((file) => file.startsWith('contract/'))),
    )
    .sort()
}

/** The unit tests for what differs from `main`, committed or not. */
export async function testsForWorkingTree(): Promise<string[]> {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  const changed = [
    ...git('diff', '--name-only', '--merge-base', 'main'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
  return testsFor(changed, await importGraph())
}

/** The files themselves, and whatever imports them directly or indirectly, but not through those files. */
function importersOf(changed: readonly string[], graph: ImportGraph): Set<string> {
  const importers = new Map<string, string[]>()
  for (const [file, imported] of graph)
    for (const path of imported) importers.set(path, [...(importers.get(path) ?? []), file])
  const affected = new Set<string>()
  const waiting = [...changed]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (affected.has(path)) continue
    affected.add(path)
    if (!FRONT_DOORS.has(path)) waiting.push(...(importers.get(path) ?? []))
  }
  return affected
}

function isTest(path: string): boolean {
  return /\.(test|story)\.tsx?$/.test(path)
}

/** The folder itself, or the nearest above it that has tests. */
function nearestFolder(folder: string, withTests: ReadonlySet<string>): string | null {
  if (withTests.has(folder)) return folder
  const above = dirname(folder)
  return above === folder ? null : nearestFolder(above, withTests)
}
