import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { type Node, propertyOf, walk } from './syntax-tree.ts'

const APP = join(import.meta.dirname, '..', 'app')
const GUARD = join(APP, 'GuardedPage.tsx')
const FIELDS = join(APP, 'dashboard', 'FieldsScope.tsx')
const DASHBOARD = join(APP, 'routes-dashboard.tsx')
/** The tables of pages, with what comes along with the first of each (client/app/router.tsx). */
const TABLES: readonly { table: string; along: readonly string[]; hasFields?: true }[] = [
  { table: join(APP, 'routes-public.ts'), along: [] },
  { table: join(APP, 'routes-occasional.ts'), along: [join(APP, 'routes-occasional.ts')] },
  { table: DASHBOARD, along: [DASHBOARD], hasFields: true },
  {
    table: join(APP, 'routes-promotion.tsx'),
    along: [join(APP, 'routes-promotion.tsx'), DASHBOARD],
    hasFields: true,
  },
]

/**
 * Writes `preloads.json`: which scripts and styles each page needs beside the entry's own, so that the server can name
 * them in the document, and the browser asks for them before the entry has run.
 */
export function pagePreloads(): Plugin {
  return {
    name: 'page-preloads',
    apply: 'build',
    async generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const entry = chunks.find(({ isEntry }) => isEntry)
      const there = entry ? withImports(bundle, entry) : new Set()
      const preloads: Record<string, string[]> = {}
      for (const { table, along, hasFields } of TABLES) {
        const { code } = this.getModuleInfo(table) ?? {}
        for (const page of pagesIn(this.parse(code ?? '') as unknown as Node)) {
          const imported = await Promise.all(
            page.imports.map(async (source) => (await this.resolve(source, table))?.id),
          )
          const around = [page.guarded && GUARD, hasFields && !page.plain && FIELDS]
          const modules = [...along, ...around.filter(Boolean), ...imported]
          const files = new Set<string>()
          for (const chunk of chunks) {
            if (modules.includes(chunk.facadeModuleId ?? ''))
              for (const file of withImports(bundle, chunk)) files.add(file)
          }
          preloads[page.path] = [...files].filter((file) => !there.has(file))
        }
      }
      this.emitFile({ type: 'asset', fileName: 'preloads.json', source: JSON.stringify(preloads) })
    },
  }
}

/** The chunk, what it imports at once, and the styles of all of them. */
function withImports(
  bundle: Rolldown.OutputBundle,
  chunk: Rolldown.OutputChunk,
  seen = new Set<string>(),
): Set<string> {
  seen.add(chunk.fileName)
  for (const style of chunk.viteMetadata?.importedCss ?? []) seen.add(style)
  for (const name of chunk.imports) {
    const imported = bundle[name]
    if (imported?.type === 'chunk' && !seen.has(name)) withImports(bundle, imported, seen)
  }
  return seen
}

type Page = { path: string; guarded: boolean; plain: boolean; imports: string[] }

/** The pages of a table, `{ path, guard?, load: () => import('…') }`, with all that each imports when it is opened. */
function pagesIn(program: Node): Page[] {
  const pages: Page[] = []
  // What several pages have is said once, before the table.
  const named = new Map<string, Node>()
  walk(program, (node) => {
    const { id, init } = node as Node & { id?: Node; init?: Node }
    if (node.type === 'VariableDeclarator' && id?.name && init) named.set(id.name, init)
    if (node.type !== 'ObjectExpression') return true
    const path = propertyOf(node, 'path')?.value
    if (typeof path !== 'string') return true
    const imports: string[] = []
    const collect = (part: Node): unknown => {
      if (part.type === 'ImportExpression') imports.push(String(part.source?.value))
      return true
    }
    for (const part of [propertyOf(node, 'begin'), propertyOf(node, 'load')])
      if (part) walk(named.get(part.name ?? '') ?? part, collect)
    const has = (name: string) => propertyOf(node, name) !== undefined
    pages.push({ path, guarded: has('guard'), plain: has('plain'), imports })
    return false
  })
  return pages
}
