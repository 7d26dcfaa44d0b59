import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../../lib/api.ts'
import { roots } from '../../../../lib/query.ts'
import { routes } from '../../../../lib/routes.ts'

/** How many of the caller’s notifications are unread; events keep it right. */
export const unreadNotificationsQuery = queryOptions({
  queryKey: [...roots.notifications, 'unread'],
  queryFn: ({ signal }) => call(routes.unreadNotifications, {}, { signal }),
  staleTime: 300_000,
})
