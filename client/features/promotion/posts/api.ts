import { infiniteQueryOptions, queryOptions, useMutation } from '@tanstack/react-query'
import { MAX_PAGE_SIZE } from '../../../../contract/constants.ts'
import type { Output } from '../../../../contract/route.ts'
import type { redditPostRoutes } from '../../../../contract/routes/promotion/posts.ts'
import { call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import { keys as mediaKeys } from '../../media/api.ts'

/** Postings that the history shows at a time. */
const HISTORY_STEP = 10

export type Post = Output<typeof redditPostRoutes.post>

const own = [...roots.promotion, 'posts'] as const
const candidates = [...roots.promotion, 'candidates'] as const

/** One post with its subreddits. */
export function postQuery(redditPostId: string) {
  return queryOptions({
    queryKey: [...own, 'one', redditPostId],
    queryFn: ({ signal }) => call(routes.post, { params: { redditPostId } }, { signal }),
    // A form begins with what is there now: what it sends replaces all of it.
    gcTime: 0,
  })
}

export type PostOrder = {
  hidden: boolean
  sortBy: 'createdAt' | 'usableSubredditsCount' | 'postedSubredditsCount'
  sortOrder: 'asc' | 'desc'
}
type PostsPage = Output<typeof redditPostRoutes.posts>
export type PostInList = PostsPage['items'][number]

/** The person’s posts, hidden ones or the others, five at a time. */
export function postsQuery({ hidden, ...order }: PostOrder) {
  return infiniteQueryOptions({
    queryKey: [...own, 'all', hidden, order],
    queryFn: ({ pageParam, signal }) =>
      call(
        routes.posts,
        { query: { cursor: pageParam, hidden: hidden ? 'true' : 'false', ...order } },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

/** How the titles of a post did against each other. */
export function comparedTitlesQuery(redditPostId: string) {
  return queryOptions({
    queryKey: [...own, 'titles', redditPostId],
    queryFn: ({ signal }) => call(routes.comparedTitles, { params: { redditPostId } }, { signal }),
  })
}

/** Where a post and others of the same picture went up, the latest first. */
export function historyQuery(redditPostId: string) {
  return infiniteQueryOptions({
    queryKey: [...own, 'history', redditPostId],
    queryFn: ({ pageParam, signal }) =>
      call(
        routes.postHistory,
        { params: { redditPostId }, query: { cursor: pageParam, limit: HISTORY_STEP } },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

/** Hides a post or shows it again; it leaves the lists that it was in. */
export function useHidePost() {
  return useMutation({
    mutationFn: ({ redditPostId, hidden }: { redditPostId: string; hidden: boolean }) =>
      call(routes.hidePost, { params: { redditPostId }, body: { hidden } }),
    meta: { invalidates: [own], outdates: [candidates] },
  })
}

/** Forgets that a post was shown in a subreddit, which can be chosen again then. */
export function useForgetPosted(redditPostId: string) {
  return useMutation({
    mutationFn: (subreddit: string) => call(routes.forgetPosted, { body: { subreddit, redditPostId } }),
    meta: postChanges,
  })
}

/** The person’s own items that promote, which a post can be of. */
export const promotingQuery = infiniteQueryOptions({
  queryKey: [...mediaKeys.lists, 'promoting'],
  queryFn: ({ pageParam: cursor, signal }) => {
    const query = { visibility: 'promotion', limit: MAX_PAGE_SIZE, cursor } as const
    return call(routes.manageMedia, { query }, { signal })
  },
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor ?? undefined,
})

/** Queries that a changed post invalidates. */
export const postChanges = { invalidates: [own], outdates: [candidates] }
