import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Output } from '../../../../contract/route.ts'
import type { redditPostRoutes } from '../../../../contract/routes/promotion/posts.ts'
import { call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'

export type Post = Output<typeof redditPostRoutes.post>

const own = [...roots.promotion, 'posts'] as const

/** One post with its subreddits. */
export function postQuery(redditPostId: string) {
  return queryOptions({
    queryKey: [...own, 'one', redditPostId],
    queryFn: ({ signal }) => call(routes.post, { params: { redditPostId } }, { signal }),
    // A form begins with what is there now: what it sends replaces all of it.
    gcTime: 0,
  })
}

/** The person’s posts, the newest first. */
export const postsQuery = infiniteQueryOptions({
  queryKey: [...own, 'all'],
  queryFn: ({ pageParam, signal }) => call(routes.posts, { query: { cursor: pageParam } }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor ?? undefined,
})

/** What a changed post makes wrong. */
export const postChanges = { invalidates: [own] }
