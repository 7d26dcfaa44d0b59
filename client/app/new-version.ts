import { toast } from '../ui/toast.ts'
import { brokenTexts } from './shell/texts.ts'

/** The address of the entry script that a document names; null when it names none. */
export function entryOf(html: string): string | null {
  return /<script type="module"[^>]*src="([^"]+)"/.exec(html)?.[1] ?? null
}

/** Offers the newer version when a part of this one can't be loaded because another was put in its place. */
export function offerNewVersion(): void {
  let asked = false
  addEventListener('vite:preloadError', () => {
    if (asked) return
    asked = true
    void isReplaced().then((replaced) => {
      asked = replaced
      if (replaced)
        toast.stays(brokenTexts.newVersion, {
          label: brokenTexts.reloadShort,
          onAct: () => location.reload(),
        })
    })
  })
}

/** Whether the server has another version than the one that runs here; false also when it can't be asked. */
async function isReplaced(): Promise<boolean> {
  const running = document.querySelector('script[type="module"]')?.getAttribute('src') ?? null
  const html = await fetch('/', { headers: { accept: 'text/html' } }).then(
    (response) => response.text(),
    () => '',
  )
  const current = entryOf(html)
  return current !== null && current !== running
}
