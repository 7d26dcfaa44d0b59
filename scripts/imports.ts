import { join } from 'node:path'
import { root, runTool } from './command.ts'
import { sourceFiles } from './source-files.ts'

type Report = {
  modules: { source: string }[]
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
  const config = join(root, '.dependency-cruiser.cjs')
  const result = await runTool(
    'dependency-cruiser/bin/dependency-cruiser.mjs',
    ['--config', config, '--output-type', 'json', ...files],
    { cwd: folder },
  )
  const report = parse(result.stdout)
  if (!report) return [`dependency-cruiser failed: ${result.output}`]
  // Without a TypeScript that it understands it reads nothing and is content.
  const read = new Set(report.modules.map(({ source }) => source))
  const unread = files.filter((path) => !read.has(path))
  if (read.size === 0) return ['dependency-cruiser read no file at all.']
  const comments = new Map<string, string>(await ruleComments(config))
  return [
    ...unread.map((path) => `${path}: dependency-cruiser did not read it`),
    ...report.summary.violations.map(
      ({ from, to, rule }) => `${from} -> ${to}: ${rule.name}. ${comments.get(rule.name) ?? ''}`,
    ),
  ]
}

function parse(text: string): Report | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

async function ruleComments(config: string): Promise<[string, string][]> {
  const { default: configuration } = await import(config)
  return configuration.forbidden.map(({ name, comment }: { name: string; comment: string }) => [
    name,
    comment,
  ])
}
