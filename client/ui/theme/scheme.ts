import { localStorageColorSchemeManager, type MantineColorSchemeManager } from '@mantine/core'
import { store } from '../../lib/storage.ts'

const YEAR_SECONDS = 365 * 24 * 3600
const KEY = 'color-scheme'
const stored = localStorageColorSchemeManager({ key: KEY })

function tellServer(scheme: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API answers later, and not in every browser.
  document.cookie = `${KEY}=${scheme}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`
}

// Browsers forget cookies of scripts sooner than what they store.
const chosen = store.getItem(KEY)
if (chosen) tellServer(chosen)

/**
 * Dark, light, or as the system says (`auto`). Other tabs hear of it by the browser's storage; the server reads the
 * cookie, so that a document comes in the chosen colours before any script runs.
 */
export const schemeManager: MantineColorSchemeManager = {
  ...stored,
  set(value) {
    stored.set(value)
    tellServer(value)
  },
}
