import { join } from 'node:path'
import { root, runTool } from './command.ts'
import { sourceFiles } from './source-files.ts'

const config = join(root, '.dependency-cruiser.cjs')

type Report = {
  modules: { source: string; dependencies: { resolved: string; dependencyTypes: string[] }[] }[]
  summary: { violations: { from: string; to: string; rule: { name: string } }[] }
}

/**
 * Checks who imports whom, by `.dependency-cruiser.cjs`.
 * @param folder of the project
 * @returns what is wrong, one line each; files that could not be read count as wrong
 */
export async function checkImports(folder = root): Promise<string[]> {
  const files = sourceFiles(folder)
  if (files.length === 0) return ['There is no file to check.']
  const { report, output } = await cruise(folder, files)
  if (!report) return [`dependency-cruiser failed: ${output}`]
  // With a TypeScript version that it doesn't support it reads nothing and reports no error.
  const read = new Set(report.modules.map(({ source }) => source))
  const unread = files.filter((path) => !read.has(path))
  if (read.size === 0) return ['dependency-cruiser read no file at all.']
  const comments = new Map<string, string>(await ruleComments())
  return [
    ...unread.map((path) => `${path}: dependency-cruiser did not read it`),
    ...report.summary.violations.map(
      ({ from, to, rule }) => `${from} -> ${to}: ${rule.name}. ${comments.get(rule.name) ?? ''}`,
    ),
  ]
}

/** Each file of the project with the files that it imports; types alone don't count. Throws when they could not be read. */
export async function importGraph(): Promise<Map<string, string[]>> {
  const { report, output } = await cruise(root, sourceFiles(root))
  if (!report) throw new Error(`dependency-cruiser failed: ${output}`)
  return new Map(
    report.modules.map(({ source, dependencies }) => [
      source,
      dependencies
        .filter(({ dependencyTypes }) => !dependencyTypes.includes('type-only'))
        .map(({ resolved }) => resolved),
    ]),
  )
}

async function cruise(folder: string, files: string[]): Promise<{ report: Report | null; output: string }> {
  const { stdout, output } = await runTool(
    'dependency-cruiser/bin/dependency-cruiser.mjs',
    ['--config', config, '--output-type', 'json', ...files],
    { cwd: folder },
  )
  return { report: parse(stdout), output }
}

function parse(text: string): Report | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

async function ruleComments(): Promise<[string, string][]> {
  const { default: configuration } = await import(config)
  return configuration.forbidden.map(({ name, comment }: { name: string; comment: string }) => [
    name,
    comment,
  ])
}
