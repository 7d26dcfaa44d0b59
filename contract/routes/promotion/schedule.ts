import { z } from 'zod'
import { SubredditName } from '../../forum.ts'
import {
  CANDIDATE_ORDERS,
  CANDIDATES_STEP,
  MAX_COMMENT_LENGTH,
  MAX_FLAIR_LENGTH,
  MAX_MOVED_ITEMS,
  MAX_POST_TITLE_LENGTH,
  WATERMARK_TYPES,
} from '../../promotion.ts'
import { route } from '../../route.ts'
import {
  Id,
  line,
  listOf,
  Moment,
  Money,
  Page,
  paragraph,
  QueryBoolean,
  Success,
  TimeZone,
} from '../../schemas.ts'
import { CLASHES, POST_RULES, SUBMISSION_STATES, SubmissionFailure } from '../../submissions.ts'

const LIMIT = { points: 600, seconds: 600 }
const Title = line(MAX_POST_TITLE_LENGTH).pipe(z.string().min(1, 'Select a title'))
const Comment = paragraph(MAX_COMMENT_LENGTH)
const Flair = { flairId: z.string().max(36).nullish(), flairText: line(MAX_FLAIR_LENGTH).nullish() }
/** A moment, or the end of the queue: the next free time in the person’s own rhythm. */
const PostTime = z.union([Moment, z.literal('endOfQueue')])

/** The smallest picture of an item of one’s own. */
const Thumbnail = z.object({ url: z.string(), width: z.number().int(), height: z.number().int() })

/** A post and a subreddit where it can be shown next. */
const Candidate = z.object({
  /** Of the post. */
  _id: Id,
  subreddit: z.string(),
  title: z.string(),
  titles: z.array(z.string()),
  /** Whether its titles are compared: without one that is named, the least used goes up. */
  testTitles: z.boolean(),
  link: z.string(),
  comment: z.string(),
  mediaId: Id.nullable(),
  thumbnail: Thumbnail.nullable(),
  /** Whether the subreddit wants the poster’s name on pictures. */
  watermarkType: z.enum(WATERMARK_TYPES),
  /** The expected earnings there, if the queue is ordered by them and there are earlier posts. */
  expected: Money.nullable(),
  /** Of the acting person’s latest posts there, how many were removed; null of a few. */
  removals: z.object({ posts: z.number().int(), removed: z.number().int() }).nullable(),
  /** The first of the post’s subreddits, at most so many of each kind as `MAX_SUBREDDITS_NAMED`. */
  usableSubreddits: z.array(z.string()),
  subredditsOnTimeline: z.array(z.string()),
  postedSubreddits: z.array(z.object({ subreddit: z.string(), postedTime: Moment })),
})

/** The rule of a subreddit that a title breaks; `suggestion` is a title that doesn’t, as far as we can tell. */
const Verdict = z.object({
  rule: z.enum(POST_RULES),
  message: z.string(),
  suggestion: z.string().nullable(),
})

const TimelineItem = z.object({
  _id: Id,
  postId: Id,
  subreddit: z.string(),
  title: z.string(),
  comment: z.string(),
  link: z.string(),
  mediaId: Id.nullable(),
  flairId: z.string().nullable(),
  flairText: z.string().nullable(),
  /** Whether it is marked NSFW on the forum. */
  nsfw: z.boolean(),
  postTime: Moment,
  state: z.enum(SUBMISSION_STATES),
  byHand: z.boolean(),
  /** The account that posts it, and its name. */
  accountId: Id.nullable(),
  account: z.string().nullable(),
  failure: SubmissionFailure.nullable(),
  /** Where it stands on the forum. */
  permalink: z.string().nullable(),
  postedTime: Moment.nullable(),
  commentState: z.enum(['none', 'due', 'sending', 'posted', 'failed']),
  /** Why the first comment wasn’t posted. */
  commentFailure: z.string().nullable(),
  score: z.number().int().nullable(),
  commentsCount: z.number().int().nullable(),
  /** Who removed it, in the forum’s word (docs/forum-wire.md). */
  removedBy: z.string().nullable(),
  /** When it was deleted on the forum since its score was too low. */
  takenDownAt: Moment.nullable(),
  /** The forum’s page for posting it by hand, filled in. */
  submitUrl: z.string().nullable(),
  /** The first comment, with its link, of one that is posted by hand or whose comment failed; null without one. */
  commentToPaste: z.string().nullable(),
})

/** An item of the timeline and its time. */
const Placed = TimelineItem.pick({ _id: true, postTime: true })

/** What stayed where it was, by the reason in a sentence. */
const Stayed = z.object({ posts: z.number().int(), reason: z.string() })

