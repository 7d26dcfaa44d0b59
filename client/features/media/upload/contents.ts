import { routes } from '../../../lib/routes.ts'
import type { LogIn } from './log-in.ts'

/** Larger files are not read whole in the browser; the server knows their content once they arrived. */
const MAX_HASHED_BYTES = 64 * 1024 * 1024

/** SHA-256 of a file in hexadecimal; null for a large one, and where the browser has no cryptography (no HTTPS). */
export async function contentOf(file: Blob): Promise<string | null> {
  if (file.size > MAX_HASHED_BYTES || globalThis.crypto?.subtle === undefined) return null
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The item of the own library that has this content, or null. A question that fails holds nothing up. */
export async function findDouble(
  hash: string,
  { call, signal }: LogIn,
): Promise<{ mediaId: string; title: string } | null> {
  try {
    const { items } = await call(routes.duplicates, { body: { hashes: [hash] } }, { signal })
    return items[0] ?? null
  } catch (error) {
    if (signal.aborted) throw error
    return null
  }
}
