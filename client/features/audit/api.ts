import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Input, Output } from '../../../contract/route.ts'
import type { auditRoutes } from '../../../contract/routes/compliance/audit.ts'
import { call } from '../../lib/api.ts'
import { roots } from '../../lib/query.ts'
import { routes } from '../../lib/routes.ts'

export type Entry = Output<typeof auditRoutes.audit>['items'][number]
export type Actor = Output<typeof auditRoutes.auditActors>['items'][number]
/** Which entries are looked for. */
export type Sought = Omit<Input<typeof auditRoutes.audit>['query'], 'cursor' | 'limit' | 'skip'>

/** The audit log, newest first. */
export function auditQuery(sought: Sought) {
  return infiniteQueryOptions({
    queryKey: [...roots.compliance, 'audit', sought],
    queryFn: ({ pageParam, signal }) =>
      call(routes.audit, { query: { cursor: pageParam, ...sought } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

/** Everybody with an entry in the audit log. */
export const actorsQuery = queryOptions({
  queryKey: [...roots.compliance, 'auditActors'],
  queryFn: ({ signal }) => call(routes.auditActors, {}, { signal }),
})
