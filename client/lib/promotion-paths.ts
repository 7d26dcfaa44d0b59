import { paths } from './paths.ts'

const at = encodeURIComponent

/** The paths of promotion, separate from the others because few pages need them. Patterns are in contract/pages.ts. */
export const promotionPaths = {
  accounts: '/dashboard/reddit',
  createPost: '/dashboard/createredditpost',
  posts: paths.promotion,
  editPost: (redditPostId: string) => `/dashboard/edit/post/${at(redditPostId)}`,
  schedule: '/dashboard/scheduleposts',
  scheduleOf: (redditPostId: string) => `/dashboard/scheduleposts?post=${at(redditPostId)}`,
  plan: '/dashboard/plan',
  slots: '/dashboard/postingslots',
  timeline: '/dashboard/timeline',
  timelineOf: (redditPostId: string) => `/dashboard/timeline?post=${at(redditPostId)}`,
  findSubreddits: (redditPostId: string) => `/dashboard/findsubreddits/${at(redditPostId)}`,
  inbox: '/dashboard/redditchats',
  progress: '/dashboard/mysubredditprogress',
  lists: '/dashboard/subredditlists',
  editList: (listId: string) => `/dashboard/edit/srlist/${at(listId)}`,
  earnings: '/dashboard/postearnings',
  manageSubreddits: '/dashboard/managesubreddits',
  subreddit: (name: string) => `/editsrinfo/${at(name)}`,
  verification: (name: string, userId?: string) =>
    `/editusersrinfo/${at(name)}${userId ? `?userId=${at(userId)}` : ''}`,
} as const
