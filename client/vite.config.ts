import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { routes } from '../contract/index.ts'

/** Gives the browser only method and path of each call: the schemas stay on the server, and zod out of the first load. */
function lightRouteTable(): Plugin {
  return {
    name: 'light-route-table',
    apply: 'build',
    load(id) {
      if (!id.endsWith('/client/lib/route-table.ts')) return null
      const lines = Object.entries(routes).map(([name, { method, path }]) => `${name} ${method} ${path}`)
      return `export const table = Object.fromEntries(${JSON.stringify(lines.join('\n'))}.split('\\n').map((line) => {
        const [name, method, path] = line.split(' ')
        return [name, { method, path }]
      }))`
    },
  }
}

export default defineConfig({
  plugins: [react(), lightRouteTable()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The content policy allows no data: addresses, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What nearly every page needs comes in one piece, which compresses better than forty small ones.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 7 }] } } },
  },
})
