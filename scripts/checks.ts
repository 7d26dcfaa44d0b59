import { stripVTControlCharacters } from 'node:util'
import { checkClientTexts } from './client-texts.ts'
import { runTool, say, secondsSince } from './command.ts'
import { checkImports } from './imports.ts'
import { checkStructure, longFiles } from './structure.ts'
import { checkTableWriters } from './table-writers.ts'

type Outcome = { ok: boolean; output: string }

const checks: { name: string; run: () => Promise<Outcome> }[] = [
  {
    name: 'types',
    // Files that didn't change since the last check are not read again: 35 s become 3. Without anything kept, four
    // checkers would work out four times what all files share: 56 s of processor, 24 with one.
    run: () =>
      runTool('typescript-7/bin/tsc', [
        ...['--project', 'tsconfig.json', '--noEmit', '--pretty', 'false'],
        ...['--checkers', '1', '--incremental', '--tsBuildInfoFile', 'node_modules/.cache/tsc.json'],
      ]),
  },
  {
    name: 'lint and format',
    run: () => runTool('@biomejs/biome/bin/biome', ['check', '--error-on-warnings']),
  },
  { name: 'imports', run: async () => listed(await checkImports()) },
  { name: 'structure', run: async () => listed(await checkStructure()) },
  { name: 'places of texts', run: async () => listed(await checkClientTexts()) },
  { name: 'writers of tables', run: async () => listed(await checkTableWriters()) },
  {
    name: 'dead code',
    run: () => runTool('knip/bin/knip.js', ['--no-progress', '--treat-config-hints-as-errors']),
  },
]

/** Runs all checks at once, and says a line for each; what a failed one wrote follows its line. */
export async function runChecks(): Promise<{ passed: number; failed: number }> {
  let failed = 0
  const start = performance.now()
  const running = checks.map(async ({ name, run }) => ({ name, ...(await run()), took: secondsSince(start) }))
  for (const { name, ok, output, took } of await Promise.all(running)) {
    say(`${ok ? 'ok    ' : 'FAILED'} ${name} (${took})`)
    if (ok) continue
    failed += 1
    say(stripVTControlCharacters(output).trimEnd().replace(/^/gm, '  '))
  }
  for (const hint of longFiles()) say(`hint   ${hint}`)
  return { passed: checks.length - failed, failed }
}

function listed(problems: string[]): Outcome {
  return { ok: problems.length === 0, output: problems.join('\n') }
}
