import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../../../lib/api.ts'
import { roots } from '../../../../lib/query.ts'
import { routes } from '../../../../lib/routes.ts'
import { isAdmitted, useSession } from '../../../../lib/session.tsx'
import { CountBadge } from '../../../../ui/CountBadge.tsx'
import { Hidden } from '../../../../ui/Hidden.tsx'
import { badgeTexts } from './texts.ts'

/** The ids of the person's unread conversations. */
export const unreadQuery = queryOptions({
  queryKey: [...roots.messaging, 'unread'],
  queryFn: ({ signal }) => call(routes.unread, { query: {} }, { signal }),
  // Events keep it right.
  staleTime: 300_000,
})

/** How many conversations are unread, from the first one on; stands within a link or beside its label. */
export function UnreadBadge() {
  const { currentUser } = useSession()
  const { data } = useQuery({ ...unreadQuery, enabled: isAdmitted(currentUser) })
  const count = data?.items.length ?? 0
  if (count === 0) return null
  return (
    <>
      <CountBadge count={count} />
      <Hidden>{badgeTexts.unread(count)}</Hidden>
    </>
  )
}
