import { callErrors } from '../../../../contract/errors/calls.ts'
import { promotionErrors } from '../../../../contract/errors/promotion.ts'
import type { RefusedSubreddit } from '../../../../contract/forum.ts'

/** Why a subreddit that was named is left out, in a sentence that begins with its name. */
export function refusalSentence({ name, code }: RefusedSubreddit): string {
  const { text } = code === 'rate_limited' ? callErrors.rate_limited : promotionErrors[code]
  return `r/${name}: ${text}`
}

const PASSING: readonly RefusedSubreddit['code'][] = [
  'too_many_new_subreddits',
  'rate_limited',
  'forum_busy',
  'forum_malformed',
  'forum_down',
]

/** Whether naming it again later may work. */
export function mayPass({ code }: RefusedSubreddit): boolean {
  return PASSING.includes(code)
}
