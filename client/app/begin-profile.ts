import { profileMediaQuery } from '../features/media/api.ts'
import { profileQuery, subscriptionsQuery } from '../features/profiles/api.ts'
import { queryClient } from '../lib/query.ts'

/** Asks for what a profile shows first, unless it is here; a failure is told by the page, which asks again. */
export function beginProfile({ username = '' }: Record<string, string | undefined>): void {
  const profile = profileQuery(username)
  if (queryClient.getQueryData(profile.queryKey)) return
  queryClient.fetchQuery(profile).then(
    ({ _id, isCreator }) => {
      if (!isCreator) return
      void queryClient.prefetchInfiniteQuery(profileMediaQuery(_id))
      void queryClient.prefetchQuery(subscriptionsQuery(_id))
    },
    () => undefined,
  )
}
