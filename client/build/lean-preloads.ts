import type { Plugin } from 'vite'
import { withImports } from './page-preloads.ts'

/**
 * Parts that few people see on the page that offers them, or that nobody waits for: their own imports are loaded
 * after them.
 */
const SELDOM_SEEN =
  /^((Ask|Suspension|Tip)Dialog|OwnActions|BlockChoices|EndedSession|Goodbye|LogOutQuestion|NotFoundPage|SignedIn)$/

/**
 * Of the files that are loaded ahead of a lazy piece, names only those that the piece which asks for it has not brought:
 * each name is 8 bytes of the first load.
 */
export function leanPreloads(): Plugin {
  /** By the file of a piece: what is there when it runs. */
  const there = new Map<string, Set<string>>()
  /** The files of the parts that are seldom seen. */
  const seldom = new Set<string>()
  return {
    name: 'lean-preloads',
    apply: 'build',
    config: () => ({
      build: {
        modulePreload: {
          resolveDependencies: (file, needed, { hostId }) =>
            seldom.has(file) ? [] : needed.filter((name) => !there.get(hostId)?.has(name)),
        },
      },
    }),
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const entry = chunks.find(({ isEntry }) => isEntry)
      for (const chunk of chunks) {
        const files = withImports(bundle, chunk)
        if (entry) withImports(bundle, entry, files)
        there.set(chunk.fileName, files)
        if (SELDOM_SEEN.test(chunk.name)) seldom.add(chunk.fileName)
      }
    },
  }
}
