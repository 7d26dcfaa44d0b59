/** How long a signed address takes bytes, in seconds. */
export const ADDRESS_SECONDS = 3600
/** How long an upload that nobody finishes is kept, and one that failed can be asked about, in seconds. */
export const KEPT_SECONDS = 24 * 3600
/** Uploads of one person that are not finished: what they can fill our disk with before anything is judged. */
export const MAX_UNFINISHED = 500

export function later(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000)
}
