import { type RefusedSubreddit, SUBREDDIT_REFUSALS } from '../../../contract/forum.ts'
import { AppError } from '../../errors.ts'
import type { Failure, SubredditUnreadable } from '../../ports/forum/port.ts'

const MAX_WAIT_SECONDS = 600

/** The reason a person is given when the forum has no answer for them. */
export function failureOf(failure: Failure | SubredditUnreadable): AppError {
  switch (failure.kind) {
    case 'busy':
      return new AppError('forum_busy', {
        retryAfterSeconds: Math.min(failure.retryAfterSeconds, MAX_WAIT_SECONDS),
      })
    case 'malformed':
      return new AppError('forum_malformed')
    case 'unauthorized':
      return new AppError('forum_reconnect')
    case 'forbidden':
      return new AppError('forum_refused')
    case 'gone':
      return new AppError('subreddit_not_found')
    case 'banned':
      return new AppError('subreddit_banned')
    case 'private':
    case 'quarantined':
      return new AppError('subreddit_private')
    default:
      return new AppError('forum_down')
  }
}

/** A name that is left out, with what its creator is told. */
export function presentRefused({ name, error }: { name: string; error: AppError }): RefusedSubreddit {
  return { name, code: SUBREDDIT_REFUSALS.find((code) => code === error.code) ?? 'forum_down' }
}
