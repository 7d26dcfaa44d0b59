import { keptWish } from '../../../lib/wish.ts'
import { EMPTY, keptForm, type SignupValues } from './kept-form.ts'

const FIRST =
  'amber brave calm clever coral early gentle golden happy honest kind lucky mellow merry misty quiet rapid sunny swift warm'
const SECOND =
  'anchor aspen badger beacon breeze cedar comet finch harbor heron island lagoon maple meadow otter pebble river robin sparrow willow'
const NUMBERS = 1000

/** A random username that says nothing of its person, such as `quiet-harbor-427`. */
function suggestedUsername(): string {
  const oneOf = (words: string) => {
    const all = words.split(' ')
    return all[Math.floor(Math.random() * all.length)]
  }
  return `${oneOf(FIRST)}-${oneOf(SECOND)}-${Math.floor(Math.random() * NUMBERS)}`
}

/**
 * What the sign-up form starts with, and what of that was only offered. Whoever comes to buy gets a username to start
 * with, since there is less to type then; it can be changed later.
 */
export function startingValues(typedEmail: string) {
  const kept = keptForm()
  const buying = keptWish() !== null
  const suggestion = buying && !kept.username ? suggestedUsername() : null
  const offered: Partial<SignupValues> = {
    ...(buying ? { isCreator: 'false' } : {}),
    ...(suggestion ? { username: suggestion } : {}),
  }
  const initial: SignupValues = { ...EMPTY, ...offered, ...kept, email: typedEmail || (kept.email ?? '') }
  return { initial, suggestion, offered }
}
