import { join } from 'node:path'
import type { Plugin } from 'vite'

const REPLACEMENTS = join(import.meta.dirname, 'router-in-browser.ts')

/** The router's imports (importer, then source) that matter only with server rendering or instrumentation. */
const LEFT_OUT = [
  ['/dom/lib.js', './ssr/components.js'],
  ['/lib/components.js', './dom/ssr/components.js'],
  ['/router/router.js', './instrumentation.js'],
] as const

/**
 * Leaves out of the router what serves applications that a server of its own draws: 2.5 kB of every page's first load.
 * The build fails when a version of the router asks for other files, or for more of these.
 */
export function leanRouter(): Plugin {
  const found = new Set<string>()
  return {
    name: 'lean-router',
    apply: 'build',
    enforce: 'pre',
    resolveId: {
      filter: { id: /\/(ssr\/components|instrumentation)\.js$|^\.\/instrumentation\.js$/ },
      handler(source, importer = '') {
        if (!importer.includes('/node_modules/react-router/')) return null
        const entry = LEFT_OUT.find(([from, what]) => importer.endsWith(from) && source === what)
        if (!entry) return null
        found.add(entry[0])
        return REPLACEMENTS
      },
    },
    buildEnd(error) {
      const missing = LEFT_OUT.map(([from]) => from).filter((from) => !found.has(from))
      if (!error && missing.length > 0)
        this.error(`${missing.join(', ')}: the router has no such file that asks for what is left out.`)
    },
  }
}
