import type { Plugin } from 'vite'

/** As packages write it: `Link.displayName = "Link";`. */
const DISPLAY_NAME = /^[\w$]+\.displayName = "[^"]*";$/gm
/** What React wraps or makes without any other effect, up to its call. */
const MADE_BY_REACT = /^(?:const|let|var) [\w$]+ = (?=[\w$]+\.(?:createContext|forwardRef|memo)\()/gm

/**
 * Leaves out the names that packages give their parts for developers' tools. Parts that nothing here uses would stay to
 * be named, as the router's forms do: 1.2 kB of every page's first load.
 */
export function withoutDisplayNames(): Plugin {
  return {
    name: 'without-display-names',
    apply: 'build',
    transform: {
      filter: { id: /\/node_modules\/(react-router|@mantine)\//, code: '.displayName = "' },
      handler: (code) => ({
        code: code.replace(DISPLAY_NAME, '').replace(MADE_BY_REACT, '$&/* @__PURE__ */ '),
        map: null,
      }),
    },
  }
}
