import { readFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import react from '@vitejs/plugin-react'
import { build, defineConfig, type Plugin } from 'vite'
import { appIcons } from './build/app-icons.ts'
import { callAddresses } from './build/call-addresses.ts'
import { withoutDisplayNames } from './build/display-names.ts'
import { firstLook } from './build/first-look.ts'
import { leanPreloads } from './build/lean-preloads.ts'
import { leanRouter } from './build/lean-router.ts'
import { pagePreloads } from './build/page-preloads.ts'
import { cardLabels, cardTexts } from './features/commerce/purchase/texts.ts'

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
      const words = { title: cardTexts.title, ...cardLabels }
      const source = document
        .replace(/\{\{(\w+)\}\}/g, (_, name) => words[name as keyof typeof words])
        .replace('</head>', `  ${tags.join('\n    ')}\n  </head>`)
      this.emitFile({ type: 'asset', fileName: 'card-frame.html', source })
    },
  }
}

/** The style sheet of each name. */
const sheets = new Map<string, string>()

/** The class by the name of its style sheet, which each has to itself: scripts repeat it, and a hash would be longer. */
function className(name: string, path: string): string {
  const sheet = basename(path.split('?')[0] ?? path, '.module.css')
  const before = sheets.get(sheet) ?? path
  if (before !== path) throw new Error(`${before} and ${path} need different names.`)
  sheets.set(sheet, path)
  return `${sheet}_${name}`
}

const CONTRACT = join(import.meta.dirname, '..', 'contract')

/** The folders of a module: `['features', 'media', 'parts']`, `['packages', '@mantine', 'core']`. */
function foldersOf(id: string): string[] {
  const [path = '', inPackages] = id.split('/node_modules/').toReversed()
  if (inPackages !== undefined) return ['packages', ...path.split('/').slice(0, -1)]
  const own = relative(import.meta.dirname, id)
  return own.startsWith('..') ? [] : own.split('/').slice(0, -1)
}

const isMantine = (id: string) => {
  const [room, scope, name] = foldersOf(id)
  return room === 'packages' && scope === '@mantine' && name === 'core'
}
/** Forms that make one call, and the library that holds what is typed. */
const isForm = (id: string) => {
  const [room, scope, name] = foldersOf(id)
  return (
    (room === 'ui' && scope === 'forms') || (room === 'packages' && scope === '@mantine' && name === 'form')
  )
}
const isHook = (id: string) => {
  const [room, scope, name] = foldersOf(id)
  return room === 'packages' && scope === '@mantine' && name === 'hooks'
}
/** The one kind of them that pages without Mantine use: it waits for the end of typing. */
const isDebounce = (id: string) => isHook(id) && id.includes('/use-debounced-')
/** What a page with a form or a search needs, and many others don’t. */
const isField = (id: string) => {
  const [room, scope] = foldersOf(id)
  return room === 'ui' && scope === 'fields'
}
/** Icons of the dashboard's own table of pages: three pieces would be twice as large as one. */
const DASHBOARD_ICONS = ['IconCash', 'IconTag', 'IconShieldLock'].map((name) => `/${name}.mjs`)
const isDashboardIcon = (id: string) => DASHBOARD_ICONS.some((end) => id.endsWith(end))
/** A menu’s button, and icons of what one does with somebody, which many pages have some of. */
const ACTION_ICONS = ['IconPlus', 'IconChevronDown', 'IconDotsVertical'].map((name) => `/${name}.mjs`)
/** Icons of a conversation, of which the dashboard's pages have some: seven pieces would be twice as large as one. */
const CHAT_ICONS = ['Checks', 'Coin', 'Copy', 'Flag', 'Pencil', 'Trash', 'UserOff'].map(
  (name) => `/Icon${name}.mjs`,
)
const isChatIcon = (id: string) => CHAT_ICONS.some((end) => id.endsWith(end))
const isButton = (id: string) =>
  id.includes('/ui/menu/use-menu.') || ACTION_ICONS.some((end) => id.endsWith(end))
