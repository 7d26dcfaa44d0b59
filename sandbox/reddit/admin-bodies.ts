import { z } from 'zod'
import { faultKinds } from './faults.ts'

/** An account's name. */
export const name = z.string().regex(/^[\w-]{3,20}$/)
const text = z.string().min(1).max(40_000)
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')])
export const whole = z.coerce.number().int()
const optionalText = z
  .string()
  .nullish()
  .transform((value) => value || null)
const names = z.array(z.string().max(24))

export const AccountChange = z.strictObject({
  linkKarma: whole.optional(),
  commentKarma: whole.optional(),
  ageDays: z.coerce.number().min(0).optional(),
  suspended: flag.optional(),
  bannedIn: names.optional(),
  moderates: names.optional(),
  contributesTo: names.optional(),
  subscribes: names.optional(),
})

export const SubredditChange = z
  .strictObject({
    title: z.string(),
    description: z.string(),
    subscribers: whole,
    over18: flag,
    type: z.enum(['public', 'restricted', 'private']),
    access: z.enum(['open', 'banned', 'gone', 'quarantined']),
    submissionType: z.enum(['any', 'link', 'self']),
    rules: z.array(
      z.strictObject({
        name: z.string().max(100),
        description: z.string().max(500),
        kind: z.enum(['all', 'link', 'comment']),
      }),
    ),
    flair: z
      .array(
        z.strictObject({
          id: z.string().max(36),
          text: z.string().max(64),
          editable: z.boolean(),
          modOnly: z.boolean(),
          richtext: z.boolean(),
        }),
      )
      .nullable(),
  })
  .partial()
const strings = z.array(z.string())
const number = z.number().int().nullable()
export const RequirementsChange = z
  .strictObject({
    title_regexes: strings,
    title_required_strings: strings,
    title_blacklisted_strings: strings,
    title_text_min_length: number,
    title_text_max_length: number,
    body_restriction_policy: z.enum(['required', 'notAllowed', 'none']),
    body_regexes: strings,
    body_required_strings: strings,
    body_blacklisted_strings: strings,
    body_text_min_length: number,
    body_text_max_length: number,
    domain_blacklist: strings,
    domain_whitelist: strings,
    link_restriction_policy: z.enum(['none', 'blacklist', 'whitelist']),
    link_repost_age: number,
    is_flair_required: z.boolean(),
    guidelines_text: z.string().nullable(),
    guidelines_display_policy: z.string().nullable(),
    gallery_min_items: number,
    gallery_max_items: number,
  })
  .partial()

export const Removal = z.object({
  category: z
    .enum([
      'moderator',
      'automod_filtered',
      'reddit',
      'anti_evil_ops',
      'community_ops',
      'legal_operations',
      'copyright_takedown',
      'author',
      'user',
    ])
    .default('moderator'),
})
export const Message = z.object({
  from: name,
  to: name,
  subject: z.string().max(100).default('Hello'),
  body: text,
  /** As the move to chat mirrors it: a subject of a chat room, and a root without a parent. */
  chat: flag.default(false),
  parent: optionalText,
})
export const Comment = z.object({ from: name, parent: z.string(), body: text })
export const Limits = z
  .strictObject({
    budget: whole.min(0),
    postingSeconds: whole.min(0),
    requirementErrors: z.enum(['list', 'status']),
    messagesMoved: z.enum(['on', 'off']),
    placeholderReplies: z.enum(['on', 'off']),
  })
  .partial()
export const FaultPlan = z
  .object({
    path: optionalText,
    account: optionalText,
    kind: z.enum(faultKinds),
    status: z.preprocess((value) => (value === '' ? undefined : value), whole.min(200).max(599).optional()),
    delayMilliseconds: whole.min(0).max(600_000).default(3000),
    times: z.preprocess((value) => (value === '' ? null : value), whole.min(1).nullable()).default(1),
    code: optionalText,
    message: optionalText,
  })
  .transform((plan) => ({ ...plan, status: plan.status ?? (plan.kind === 'refuse' ? 200 : 503) }))
