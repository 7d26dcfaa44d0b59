import { z } from 'zod'
import { MAX_IDS_PER_PAGE } from '../../constants.ts'
import { Frequency, SubredditChange, SubredditName } from '../../forum.ts'
import {
  ANSWERS,
  CHANGED_PARTS,
  CONFIRMATIONS,
  INTERVAL_UNITS,
  MAX_IMPORTED,
  MAX_SUBREDDIT_NOTES,
  MAX_SUBREDDIT_TAGS,
  OC_SETTINGS,
  READING_STATES,
  VERIFICATION_STATUSES,
  VERIFICATION_TYPES,
  WATERMARK_TYPES,
} from '../../promotion.ts'
import { route } from '../../route.ts'
import { Id, line, listOf, Moment, Page, paragraph, QueryBoolean, repeated, Success } from '../../schemas.ts'

/** A subreddit with our own notes on its rules. */
const Subreddit = z.object({
  _id: Id,
  name: z.string(),
  /** Null until the forum said how many, and of a private one. */
  subscribers: z.number().int().nullable(),
  verificationType: z.enum(VERIFICATION_TYPES),
  notes: z.string(),
  categorized: z.boolean(),
  sellingAccountsAllowed: z.boolean(),
  ocSettings: z.enum(OC_SETTINGS),
  boyAndGirlRequired: z.boolean(),
  couplesOnly: z.boolean(),
  malesAllowed: z.enum(ANSWERS),
  womenOnly: z.enum(ANSWERS),
  toysAllowed: z.boolean(),
  sexActsAllowed: z.boolean(),
  watermarkType: z.enum(WATERMARK_TYPES),
  faceRequired: z.boolean(),
  postFrequency: Frequency.nullable(),
  repostFrequency: Frequency.nullable(),
  srTagIds: z.array(Id),
})

/** All that we know of a subreddit: also what the forum says of it, and when it was last asked. */
const SubredditInfo = Subreddit.extend({
  description: z.string(),
  state: z.enum(READING_STATES),
  readAt: Moment.nullable(),
  /** When the forum’s rules, flair or requirements last changed, and what of them; null of no change yet. */
  changed: z.object({ at: Moment, parts: z.array(z.enum(CHANGED_PARTS)) }).nullable(),
})

/** A row of a table of subreddits, with the acting person’s own verification. */
const SubredditRow = Subreddit.extend({
  /** Null where they have no record there. */
  status: z.enum(VERIFICATION_STATUSES).nullable(),
  confirmed: z.enum(CONFIRMATIONS).nullable(),
})

const Filters = Page.extend({
  srTagIds: repeated(Id, MAX_SUBREDDIT_TAGS),
  /** Part of a name. */
  search: line(60).default(''),
  verificationSetting: z.enum(VERIFICATION_TYPES).optional(),
  sellingAccountsAllowed: QueryBoolean.optional(),
  ocSettings: z.enum(OC_SETTINGS).optional(),
  boyAndGirlRequired: QueryBoolean.optional(),
  couplesOnly: QueryBoolean.optional(),
  malesAllowed: z.enum(ANSWERS).optional(),
  womenOnly: z.enum(ANSWERS).optional(),
  /** Those where the acting person is so far; `none` of no record. */
  status: z.enum([...VERIFICATION_STATUSES, 'none']).optional(),
  /** Without tags like these. */
  excludeTagIds: repeated(Id, MAX_SUBREDDIT_TAGS),
  /** Without the subreddits of these lists. */
  excludeListIds: repeated(Id),
  /** With those of lists that remove from search, to choose what another list holds; else they never come. */
  withRemoved: QueryBoolean.default(false),
  sortBy: z.enum(['subscribers', 'name']).default('subscribers'),
})

const INCOMPLETE = 'Enter how many posts and the interval, or neither.'

/** Whether all of an interval is there, or nothing of it, or none of it was sent. */
function isWhole(...parts: unknown[]): boolean {
  const absences = new Set(parts.map((part) => (part === null || part === undefined ? part : 'there')))
  return absences.size === 1
}

const LIMIT = { points: 1200, seconds: 600 }