const inFeatures = (...names: string[]) => {
  const starts = names.map((name) => join(import.meta.dirname, 'features', name))
  return (id: string) => starts.some((start) => id.startsWith(start))
}
/** What the bars of every page have for those who are logged in. */
const isBar = inFeatures(
  'messaging/parts/badge/',
  'notifications/parts/bell/Bell.',
  'notifications/parts/bell/texts.',
  'notifications/parts/bell/unread.',
  '../app/shell/FanBar.',
  '../app/shell/fan-bar-texts.',
)
/** What one does with a creator; visitors have none of it. */
const isAction = inFeatures(
  'profiles/BlockMenu.',
  'profiles/FollowToggle.',
  'messaging/custom-requests/AskButton.',
  'messaging/custom-requests/ask-button-texts.',
)
/** The offers that a profile begins with. */
const isOffer = inFeatures(
  'commerce/parts/offers/SubscriptionList.',
  'commerce/parts/offers/OfferRow.',
  'commerce/parts/offers/OfferPicture.',
)
/** Small parts that profiles, items and discover share: a request for each would cost more than their bytes. */
const SMALL = [
  'FilterButtons',
  'LinkedText',
  'linked-text',
  'ProfileLinks',
  'ShareButton',
  'TabBar',
  'use-is-wide',
]
const SHOWING = SMALL.map((name) => join(import.meta.dirname, 'ui', `${name}.`))
const isShowing = (id: string) => SHOWING.some((start) => id.startsWith(start))
/** What shows photos and videos, with the lists that grow, and what asks for them: together they are smaller than apart. */
const isWall = (id: string) => {
  const [room, scope, folder, own] = foldersOf(id)
  const isPart = room === 'features' && scope === 'media' && folder === 'parts' && own === 'wall'
  const isList = room === 'ui' && scope === 'list'
  return isPart || isList || featureOfPart(id) === 'media'
}
/** How an item's links are read and chosen, which a page of one item and a wall of many both do, and how amounts are written. */
const OF_CONTRACT = ['media-links.ts', 'media-wall.ts', 'money.ts'].map((name) => join(CONTRACT, name))
/** What a page does without until somebody acts: a field that brings Mantine, dialogs, the key of what is sent. */
const LATER = ['ui/TextAreaField.', 'ui/ConfirmDialog.', 'ui/Dialog.', 'lib/idempotency-key.'].map((name) =>
  join(import.meta.dirname, name),
)
/** Packages of which most pages use some: icons, and how lists are asked for. */
const SHARED_PACKAGES = ['@tabler', '@tanstack']
/** The theme’s own and a price’s field bring Mantine, which pages for visitors do without; the rest of these come by themselves. */
const isUi = (id: string) => {
  const [room, scope = ''] = foldersOf(id)
  if (LATER.some((name) => id.startsWith(name))) return false
  if (room === 'ui') return !['theme', 'money', 'list', 'text-page', 'fields'].includes(scope)
  return (
    room === 'lib' || OF_CONTRACT.includes(id) || (room === 'packages' && SHARED_PACKAGES.includes(scope))
  )
}
/**
 * The feature of which this is a part that several pages show, or its calls. What has a folder of its own in there comes
 * by itself, as do the notices of identity; what messages, notifications and promotion share would take parts of other
 * pages along, or of what each page shows of them.
 */
const OWN_PIECES = ['identity', 'messaging', 'notifications', 'promotion']
const featureOfPart = (id: string) => {
  const [room, feature = null, folder, own] = foldersOf(id)
  if (room !== 'features' || OWN_PIECES.includes(feature ?? '')) return null
  return folder === undefined || (folder === 'parts' && own === undefined) ? feature : null
}

export default defineConfig({
  plugins: [
    react(),
    leanRouter(),
    withoutDisplayNames(),
    callAddresses(),
    pagePreloads(),
    leanPreloads(),
    firstLook(),
    stylesInDocument(),
    cardFrame(),
    appIcons(),
  ],
  css: { modules: { generateScopedName: className } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The content policy allows no data: addresses, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    // Few pieces compress better and arrive sooner than forty small ones. What the entry needs is the first, and no
    // other group takes of it; a piece that many pages share holds nothing that only some of them need.
    // Takes 10 seconds longer than Vite’s own, and leaves a page 1 kB less to load. No function is asked for how many arguments it names.
    minify: 'terser',
    terserOptions: { ecma: 2020, module: true, compress: { passes: 3, keep_fargs: false } },
    rolldownOptions: {
      output: {
        // Each piece names those that it may bring, and each letter of that is a byte on the wire: which is which stands
        // in the manifest.
        entryFileNames: 'assets/[hash:7].js',
        chunkFileNames: 'assets/[hash:7].js',
        assetFileNames: ({ names }) =>
          names.some((name) => name.endsWith('.css'))
            ? 'assets/[hash:7][extname]'
            : 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          groups: [
            { name: 'core', tags: ['$initial'], priority: 5 },
            { name: 'debounce', test: isDebounce, minShareCount: 2, priority: 5 },
            { name: 'hooks', test: isHook, minShareCount: 2, priority: 4 },
            { name: 'mantine', test: isMantine, minShareCount: 8, priority: 3 },
            { name: 'forms', test: isForm, minShareCount: 2, priority: 3 },
            { name: 'fields', test: isField, minShareCount: 2, priority: 3 },
            { name: 'dashboard-icons', test: isDashboardIcon, minShareCount: 2, priority: 3 },
            { name: 'chat-icons', test: isChatIcon, minShareCount: 2, priority: 3 },
            { name: 'buttons', test: isButton, minShareCount: 2, priority: 4 },
            { name: 'ui', test: isUi, minShareCount: 25, priority: 2 },
            // After what they stand on, which they would take along, and before the features above them.
            { name: 'showing', test: isShowing, minShareCount: 2, priority: 2 },
            { name: 'wall', test: isWall, minShareCount: 2, priority: 2 },
            { name: featureOfPart, debugName: 'features', minShareCount: 2, priority: 1 },
            { name: 'bar', test: isBar, priority: 0 },
            { name: 'actions', test: isAction, priority: 0 },
            { name: 'offers', test: isOffer, minShareCount: 2, priority: 0 },
          ],
        },
      },
    },
  },
})
