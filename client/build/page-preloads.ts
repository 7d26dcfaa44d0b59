import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { pagesOf } from './page-tables.ts'

const APP = join(import.meta.dirname, '..', 'app')
const GUARD = join(APP, 'GuardedPage.tsx')
const FIELDS = join(APP, 'dashboard', 'FieldsScope.tsx')

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
      for (const { table, along, hasFields, ...page } of pagesOf(this)) {
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
      this.emitFile({ type: 'asset', fileName: 'preloads.json', source: JSON.stringify(preloads) })
    },
  }
}

/** The chunk, what it imports at once, and the styles of all of them. */
export function withImports(
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
