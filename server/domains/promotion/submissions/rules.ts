import type { PostRule, SubmissionFailure } from '../../../../contract/submissions.ts'
import type { ForumPost } from '../../../ports/forum/port.ts'

const MINUTE_MS = 60_000

/** The reasons for a refusal by the forum. */
type Refusal = {
  failure: SubmissionFailure
  /** Whether this account isn't to try again in this subreddit. */
  closesPair: boolean
  /** Whether the account isn't to post at all until its person says so. */
  stopsAccount: boolean
}

/** Sentences for what the forum says in codes; its own words follow. */
const SENTENCES: Record<string, string> = {
  SUBREDDIT_NOEXIST: 'This subreddit doesn’t exist anymore.',
  SUBREDDIT_NOTALLOWED: 'Only people the moderators trust may post here.',
  SUBREDDIT_NOTALLOWED_BANNED: 'The moderators banned this account.',
  FORBIDDEN: 'The forum doesn’t let this account post here.',
  NO_LINKS: 'This subreddit allows text posts only.',
  NO_SELFS: 'This subreddit allows links only.',
  ALREADY_SUB: 'This link was posted here before.',
  DOMAIN_BANNED: 'The forum doesn’t allow links to this site.',
  IN_TIMEOUT: 'The forum suspended this account.',
  BAD_CAPTCHA:
    'The forum wants this account to prove that it’s a person. Log in there and post something yourself.',
  BAD_FLAIR_TEMPLATE_ID: 'This flair is no longer available. Choose another one.',
  SUBMIT_VALIDATION_FLAIR_REQUIRED: 'This subreddit requires flair. Choose one.',
  POST_GUIDANCE_VALIDATION_FAILED: 'The subreddit’s automatic rules refused this post.',
}

/** About the subreddit and the account, whatever is posted. */
const CLOSING = new Set([
  'SUBREDDIT_NOEXIST',
  'SUBREDDIT_NOTALLOWED',
  'SUBREDDIT_NOTALLOWED_BANNED',
  'FORBIDDEN',
  'NO_LINKS',
  'DOMAIN_BANNED',
])
const STOPPING = new Set(['IN_TIMEOUT', 'BAD_CAPTCHA'])

const REPEATED = 'ALREADY_SUB'

/**
 * The message and the consequence of a refusal; `wasRepeated`: the forum was told that the link may be there already.
 */
export function refusalOf(
  { code, message }: { code: string; message: string },
  wasRepeated = false,
): Refusal {
  const closesPair = CLOSING.has(code)
  const sentence =
    code === REPEATED && wasRepeated
      ? 'This link was posted here before, and the forum doesn’t allow it again.'
      : SENTENCES[code]
  const words = message.trim()
  const isOwn =
    sentence === undefined || code.startsWith('SUBMIT_VALIDATION') || code.startsWith('POST_GUIDANCE')
  const told = [sentence, isOwn && words !== '' ? `The forum says: ${words}` : undefined]
  return {
    failure: {
      code,
      message: told.filter(Boolean).join(' ') || `The forum refused this post (${code}).`,
      remedy: closesPair
        ? 'reopen'
        : STOPPING.has(code) || code === 'SUBMIT_VALIDATION_REPOST'
          ? 'reschedule'
          : code === REPEATED
            ? wasRepeated
              ? 'none'
              : 'resubmit'
            : 'edit',
    },
    closesPair,
    stopsAccount: STOPPING.has(code),
  }
}

const REMEDIES: Partial<Record<PostRule, SubmissionFailure['remedy']>> = {
  media: 'reschedule',
  subreddit: 'none',
  kinds: 'none',
  closed: 'reopen',
  verification: 'verify',
  frequency: 'reschedule',
  repost: 'reschedule',
  'same-media': 'reschedule',
}

/** The advice for a post that breaks a rule once its time has come: most rules are about its words. */
export const remedyFor = (rule: PostRule): SubmissionFailure['remedy'] => REMEDIES[rule] ?? 'edit'

export const UNCONFIRMED: SubmissionFailure = {
  code: 'unconfirmed',
  message:
    'We couldn’t confirm that this was posted. Check the forum: if it’s there, paste the link; if not, remove it here.',
  remedy: 'check',
}

