/** A word that search knows, and how many documents have it. */
export type KnownWord = { word: string; uses: number }

/** Shorter words are too close to too many others to be corrected. */
const MIN_LETTERS = 4
const MIN_LETTERS_FOR_TWO_SLIPS = 7

/** How many slips a word of this length may have and still be recognized; numbers are taken as typed. */
export function slipsAllowed(typed: string): 0 | 1 | 2 {
  if (typed.length < MIN_LETTERS || /^\p{N}+$/u.test(typed)) return 0
  return typed.length < MIN_LETTERS_FOR_TWO_SLIPS ? 1 : 2
}

/** The word that was most likely meant: the fewest slips away, then the most used. Null when none is near enough. */
export function meant(typed: string, candidates: readonly KnownWord[]): KnownWord | null {
  const near = candidates
    .map((known) => ({ known, distance: distance(typed, known.word) }))
    .filter((one) => one.distance <= slipsAllowed(typed))
    .sort((one, other) => one.distance - other.distance || other.known.uses - one.known.uses)
  return near[0]?.known ?? null
}

/** Letters that were left out, added, replaced, or swapped with their neighbor (optimal string alignment). */
export function distance(one: string, other: string): number {
  const [a, b] = [[...one], [...other]]
  let before: number[] = []
  let last = b.map((_, index) => index).concat(b.length)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = last
    last = row
  }
  return last[b.length] ?? 0
}
