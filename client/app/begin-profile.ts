import { subscriptionsQuery } from '../features/commerce/api.ts'
import { ageQuery } from '../features/gate/visitor.tsx'
import { profileMediaQuery } from '../features/media/api.ts'
import { profileQuery } from '../features/profiles/api.ts'
import { queryClient } from '../lib/query.ts'
import { readToken } from '../lib/token.ts'

/** Asks for what a profile shows first, unless it is here; a failure is told by the page, which asks again. */
export function beginProfile({ username = '' }: Record<string, string | undefined>): void {
  if (queryClient.getQueryData(profileQuery(username).queryKey)) return
  begin(username).catch(() => undefined)
}

async function begin(username: string): Promise<void> {
  // Before a visitor said their age nothing is asked for; somebody with an account has said it there.
  if (readToken() === null && !(await queryClient.fetchQuery(ageQuery(null))).ageVerified) return
  const { _id, isCreator } = await queryClient.fetchQuery(profileQuery(username))
  if (!isCreator) return
  void queryClient.prefetchInfiniteQuery(profileMediaQuery(_id))
  void queryClient.prefetchQuery(subscriptionsQuery(_id))
}
