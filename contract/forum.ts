import { z } from 'zod'
import { cleanSubredditName, INTERVAL_UNITS, READING_STATES, SUBREDDIT_NAME } from './promotion.ts'

/** A subreddit’s name without `/r/`; that a person typed it in front, or a whole address, does no harm. */
export const SubredditName = z
  .string()
  .max(120)
  .transform(cleanSubredditName)
  .pipe(z.string().regex(SUBREDDIT_NAME, 'Enter a subreddit’s name, like Gardens.'))

/** Subreddits that nobody named before: each takes a call to the forum, so that a person looks up this many at most. */
export const NEW_SUBREDDITS_LIMIT = { points: 100, seconds: 600 }

/** Why a subreddit that was named is left out; the texts are those of the errors of these names. */
export const SUBREDDIT_REFUSALS = [
  'subreddit_not_found',
  'subreddit_banned',
  'too_many_new_subreddits',
  'rate_limited',
  'forum_off',
  'forum_refused',
  'forum_busy',
  'forum_malformed',
  'forum_down',
] as const

/** A subreddit that was named and left out, as it was written. */
export const RefusedSubreddit = z.object({ name: z.string(), code: z.enum(SUBREDDIT_REFUSALS) })
export type RefusedSubreddit = z.output<typeof RefusedSubreddit>

/** How often something may be posted: at most `maxPosts` within so many hours or days. */
export const Frequency = z.object({
  maxPosts: z.number().int().min(1).max(1000),
  intervalAmount: z.number().int().min(1).max(1000),
  intervalUnit: z.enum(INTERVAL_UNITS),
})
export type Frequency = z.output<typeof Frequency>

/** The forum's own requirements of a post in a subreddit, under its own names; null where it sets no bound. */
export const PostRequirements = z.object({
  is_flair_required: z.boolean(),
  title_blacklisted_strings: z.array(z.string()),
  body_blacklisted_strings: z.array(z.string()),
  title_required_strings: z.array(z.string()),
  body_required_strings: z.array(z.string()),
  title_regexes: z.array(z.string()),
  title_text_min_length: z.number().int().nullable(),
  title_text_max_length: z.number().int().nullable(),
  body_restriction_policy: z.enum(['required', 'notAllowed', 'none']),
  domain_blacklist: z.array(z.string()),
  domain_whitelist: z.array(z.string()),
  link_restriction_policy: z.enum(['none', 'blacklist', 'whitelist']),
  /** Days within which the same link is refused. */
  link_repost_age: z.number().int().nullable(),
  guidelines_text: z.string().nullable(),
})
export type PostRequirements = z.output<typeof PostRequirements>

export const SubredditRule = z.object({ name: z.string(), description: z.string() })
export type SubredditRule = z.output<typeof SubredditRule>

export const Flair = z.object({
  id: z.string(),
  text: z.string(),
  /** Whether the poster may write their own text. */
  editable: z.boolean(),
})
export type Flair = z.output<typeof Flair>

/**
 * Changes of a subreddit on the forum: the rules and flair that differ, all requirements, and whether it can be read.
 */
export const SubredditChange = z.discriminatedUnion('part', [
  z.object({ part: z.literal('rules'), before: z.array(SubredditRule), after: z.array(SubredditRule) }),
  z.object({ part: z.literal('flair'), before: z.array(Flair), after: z.array(Flair) }),
  z.object({ part: z.literal('requirements'), before: PostRequirements, after: PostRequirements }),
  z.object({
    part: z.literal('access'),
    before: z.object({ state: z.enum(READING_STATES) }),
    after: z.object({ state: z.enum(READING_STATES) }),
  }),
])
export type SubredditChange = z.output<typeof SubredditChange>
