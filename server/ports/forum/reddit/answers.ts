import { z } from 'zod'
import type { Flair, PostRequirements, SubredditRule } from '../../../../contract/forum.ts'
import { SUBMISSION_TYPES, SUBREDDIT_NAME } from '../../../../contract/promotion.ts'
import type { FoundSubreddits, SubredditFacts } from '../port.ts'

/** The fields of the forum's answers that we use (docs/forum-wire.md); all others are ignored. */

/** Cut first: half of a character that is cut through is cleaned away too. */
export const text = (max: number) => z.string().transform((long) => clean(long.slice(0, max)))
const count = z
  .number()
  .transform((number) => Math.min(Math.max(Math.trunc(number), 0), 2_000_000_000))
  .nullish()

/** Without control characters, which the database doesn't store or a page show. */
function clean(long: string): string {
  return long.replace(/[^\P{Cc}\n\t]|\p{Cs}/gu, '')
}

const SubredditData = z.object({
  display_name: z.string().regex(SUBREDDIT_NAME),
  subscribers: count,
  public_description: z.string().nullish(),
  title: z.string().nullish(),
  subreddit_type: z.string().nullish(),
  submission_type: z.enum(SUBMISSION_TYPES).nullish().catch(null),
})

const MAX_DESCRIPTION = 300

function factsOf(data: z.output<typeof SubredditData>): SubredditFacts {
  const description = data.public_description?.trim() || data.title?.trim() || ''
  return {
    name: data.display_name,
    subscribers: data.subscribers ?? null,
    submissionType: data.submission_type ?? null,
    description: clean(description.replace(/\s+/g, ' ').slice(0, MAX_DESCRIPTION)),
  }
}

export const Subreddit = z
  .object({ kind: z.literal('t5'), data: SubredditData })
  .transform(({ data }): SubredditFacts => factsOf(data))

/** Of a page of results; what can't be read as a subreddit is left out. */
export const Found = z
  .object({
    kind: z.literal('Listing'),
    data: z.object({
      after: z.string().max(40).nullable(),
      children: z.array(z.object({ kind: z.string(), data: z.unknown() })),
    }),
  })
  .transform(({ data }): FoundSubreddits => {
    const subreddits = data.children.flatMap(({ kind, data: each }) => {
      const parsed = SubredditData.safeParse(each)
      if (kind !== 't5' || !parsed.success) return []
      return [{ ...factsOf(parsed.data), isPrivate: parsed.data.subreddit_type === 'private' }]
    })
    return { subreddits, after: data.after }
  })

const MAX_RULES = 60

export const Rules = z
  .object({ rules: z.array(z.object({ short_name: text(200), description: text(2000).nullish() })) })
  .transform(({ rules }): SubredditRule[] =>
    rules
      .slice(0, MAX_RULES)
      .map(({ short_name, description }) => ({ name: short_name, description: description ?? '' })),
  )

const MAX_FLAIR = 200

/** Choices for moderators only are left out, as everybody sees what we keep. */
export const FlairTemplates = z
  .array(
    z.object({
      id: z.string().regex(/^[\w-]{1,36}$/),
      text: text(200).nullish(),
      text_editable: z.boolean().nullish(),
      mod_only: z.boolean().nullish(),
    }),
  )
  .transform((templates): Flair[] =>
    templates
      .filter(({ mod_only }) => !mod_only)
      .slice(0, MAX_FLAIR)
      .map(({ id, text, text_editable }) => ({ id, text: text ?? '', editable: text_editable ?? false })),
  )

const strings = z
  .array(text(500))
  .nullish()
  .transform((list) => (list ?? []).slice(0, 200))
const bound = z
  .number()
  .int()
  .min(0)
  .max(1_000_000)
  .nullish()
  .transform((number) => number ?? null)

export const Requirements = z
  .object({
    is_flair_required: z.boolean().nullish(),
    title_blacklisted_strings: strings,
    body_blacklisted_strings: strings,
    title_required_strings: strings,
    body_required_strings: strings,
    title_regexes: strings,
    title_text_min_length: bound,
    title_text_max_length: bound,
    body_restriction_policy: z.enum(['required', 'notAllowed', 'none']).nullish(),
    domain_blacklist: strings,
    domain_whitelist: strings,
    link_restriction_policy: z.enum(['none', 'blacklist', 'whitelist']).nullish(),
    link_repost_age: bound,
    guidelines_text: text(5000).nullish(),
  })
  .transform(
    (given): PostRequirements => ({
      ...given,
      is_flair_required: given.is_flair_required ?? false,
      body_restriction_policy: given.body_restriction_policy ?? 'none',
      link_restriction_policy: given.link_restriction_policy ?? 'none',
      guidelines_text: given.guidelines_text ?? null,
    }),
  )

export const Identity = z.object({
  id: z.string().regex(/^\w{1,20}$/),
  name: z.string().regex(/^[\w-]{2,30}$/),
})

const token = z.string().min(1).max(4000)

export const TokenAnswer = z.object({
  access_token: token,
  expires_in: z.number().min(1).max(10_000_000),
  scope: z.string().max(1000),
  refresh_token: token.optional(),
})

/** That a token can't be had is said with a status of success. */
export const TokenRefusal = z.object({ error: z.string().max(200) })