const Queue = z.object({
  timeZone: TimeZone,
  /** Days of the week; 0 is Sunday. */
  days: z.array(z.number().int().min(0).max(6)).min(1, 'Choose at least one day.').max(7),
  /** Hours of the day in which posts may go up. */
  hours: z.array(z.number().int().min(0).max(23)).min(1, 'Choose at least one hour.').max(24),
  gapMinutes: z.number().int().min(1).max(10_080),
  sameMediaMinutes: z.number().int().min(0).max(43_200),
  paused: z.boolean(),
  candidateOrder: z.enum(CANDIDATE_ORDERS),
  /** Days after which a post can be used again where it did well; never without them. */
  recycleDays: z.number().int().min(7, 'At least 7 days.').max(365, 'At most 365 days.').nullable(),
  recycleMinScore: z.number().int().min(-1000).max(1_000_000),
  /** Posts whose score is below this are deleted on the forum; none without it. */
  removeBelow: z.number().int().min(-1000).max(1_000_000).nullable(),
  /** Hours that a post has until then; scores are followed for seven days. */
  removeAfterHours: z.number().int().min(1, 'At least an hour.').max(72, 'At most 72 hours.'),
})

export const scheduleRoutes = {
  scheduleCandidates: route({
    method: 'GET',
    path: '/reddit/scheduleposts',
    summary:
      'Posts with subreddits where they can be shown next: one subreddit of each post in turn, those on the timeline or posted left out.',
    access: 'user',
    self: 'userId',
    query: Page.extend({
      userId: Id.optional(),
      limit: Page.shape.limit.unwrap().default(CANDIDATES_STEP),
      /** Part of a subreddit’s name. */
      subreddit: z.string().trim().max(50).default(''),
      /** Only of this post. */
      postId: Id.optional(),
    }),
    output: listOf(Candidate).extend({ count: z.number().int() }),
  }),
  checkPost: route({
    method: 'GET',
    path: '/reddit/schedulecheck',
    summary: 'The rules of a subreddit that a title, flair, link and time break, as far as they are known.',
    access: 'creator',
    query: z.object({
      postId: Id,
      subreddit: SubredditName,
      title: z.string().max(MAX_POST_TITLE_LENGTH),
      flairId: z.string().max(36).optional(),
      /** When it would go up; the end of the queue without it, which keeps all limits. */
      postTime: Moment.optional(),
      /** The account that would post it; without one, the first connected account. */
      accountId: Id.optional(),
      byHand: QueryBoolean.optional(),
    }),
    output: z.object({ verdicts: z.array(Verdict), endOfQueue: Moment }),
  }),
  createTimelineItem: route({
    method: 'POST',
    path: '/reddit/timeline/item/create',
    summary: 'Schedules a post in a subreddit, at a time or at the end of the queue.',
    access: 'creator',
    self: 'userId',
    rateLimit: LIMIT,
    body: z.object({
      userId: Id.optional(),
      postId: Id,
      selectedSubreddit: SubredditName,
      selectedUrl: z.string().max(2000).optional(),
      mediaId: Id.nullish(),
      /** Without it, the post’s first, or the least used where its titles are compared. */
      title: Title.optional(),
      /** Without it, the post’s own; an empty one is none. */
      comment: Comment.optional(),
      /** Without it, as the post says. */
      nsfw: z.boolean().optional(),
      ...Flair,
      postTime: PostTime.default('endOfQueue'),
      /** The account that posts it; the first that is connected without it. */
      accountId: Id.optional(),
      byHand: z.boolean().optional(),
    }),
    output: TimelineItem,
  }),
  manualSubmit: route({
    method: 'POST',
    path: '/reddit/manualsubmit',
    summary: 'Posts in a subreddit at once.',
    access: 'creator',
    transaction: 'manual',
    rateLimit: LIMIT,
    body: z.object({
      postId: Id,
      subreddit: SubredditName,
      title: Title.optional(),
      /** Without it, the post’s own; an empty one is none. */
      comment: Comment.optional(),
      /** Without it, as the post says. */
      nsfw: z.boolean().optional(),
      ...Flair,
      accountId: Id.optional(),
    }),
    /** Where it is scheduled again: until when the forum has its account wait, and whether the queue is paused. */
    output: TimelineItem.extend({ waitsUntil: Moment.nullable(), waitsForResume: z.boolean() }),
  }),
  timeline: route({
    method: 'GET',
    path: '/reddit/timeline',
    summary: 'Scheduled, posted and failed items between two moments, by time.',
    access: 'user',
    self: 'userId',
    query: Page.extend({
      userId: Id.optional(),
      from: Moment.optional(),
      /** Also what was to go up before `from`, and still is. */
      overdue: QueryBoolean.optional(),
      to: Moment.optional(),
      postId: Id.optional(),
      state: z.enum(SUBMISSION_STATES).optional(),
      sortOrder: z.enum(['asc', 'desc']).default('asc'),
    }),
    output: listOf(
      TimelineItem.extend({
        thumbnail: Thumbnail.nullable(),
        /** A warning about its time, whatever else of the timeline is listed; null unless it is still to come. */
        clash: z.enum(CLASHES).nullable(),
      }),
    ),
  }),
  editTimelineItem: route({
    method: 'POST',
    path: '/reddit/timeline/item/edit',
    summary: 'Changes what is scheduled, or schedules what failed again; what isn’t named stays.',
    access: 'creator',
    rateLimit: LIMIT,
    body: z.object({
      itemId: Id,
      title: Title.optional(),
      comment: Comment.optional(),
      nsfw: z.boolean().optional(),
      ...Flair,
      postTime: PostTime.optional(),
      accountId: Id.optional(),
      byHand: z.boolean().optional(),
      /** Whether it is to go up although the same link was posted there before. */
      resubmit: z.boolean().optional(),
    }),
    output: TimelineItem,
  }),
  cancelTimelineItem: route({
    method: 'POST',
    path: '/reddit/timeline/item/cancel',
    summary: 'Takes a post off the timeline; its subreddit can be used again.',
    access: 'creator',
    rateLimit: LIMIT,
    body: z.object({ itemId: Id }),
    output: Success,
  }),
  restoreTimelineItem: route({
    method: 'POST',
    path: '/reddit/timeline/item/restore',
    summary:
      'Puts back what was taken off the timeline, as it was; what would go up at once goes to the end of the queue.',
    access: 'creator',
    rateLimit: LIMIT,
    body: z.object({ itemId: Id }),
    output: TimelineItem,
  }),
  confirmTimelineItem: route({
    method: 'POST',
    path: '/reddit/timeline/item/confirm',
    summary:
      'Says that a post is up, by its address on the forum: one posted by hand, or one that nobody was sure of.',
    access: 'creator',
    transaction: 'manual',
    rateLimit: LIMIT,
    body: z.object({ itemId: Id, link: z.string().trim().min(1, 'Paste the post’s link.').max(500) }),
    output: TimelineItem,
  }),
  reopenPair: route({
    method: 'POST',
    path: '/reddit/timeline/item/reopen',
    summary:
      'Lets an account post again in a subreddit that refused it, and puts the item at the end of the queue.',
    access: 'creator',
    rateLimit: LIMIT,
    body: z.object({ itemId: Id }),
    output: TimelineItem,
  }),
  retryComment: route({
    method: 'POST',
    path: '/reddit/timeline/item/comment',
    summary: 'Sends the first comment of a post again that wasn’t posted, unless it turns out to be there.',
    access: 'creator',
    rateLimit: LIMIT,
    body: z.object({ itemId: Id }),
    output: TimelineItem,
  }),
  reopenSubreddit: route({
    method: 'POST',
    path: '/reddit/reopen',
    summary:
      'Lets an account plan posts in a subreddit that refused it; the first connected one without a name.',
    access: 'creator',
    rateLimit: LIMIT,
    body: z.object({ accountId: Id.optional(), subreddit: SubredditName }),
    output: Success,
  }),
  moveDay: route({
    method: 'POST',
    path: '/reddit/timeline/moveday',
    summary:
      'Moves everything scheduled between two moments by days and minutes; what can’t be posted then stays, as does what would be in the past.',
    access: 'creator',
    rateLimit: LIMIT,
    body: z.object({
      from: Moment,
      to: Moment,
      /** Days keep the time on the clock of this zone. */
      days: z.number().int().min(-365).max(365).default(0),
      timeZone: TimeZone.default('UTC'),
      minutes: z.number().int().min(-525_600).max(525_600).default(0),
    }),
    /** When each that moved was before, so that it can be undone. */
    output: z.object({ moved: z.number().int(), items: z.array(Placed), stayed: z.array(Stayed) }),
  }),
  moveBack: route({
    method: 'POST',
    path: '/reddit/timeline/moveback',
    summary:
      'Gives what is scheduled these times, which it had before it was moved; what can’t be posted then stays.',
    access: 'creator',
    rateLimit: LIMIT,
    body: z.object({ items: z.array(Placed).max(MAX_MOVED_ITEMS) }),
    output: z.object({ moved: z.number().int(), stayed: z.array(Stayed) }),
  }),
  queue: route({
    method: 'GET',
    path: '/reddit/queue',
    summary: 'The acting person’s rhythm, with their accounts and whether these post.',
    access: 'user',
    output: Queue.extend({
      scheduled: z.number().int(),
      accounts: z.array(
        z.object({
          _id: Id,
          name: z.string(),
          state: z.enum(['posting', 'resting', 'stopped', 'disconnected']),
          restingUntil: Moment.nullable(),
          /** Whether it rests as the forum takes nothing from it, or at our own pace after posts that went up late. */
          restReason: z.enum(['forum', 'pace']).nullable(),
          /** Whether the forum stopped it, or its person. */
          stoppedBy: z.enum(['person', 'forum']).nullable(),
        }),
      ),
    }),
  }),
  editQueue: route({
    method: 'POST',
    path: '/reddit/queue',
    summary: 'Changes the rhythm, or pauses everything; what isn’t named stays.',
    access: 'creator',
    rateLimit: LIMIT,
    body: Queue.partial(),
    output: Success,
  }),
  stopAccount: route({
    method: 'POST',
    path: '/reddit/queue/account',
    summary: 'Keeps one account from posting, or lets it post again.',
    access: 'creator',
    rateLimit: LIMIT,
    body: z.object({ accountId: Id, stopped: z.boolean() }),
    output: Success,
  }),
}
