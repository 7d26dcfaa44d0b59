import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build, defineConfig, type Plugin } from 'vite'
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

/**
 * Writes `preloads.json`: which scripts and styles each page needs beside the entry's own, so that the server can name
 * them in the document, and the browser asks for them before the entry has run.
 */
function pagePreloads(): Plugin {
  return {
    name: 'page-preloads',
    apply: 'build',
    async generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const needed = (file: string, seen = new Set<string>()): Set<string> => {
        const chunk = chunks.find(({ fileName }) => fileName === file)
        if (!chunk || seen.has(file)) return seen
        seen.add(file)
        for (const style of chunk.viteMetadata?.importedCss ?? []) seen.add(style)
        for (const imported of chunk.imports) needed(imported, seen)
        return seen
      }
      const entry = chunks.find(({ isEntry }) => isEntry)
      const there = needed(entry?.fileName ?? '')
      const preloads: Record<string, string[]> = {}
      const routes = await readFile(join(import.meta.dirname, 'app', 'routes-public.ts'), 'utf8')
      for (const route of routes.split("path: '").slice(1)) {
        const [record = ''] = route.split('\n  },')
        const [path = ''] = record.split("'")
        const files = new Set<string>()
        for (const [, module] of record.matchAll(/import\('\.+\/([^']+)'\)/g)) {
          const page = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/${module}`))
          if (page) needed(page.fileName, files)
        }
        preloads[path] = [...files].filter((file) => !there.has(file))
      }
      this.emitFile({ type: 'asset', fileName: 'preloads.json', source: JSON.stringify(preloads) })
    },
  }
}

/**
 * Puts the styles that every page needs into the document itself: the first paint waits for nothing else. Their files
 * are not made, so that no page that is loaded later brings them a second time.
 */
function stylesInDocument(): Plugin {
  let styles = ''
  return {
    name: 'styles-in-document',
    apply: 'build',
    enforce: 'pre',
    generateBundle(_options, bundle) {
      const inDocument = new Set<string>()
      const collect = (fileName: string, seen: Set<string>) => {
        const chunk = bundle[fileName]
        if (chunk?.type !== 'chunk' || seen.has(fileName)) return
        seen.add(fileName)
        for (const imported of chunk.imports) collect(imported, seen)
        for (const style of chunk.viteMetadata?.importedCss ?? []) inDocument.add(style)
      }
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk' && file.isEntry) collect(file.fileName, new Set())
      }
      for (const fileName of inDocument) {
        const file = bundle[fileName]
        if (file?.type === 'asset') styles += String(file.source)
        delete bundle[fileName]
      }
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue
        for (const fileName of inDocument) file.viteMetadata?.importedCss.delete(fileName)
      }
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html.replace('</title>', () => `</title>\n    <style nonce="__CSP_NONCE__">${styles}</style>`),
    },
  }
}

const CARD_FRAME = join(import.meta.dirname, 'features', 'commerce', 'purchase', 'card-frame')

/**
 * Builds the card frame beside the client: one classic script, as modules can't be loaded without an origin, one style
 * sheet, and the document `card-frame.html`, which names both and which the server serves with a policy of its own.
 */
function cardFrame(): Plugin {
  return {
    name: 'card-frame',
    apply: 'build',
    async generateBundle(_options, bundle) {
      const built = await build({
        configFile: false,
        logLevel: 'warn',
        build: {
          write: false,
          copyPublicDir: false,
          assetsInlineLimit: 0,
          // A file of its own: what a classic script brings along would need inline styles.
          cssCodeSplit: false,
          rolldownOptions: {
            input: { 'card-frame': join(CARD_FRAME, 'frame.ts') },
            output: {
              format: 'iife',
              entryFileNames: 'assets/card-frame-[hash].js',
              assetFileNames: ({ names }) =>
                names.some((name) => name.endsWith('.css'))
                  ? 'assets/card-frame-[hash].css'
                  : 'assets/[name]-[hash][extname]',
            },
          },
        },
      })
      const [result] = [built].flat()
      if (!result || !('output' in result)) throw new Error('The card frame was not built.')
      const names: string[] = []
      for (const file of result.output) {
        names.push(file.fileName)
        if (file.fileName in bundle) continue
        const source = file.type === 'chunk' ? file.code : file.source
        this.emitFile({ type: 'asset', fileName: file.fileName, source })
      }
      const tags = names.flatMap((name) => {
        if (name.endsWith('.css')) return `<link rel="stylesheet" href="/${name}" />`
        return name.endsWith('.js') ? `<script defer src="/${name}"></script>` : []
      })
      const document = await readFile(join(CARD_FRAME, 'card-frame.html'), 'utf8')
      const source = document.replace('</head>', `  ${tags.join('\n    ')}\n  </head>`)
      this.emitFile({ type: 'asset', fileName: 'card-frame.html', source })
    },
  }
}

/** Many pages fill in or overlay something, but none needs that for its first picture. */
const LATER =
  /@floating-ui|react-number-format|\/(NumberInput|NativeSelect|PasswordInput|Combobox|Overlay|Portal|Transition|FocusTrap|Checkbox)\/|\/ui\/(\w*Dialog|\w*Form|Field|MoneyInput|ToastHost|ChoiceField|CopyField|ProgressBar|SearchBox|UnsavedChanges)|\/lib\/uploads|TextPage|PolicyPage|OperatorContact|use-focus-trap|\/contract\/errors/

/** Small things that pages are made of: a request for each would take longer than all of them. */
const SMALL =
  /\/client\/(ui|lib)\/|\/features\/(media|profiles)\/api\.|@tabler\/icons-react|\/(get-auto-contrast-value|use-force-update)/
/** And what pages with media on them are made of. */
const WITH_MEDIA =
  /\/features\/media\/(parts|viewer\/(use-viewer|MediaViewer\.))|\/features\/profiles\/(FollowButton|ProfileGate)|\/features\/commerce\/parts\/(holdings|SubscriptionList|Offer|buyable|purchase)|\/ui\/(format|MoreFooter|MediaTile|BlurPreview|Duration|ProfileLinks|TabBar|infinite-scroll)|@mantine\/core\/.*\/Tabs/

const isSmall = (id: string) => SMALL.test(id) && !LATER.test(id) && !WITH_MEDIA.test(id)

export default defineConfig({
  plugins: [react(), lightRouteTable(), pagePreloads(), stylesInDocument(), cardFrame()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The content policy allows no data: addresses, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What nearly every page needs comes in few pieces, which compress better and arrive sooner than forty small ones.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'shared', minShareCount: 7, priority: 2, test: (id) => !LATER.test(id) },
            { name: 'parts', minShareCount: 2, priority: 1, test: isSmall },
            { name: 'media', minShareCount: 2, test: (id) => WITH_MEDIA.test(id) },
          ],
        },
      },
    },
  },
})
