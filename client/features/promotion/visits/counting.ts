import { ATTRIBUTION_DAYS } from '../../../../contract/promotion.ts'
import { call } from '../../../lib/api.ts'
import { safePath } from '../../../lib/redirect.ts'
import { routes } from '../../../lib/routes.ts'
import { type Store, store } from '../../../lib/storage.ts'
import { readToken } from '../../../lib/token.ts'

/** Codes that were counted in this tab, each with the page that its link leads to. */
const COUNTED_KEY = 'countedPosts'
/** Visits to be claimed after a login, each with when it was. */
export const KEPT_KEY = 'postVisits'
const KEPT_MS = ATTRIBUTION_DAYS * 24 * 3_600_000
/** The most visits in one call. */
const MAX_CLAIMED = 20

type Kept = { id: string; at: number }

/** Visits that may still be claimed, the latest last. */
export function keptVisits(now = Date.now(), place: Store = store): Kept[] {
  try {
    const value: unknown = JSON.parse(place.getItem(KEPT_KEY) ?? '[]')
    return Array.isArray(value) ? value.filter((one) => isKept(one) && now - one.at < KEPT_MS) : []
  } catch {
    return []
  }
}

function isKept(value: unknown): value is Kept {
  const { id, at } = (value ?? {}) as Partial<Kept>
  return typeof id === 'string' && typeof at === 'number'
}

/** Keeps a visit, or with null only those that may still be claimed. */
export function keepVisit(id: string | null, now = Date.now(), place: Store = store): void {
  const added = id === null ? [] : [{ id, at: now }]
  const kept = [...keptVisits(now, place), ...added].slice(-MAX_CLAIMED)
  if (kept.length > 0) place.setItem(KEPT_KEY, JSON.stringify(kept))
  else place.removeItem(KEPT_KEY)
}

const underWay = new Map<string, Promise<string | null>>()

/** Counts a visit once in this tab; answers the page that the link leads to, null where that can’t be told now. */
export function countVisit(code: string): Promise<string | null> {
  const counted = underWay.get(code) ?? ask(code).finally(() => underWay.delete(code))
  underWay.set(code, counted)
  return counted
}

async function ask(code: string): Promise<string | null> {
  const known = countedHere()
  const before = known[code]
  if (before !== undefined) return safePath(before)
  try {
    const { visitId, path } = await call(routes.visitPost, { body: { code } }, { keepalive: true })
    try {
      sessionStorage.setItem(COUNTED_KEY, JSON.stringify({ ...known, [code]: path }))
    } catch {
      // Where nothing may be stored it is counted once a page.
    }
    if (visitId !== null && readToken() === null) keepVisit(visitId)
    return safePath(path)
  } catch {
    // A page is more than its count.
    return null
  }
}

function countedHere(): Record<string, string> {
  try {
    return JSON.parse(sessionStorage.getItem(COUNTED_KEY) ?? '{}')
  } catch {
    return {}
  }
}

/** Says that the visits of this browser were of who is logged in now; what fails is tried again with the next page. */
export async function claimVisits(): Promise<void> {
  const kept = keptVisits()
  if (kept.length === 0) return keepVisit(null)
  try {
    await call(routes.claimVisits, { body: { visitIds: kept.map(({ id }) => id) } })
  } catch {
    return
  }
  store.removeItem(KEPT_KEY)
}
