/**
 * Numbers, lists and names that both sides of promotion need (docs/product.md, Promotion). Without schemas, which pages
 * would have to load.
 */

/** Whether a subreddit asks creators to verify: `unset` nobody looked yet, `unknown` somebody looked and can’t tell. */
export const VERIFICATION_TYPES = ['required', 'other', 'unset', 'unknown'] as const
export const OC_SETTINGS = ['none', 'ocOnly', 'noOc'] as const
export const ANSWERS = ['true', 'false', 'unknown'] as const
export const WATERMARK_TYPES = ['unknown', 'not allowed', 'reddit username'] as const
export const INTERVAL_UNITS = ['hours', 'days'] as const

/** How far a creator is with their verification, and whether the subreddit’s moderators confirmed it. */
export const VERIFICATION_STATUSES = ['todo', 'pending', 'done'] as const
export const CONFIRMATIONS = ['true', 'pending', 'false', 'hidden'] as const

/** Names offered for a new list of subreddits. */
export const RECOMMENDED_LIST_NAMES = ['working', 'problem', 'pending', 'banned'] as const

/** How many posts a page of them shows, and how many more candidates Show More brings. */
export const POSTS_PAGE_SIZE = 5
export const CANDIDATES_STEP = 5

/** How many more subreddits a search of the forum shows at a time. */
export const DISCOVERY_STEP = 10
/** Letters of a title, which the forum allows. */
export const MAX_POST_TITLE_LENGTH = 300
/** Letters of a flair's own words, which the forum allows. */
export const MAX_FLAIR_LENGTH = 64
export const MAX_POST_TITLES = 20
/** Letters of the first comment below a post, which the forum allows. */
export const MAX_COMMENT_LENGTH = 10_000
/** Subreddits that one post or one list names. */
export const MAX_SUBREDDITS_CHOSEN = 2000
/** Subreddits of each kind that an answer with many posts names, the first of all; the answer of one post names them all. */
export const MAX_SUBREDDITS_NAMED = 15
export const MAX_SUBREDDIT_LISTS = 100
export const MAX_FORUM_ACCOUNTS = 10
/** Recurring slots of a person, and how many days ahead they are filled. */
export const MAX_SLOTS = 100
export const SLOT_DAYS_AHEAD = 7
export const MAX_SUBREDDIT_TAGS = 30
export const MAX_SUBREDDIT_NOTES = 5000
/** Subreddits that an operator names in one import. */
export const MAX_IMPORTED = 500

/** The last known state of a subreddit; `unread` before the forum was asked for the first time. */
export const READING_STATES = ['unread', 'read', 'private', 'gone', 'banned', 'quarantined'] as const
export type ReadingState = (typeof READING_STATES)[number]
/** The parts of a subreddit that can change on the forum. */
export const CHANGED_PARTS = ['rules', 'flair', 'requirements', 'access'] as const
export type ChangedPart = (typeof CHANGED_PARTS)[number]
/** How many changes of a subreddit are kept. */
export const MAX_SUBREDDIT_CHANGES = 10

/** A subreddit’s name, as people enter it and as the forum’s answers have it: somebody’s own page, `u_…`, too. */
export const SUBREDDIT_NAME = /^[\w-]{2,25}$/

/** Which posts a subreddit takes, in the forum’s word: links, texts (`self`), or both. */
export const SUBMISSION_TYPES = ['any', 'link', 'self'] as const
export type SubmissionType = (typeof SUBMISSION_TYPES)[number]

/** The name in what was typed or pasted: `Gardens/`, `r/Gardens`, `/r/Gardens/` or its address. */
export function cleanSubredditName(typed: string): string {
  const text = typed.trim()
  const [, name = text] =
    /^(?:https?:\/\/(?:\w+\.)?reddit\.com)?\/?r\/([^/?#\s]+)/i.exec(text) ?? /^([^/]+)\/$/.exec(text) ?? []
  return name.trim()
}

/** How many threads of the forum’s inbox come at a time. */
export const INBOX_PAGE_SIZE = 15
/** Letters of a reply to a message, which the forum allows. */
export const MAX_REPLY_LENGTH = 10_000
export const MAX_SAVED_REPLIES = 50
/** Where a post’s comment names the link that is counted back to it. */
export const LINK_PLACEHOLDER = '{link}'
/** How long after a visit a purchase is counted back to it. */
export const ATTRIBUTION_DAYS = 7
/** How many posts it takes to say what does well. */
export const LEAST_POSTS_COMPARED = 10
export const EARNINGS_GROUPS = ['post', 'subreddit', 'title', 'flair', 'hour', 'weekday'] as const
/** Rows of one plan, and letters of a file that has them. */
export const MAX_PLAN_ROWS = 200
export const MAX_PLAN_FILE_LENGTH = 200_000
export const PLAN_FILE_TOO_LONG = 'A file can have up to 200,000 characters. Split it.'
/** Posts that can be moved together. */
export const MAX_MOVED_ITEMS = 1000

/** In which order posts are offered for the schedule: the subreddits of each as chosen, or the best-earning first. */
export const CANDIDATE_ORDERS = ['roundRobin', 'shuffled', 'earnings'] as const
/** The forum’s words for a post that its own author deleted, which is no removal. */
export const OWN_REMOVALS: readonly string[] = ['author', 'deleted']
/** Of how many of somebody’s posts in a subreddit it is told at least how many were removed, and of how many at most. */
export const REMOVALS_TOLD = { least: 5, most: 100 }
