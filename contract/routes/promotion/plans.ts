import { z } from 'zod'
import { SubredditName } from '../../forum.ts'
import {
  MAX_COMMENT_LENGTH,
  MAX_FLAIR_LENGTH,
  MAX_PLAN_FILE_LENGTH,
  MAX_PLAN_ROWS,
  MAX_POST_TITLE_LENGTH,
  PLAN_FILE_TOO_LONG,
} from '../../promotion.ts'
import { route } from '../../route.ts'
import { Id, line, Moment, paragraph } from '../../schemas.ts'
import { POST_RULES } from '../../submissions.ts'

const LIMIT = { points: 120, seconds: 600 }

/** The poster of rows that name none: an account, the first connected one if left out, or the person by hand. */
const Poster = { accountId: Id.nullish(), byHand: z.boolean().default(false) }

/** One post in one subreddit, as its person wants it. */
const PlanRow = z.object({
  postId: Id,
  subreddit: SubredditName,
  /** Without one, the first of the post’s titles that breaks no rule there. */
  title: line(MAX_POST_TITLE_LENGTH).nullish(),
  /** Without one, the post’s own; an empty one is none. */
  comment: paragraph(MAX_COMMENT_LENGTH).nullish(),
  /** Without it, as the post says. */
  nsfw: z.boolean().nullish(),
  flairId: z.string().max(36).nullish(),
  /** Its own words, where the subreddit lets people write them. */
  flairText: line(MAX_FLAIR_LENGTH).nullish(),
  postTime: z.union([Moment, z.literal('endOfQueue')]).default('endOfQueue'),
  ...Poster,
})
const Rows = z.array(PlanRow).min(1, 'Choose at least one post.').max(MAX_PLAN_ROWS)

/** A rule that a row breaks, or a sentence about what it says. */
const Reason = z.object({ rule: z.enum(POST_RULES).nullable(), message: z.string() })

/** The result of a plan's row; `wanted` is the requested time, `postTime` the actual one. */
const PlannedRow = z.object({
  /** Its place in what was sent, or its line in the file. */
  line: z.number().int(),
  /** Null where a row of a file can’t be read. */
  postId: Id.nullable(),
  subreddit: z.string(),
  title: z.string(),
  comment: z.string().nullable(),
  nsfw: z.boolean().nullable(),
  flairId: z.string().nullable(),
  flairText: z.string().nullable(),
  /** The flair's text: the person's own words, else the subreddit’s. */
  flair: z.string().nullable(),
  /** The account that posts it; the first that is connected without one. */
  accountId: Id.nullable(),
  byHand: z.boolean(),
  wanted: z.union([Moment, z.literal('endOfQueue')]),
  /** Null where it isn’t scheduled. */
  postTime: Moment.nullable(),
  /** Why it isn’t, and what else keeps it; `suggestion` is a title that breaks no rule, as far as we can tell. */
  problem: Reason.extend({ suggestion: z.string().nullable(), others: z.array(Reason) }).nullable(),
})
const Planned = z.object({ rows: z.array(PlannedRow) })

export const planRoutes = {
  previewPlan: route({
    method: 'POST',
    path: '/reddit/plan/preview',
    summary:
      'What scheduling all of these rows would make of each, or of the first candidates. Saves nothing.',
    access: 'creator',
    transaction: 'manual',
    rateLimit: LIMIT,
    body: z.object({ rows: Rows }),
    output: Planned,
  }),
  planCandidates: route({
    method: 'POST',
    path: '/reddit/plan/candidates',
    summary: 'The same of the first candidates in their order, each at the end of the queue.',
    access: 'creator',
    transaction: 'manual',
    rateLimit: LIMIT,
    body: z.object({
      limit: z.number().int().min(1).max(MAX_PLAN_ROWS),
      /** Part of a subreddit’s name. */
      subreddit: z.string().trim().max(50).default(''),
      ...Poster,
    }),
    output: Planned,
  }),
  readPlanFile: route({
    method: 'POST',
    path: '/reddit/plan/csv',
    summary:
      'The same of a CSV file with the columns post, subreddit, title, time, comment, flair, flair text, account and NSFW, each row with its line; what has no column is the post’s own.',
    access: 'creator',
    transaction: 'manual',
    rateLimit: LIMIT,
    body: z.object({
      text: z.string().min(1, 'This file is empty.').max(MAX_PLAN_FILE_LENGTH, PLAN_FILE_TOO_LONG),
      ...Poster,
    }),
    output: Planned,
  }),
  schedulePlan: route({
    method: 'POST',
    path: '/reddit/plan',
    summary: 'Schedules every row that breaks no rule, and says of the others why they aren’t scheduled.',
    access: 'creator',
    rateLimit: LIMIT,
    body: z.object({ rows: Rows }),
    output: Planned,
  }),
  timelineFile: route({
    method: 'GET',
    path: '/reddit/timeline/csv',
    summary: 'The whole timeline as a CSV file, in the columns of a plan and with what became of each post.',
    access: 'creator',
    self: 'userId',
    query: z.object({ userId: Id.optional() }),
    output: z.object({ fileName: z.string(), text: z.string() }),
  }),
}