export const subredditRoutes = {
  subredditNames: route({
    method: 'GET',
    path: '/reddit/srinfonames',
    summary: 'The names of all tracked subreddits.',
    access: 'creator',
    rateLimit: { points: 60, seconds: 600 },
    output: z.object({ names: z.array(z.string()) }),
  }),
  subredditTags: route({
    method: 'GET',
    path: '/reddit/srtags',
    summary: 'The tags of subreddits, by name.',
    access: 'user',
    output: z.object({ items: z.array(z.object({ _id: Id, name: z.string() })) }),
  }),
  addSubredditTag: route({
    method: 'POST',
    path: '/reddit/srtags',
    summary: 'Adds a tag for subreddits; an existing one is returned.',
    access: { permission: 'subreddits.edit' },
    body: z.object({ name: line(40).pipe(z.string().min(1, 'Enter a name.')) }),
    output: z.object({ _id: Id, name: z.string() }),
  }),
  allSubreddits: route({
    method: 'GET',
    path: '/reddit/allsrinfos',
    summary: 'Everything known of all tracked subreddits, by name.',
    access: { permission: 'subreddits.edit' },
    query: Page.extend({
      limit: z.coerce.number().int().min(1).max(MAX_IDS_PER_PAGE).default(MAX_IDS_PER_PAGE),
    }),
    output: listOf(SubredditInfo),
  }),
  searchSubreddits: route({
    method: 'GET',
    path: '/reddit/srinfos',
    summary: 'Tracked subreddits by filter, with the acting person’s verification.',
    access: 'creator',
    rateLimit: LIMIT,
    query: Filters,
    output: listOf(SubredditRow),
  }),
  searchCategorizedSubreddits: route({
    method: 'GET',
    path: '/reddit/srinfos3',
    summary: 'Tracked subreddits by filter, also by whether an operator categorized them.',
    access: 'user',
    rateLimit: LIMIT,
    query: Filters.extend({ categorized: z.enum(['yes', 'no', 'all']).default('all') }),
    output: listOf(SubredditRow),
  }),
  subreddit: route({
    method: 'GET',
    path: '/reddit/srinfo/:subreddit',
    summary: 'The facts about one subreddit.',
    access: 'user',
    params: z.object({ subreddit: SubredditName }),
    output: SubredditInfo,
  }),
  subredditChanges: route({
    method: 'GET',
    path: '/reddit/srinfo/:subreddit/changes',
    summary: 'Recent changes of a subreddit on the forum, newest first.',
    access: 'user',
    params: z.object({ subreddit: SubredditName }),
    output: z.object({ items: z.array(z.object({ _id: Id, at: Moment, change: SubredditChange })) }),
  }),
  editSubreddit: route({
    method: 'POST',
    path: '/reddit/srinfo/edit',
    summary: 'Keeps the operator’s notes on a subreddit’s rules; one that wasn’t tracked is from then on.',
    access: { permission: 'subreddits.edit' },
    body: z
      .object({
        srTagIds: z.array(Id).max(MAX_SUBREDDIT_TAGS),
        verificationType: z.enum(VERIFICATION_TYPES),
        notes: paragraph(MAX_SUBREDDIT_NOTES),
        womenOnly: z.enum(ANSWERS),
        toysAllowed: z.boolean(),
        sexActsAllowed: z.boolean(),
        watermarkType: z.enum(WATERMARK_TYPES),
        malesAllowed: z.enum(ANSWERS),
        boyAndGirlRequired: z.boolean(),
        couplesOnly: z.boolean(),
        sellingAccountsAllowed: z.boolean(),
        ocSettings: z.enum(OC_SETTINGS),
        categorized: z.boolean(),
        /** All three of an interval, or null in each for no limit. */
        pfMaxPosts: Frequency.shape.maxPosts.nullable(),
        pfIntervalAmount: Frequency.shape.intervalAmount.nullable(),
        pfIntervalUnit: z.enum(INTERVAL_UNITS).nullable(),
        rpfMaxPosts: Frequency.shape.maxPosts.nullable(),
        rpfIntervalAmount: Frequency.shape.intervalAmount.nullable(),
        rpfIntervalUnit: z.enum(INTERVAL_UNITS).nullable(),
        faceRequired: z.boolean(),
      })
      // What isn't sent stays as it is.
      .partial()
      .extend({ srName: SubredditName })
      .refine(
        ({ pfMaxPosts, pfIntervalAmount, pfIntervalUnit }) =>
          isWhole(pfMaxPosts, pfIntervalAmount, pfIntervalUnit),
        {
          path: ['pfMaxPosts'],
          message: INCOMPLETE,
        },
      )
      .refine(
        ({ rpfMaxPosts, rpfIntervalAmount, rpfIntervalUnit }) =>
          isWhole(rpfMaxPosts, rpfIntervalAmount, rpfIntervalUnit),
        {
          path: ['rpfMaxPosts'],
          message: INCOMPLETE,
        },
      ),
    output: SubredditInfo,
  }),
  importSubreddits: route({
    method: 'POST',
    path: '/reddit/srinfo/import',
    summary: 'Tracks subreddits by name, and has their rules, flair and requirements read from the forum.',
    access: { permission: 'subreddits.edit' },
    body: z.object({ names: z.array(SubredditName).min(1).max(MAX_IMPORTED) }),
    output: z.object({ added: z.number().int() }),
  }),
  deleteSubreddit: route({
    method: 'POST',
    path: '/reddit/srinfo/delete',
    summary: 'Stops tracking a subreddit that no creator uses.',
    access: { permission: 'subreddits.edit' },
    body: z.object({ srName: SubredditName }),
    output: Success,
  }),
}
