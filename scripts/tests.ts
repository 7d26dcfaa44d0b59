import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testsForWorkingTree } from './changed-tests.ts'
import { runChecks } from './checks.ts'
import { buildClientIfChanged } from './client-build.ts'
import { runTool, say, secondsSince } from './command.ts'

type Tally = { passed: number; failed: number; skipped: number }

/** The fields that are used of Vitest's JSON report: https://vitest.dev/guide/reporters#json-reporter */
type Report = {
  success: boolean
  testResults: { name: string; status: string; assertionResults: { status: string }[] }[]
}

/**
 * Runs the checks, then all tests and browser stories, and says how many passed, failed and were skipped.
 * Each check counts as one, and so does a build or a test file that could not run at all.
 * @returns whether something ran and nothing failed
 */
export async function runTests(): Promise<boolean> {
  const start = performance.now()
  const [checks, built] = await Promise.all([runChecks(), buildClientIfChanged()])
  const tests = await runVitest()
  const passed = checks.passed + tests.passed
  const failed = checks.failed + tests.failed + (built ? 0 : 1)
  say(`All of it took ${secondsSince(start)}.`)
  say(
    [`${passed} passed`, `${failed} failed`, ...(tests.skipped ? [`${tests.skipped} skipped`] : [])].join(
      ', ',
    ),
  )
  return failed === 0 && tests.passed > 0
}

/**
 * For the inner loop: types, and the unit tests that the files changed since `main` can break.
 * @returns whether nothing failed
 */
export async function runChanged(): Promise<boolean> {
  const types = await runTool('typescript-7/bin/tsc', ['--noEmit', '--pretty', 'false'])
  if (!types.ok) say(types.output)
  const files = await testsForWorkingTree()
  say(
    `${files.length} test files can be broken by what changed. Stories and the other checks run with all tests.`,
  )
  if (files.length === 0) return types.ok
  const tests = await runTool('vitest/vitest.mjs', ['run', '--project=!stories', ...files], { live: true })
  return types.ok && tests.ok
}

async function runVitest(): Promise<Tally> {
  const folder = await mkdtemp(join(tmpdir(), 'fanfare-report-'))
  const file = join(folder, 'report.json')
  // The servers that the tests start load the same modules again and again.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled')
  try {
    const { ok } = await runTool(
      'vitest/vitest.mjs',
      ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
      { live: true },
    )
    const tally = tallyOf(await readReport(file))
    // An error outside of any test, or an interrupted run, leaves no failed test behind.
    return ok || tally.failed > 0 ? tally : { ...tally, failed: 1 }
  } finally {
    // A server that is still ending may write its modules once more.
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

async function readReport(file: string): Promise<Report> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return { success: false, testResults: [] }
  }
}

function tallyOf(report: Report): Tally {
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  const count = (...statuses: string[]) => tests.filter(({ status }) => statuses.includes(status)).length
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  const passed = count('passed')
  const failed = count('failed') + brokenFiles.length
  return { passed, failed, skipped: tests.length - passed - count('failed') }
}