const MAX_REST_MS = 60 * MINUTE_MS

/** How long an account rests after so many failures in a row, in milliseconds: growing, at least what the forum asks for. */
export function restAfter(failures: number, retryAfterSeconds: number): number {
  return Math.max(Math.min(MINUTE_MS * 2 ** Math.min(failures, 10), MAX_REST_MS), retryAfterSeconds * 1000)
}

const LATE_MS = 60 * MINUTE_MS
const MAX_PAUSE_MINUTES = 15

/** Until when an account waits after a post that went up late, so that an outage doesn't end in a burst of posts. */
export function pauseAfterLate(postAt: Date, gapMinutes: number, now: Date): Date | null {
  if (now.getTime() - postAt.getTime() < LATE_MS) return null
  return new Date(now.getTime() + Math.min(gapMinutes, MAX_PAUSE_MINUTES) * MINUTE_MS)
}

const SEARCH_DAYS = 7

/** When a post that its person makes by hand is looked for next: ever later, and for a week. */
export function nextSearch(postAt: Date, now: Date): Date | null {
  const waited = now.getTime() - postAt.getTime()
  if (waited > SEARCH_DAYS * 24 * 60 * MINUTE_MS) return null
  return new Date(now.getTime() + Math.min(Math.max(waited / 4, 5 * MINUTE_MS), 6 * 60 * MINUTE_MS))
}

/** When a post is looked at again after so many looks; null once nothing more is expected. */
export function nextLook(looks: number, postedAt: Date): Date | null {
  const minutes = [2, 15, 60, 6 * 60, 24 * 60, 72 * 60, 7 * 24 * 60][looks]
  return minutes === undefined ? null : new Date(postedAt.getTime() + minutes * MINUTE_MS)
}

/** When a look at the forum is tried again that brought nothing. */
export const lookAgain = (now: Date) => new Date(now.getTime() + 10 * MINUTE_MS)

const UNANSWERED_DAYS = 14

/** The same of a look that doesn’t count, as nobody answered; null once the post is older than two weeks. */
export const lookUncounted = (postedAt: Date, now: Date) =>
  now.getTime() - postedAt.getTime() < UNANSWERED_DAYS * 24 * 60 * MINUTE_MS ? lookAgain(now) : null

/** How long a post that the forum didn't delete isn't asked for again. */
export const REFUSED_MS = 24 * 60 * MINUTE_MS

const CLOCKS_APART_MS = 60_000
const collapsed = (title: string) => title.replace(/\s+/g, ' ').trim()

/** Of an account's posts the one that was sent: the same place, title and link, made since. */
export function sentAmong(
  posts: readonly ForumPost[],
  sent: { subreddit: string; title: string; url: string; sentAt: Date },
): ForumPost | undefined {
  return posts.find(
    (post) =>
      post.subreddit.toLowerCase() === sent.subreddit.toLowerCase() &&
      collapsed(post.title) === collapsed(sent.title) &&
      post.url === sent.url &&
      post.createdAt.getTime() >= sent.sentAt.getTime() - CLOCKS_APART_MS,
  )
}

/**
 * The id of a post in its address on the forum, or in the short one, and the subreddit where that says it. `shared` of a
 * link of the forum's apps, which names nothing of the post; null of another address.
 */
export function postIn(link: string): { id: string; subreddit: string | null } | 'shared' | null {
  const [, short] =
    /^(?:https?:\/\/)?(?:www\.)?redd\.it\/([a-z0-9]{1,20})\/?(?:[?#]|$)/i.exec(link.trim()) ?? []
  if (short) return { id: short.toLowerCase(), subreddit: null }
  const path = /^(?:https?:\/\/[^/\s]+)?((?:\/[^\s?#]*)?)/i.exec(link.trim())?.[1] ?? ''
  const [, subreddit, id] = /(?:\/r\/([\w-]{2,25}))?\/comments\/([a-z0-9]{1,20})(?:\/|$)/i.exec(path) ?? []
  if (id) return { id: id.toLowerCase(), subreddit: subreddit ?? null }
  return /^\/(?:r|u|user)\/[\w-]+\/s\/\w+/i.test(path) ? 'shared' : null
}
