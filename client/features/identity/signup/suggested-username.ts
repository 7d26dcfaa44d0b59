const FIRST =
  'amber brave calm clever coral early gentle golden happy honest kind lucky mellow merry misty quiet rapid sunny swift warm'
const SECOND =
  'anchor aspen badger beacon breeze cedar comet finch harbor heron island lagoon maple meadow otter pebble river robin sparrow willow'
const NUMBERS = 1000

/** A random username that says nothing of its person, such as `quiet-harbor-427`. */
export function suggestedUsername(): string {
  const oneOf = (words: string) => {
    const all = words.split(' ')
    return all[Math.floor(Math.random() * all.length)]
  }
  return `${oneOf(FIRST)}-${oneOf(SECOND)}-${Math.floor(Math.random() * NUMBERS)}`
}
