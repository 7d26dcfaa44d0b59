import { useSyncExternalStore } from 'react'
import { store } from '../../lib/storage.ts'

/** The colors that somebody chose: `auto` as the system says. */
export type SchemeChoice = 'auto' | 'dark' | 'light'
type Scheme = 'dark' | 'light'

const YEAR_SECONDS = 365 * 24 * 3600
const KEY = 'color-scheme'
const system = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

/** What was chosen in this browser. */
function choice(): SchemeChoice {
  const kept = store.getItem(KEY)
  return kept === 'dark' || kept === 'light' ? kept : 'auto'
}

/** What that means now. */
function scheme(): Scheme {
  const chosen = choice()
  return chosen === 'auto' ? (system.matches ? 'dark' : 'light') : chosen
}

/** The server reads the cookie, so that a document comes in the chosen colors before any script runs. */
function tellServer(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API answers later, and not in every browser.
  document.cookie = `${KEY}=${choice()}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`
}

/** Puts it on the page, under the name that Mantine's parts look for. */
function paint(): void {
  document.documentElement.dataset.mantineColorScheme = scheme()
  for (const listener of listeners) listener()
}

/** Chooses the colors, on this device. */
export function choose(value: SchemeChoice): void {
  store.setItem(KEY, value)
  tellServer()
  paint()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** What was chosen. */
export const useSchemeChoice = (): SchemeChoice => useSyncExternalStore(subscribe, choice)
/** The colors that are shown. */
export const useScheme = (): Scheme => useSyncExternalStore(subscribe, scheme)

// Browsers forget cookies of scripts sooner than what they store.
if (choice() !== 'auto') tellServer()
paint()
system.addEventListener('change', paint)
// Other tabs hear of it by the browser's storage.
addEventListener('storage', ({ key }) => key === KEY && paint())
