import './ui/theme/styles.ts'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App, firstPage } from './app/App.tsx'
import { offerNewVersion } from './app/new-version.ts'
import { styleNonce } from './lib/nonce.ts'
import { rememberReferral } from './lib/referral.ts'
import { store } from './lib/storage.ts'

// Read by the scroll lock of dialogs before it adds its style element.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() })
// Set before zod is there: it would ask whether it may compile, and the content policy would report that.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
rememberReferral(location.search, store)
document.addEventListener('contextmenu', (event) => event.preventDefault())

// A document's title is its first one, so the server's goes when a page brings its own.
const title = document.querySelector('title')
new MutationObserver((_changes, observer) => {
  if (document.head.querySelectorAll('title').length < 2) return
  title?.remove()
  observer.disconnect()
}).observe(document.head, { childList: true })

/** The document is painted before the application takes the processor; nothing is painted in a hidden window. */
function afterPaint(run: () => void): void {
  if (document.hidden) run()
  else requestAnimationFrame(() => setTimeout(run))
}

/** The longest that the application waits for the pictures that the document shows, in milliseconds. */
const PICTURES_MS = 400

/** The pictures in the document stay: removed before, they would be painted only by the application. */
function picturesShown(): Promise<unknown> {
  const pictures = document.querySelectorAll<HTMLImageElement>('[data-first-look] img:not([loading])')
  const decoded = [...pictures].map((picture) => picture.decode())
  return Promise.race([
    Promise.allSettled(decoded),
    new Promise((resolve) => setTimeout(resolve, PICTURES_MS)),
  ])
}

offerNewVersion()

const root = document.getElementById('root')
if (root) {
  // A transition, so that drawing the page leaves the processor to a finger in between.
  const render = () =>
    startTransition(() =>
      createRoot(root).render(
        <StrictMode>
          <App />
        </StrictMode>,
      ),
    )
  const isDrawn = root.querySelector('[data-first-look]') !== null
  afterPaint(() => {
    if (!isDrawn) render()
    else void Promise.all([firstPage(), picturesShown()]).then(() => afterPaint(render))
  })
}
