import { infiniteQueryOptions, useMutation } from '@tanstack/react-query'
import type { Output } from '../../../../contract/route.ts'
import type { messageReportRoutes } from '../../../../contract/routes/messaging/reports.ts'
import { call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'

export type MessageReport = Output<typeof messageReportRoutes.messageReports>['items'][number]
export type ReportedLine = Output<typeof messageReportRoutes.readReported>['messages'][number]

const reports = [...roots.messaging, 'reports'] as const

export function reportsQuery(showing: 'open' | 'closed') {
  return infiniteQueryOptions({
    queryKey: [...reports, showing],
    queryFn: ({ pageParam, signal }) =>
      call(routes.messageReports, { query: { showing, cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

/** Reads what stands around a reported message, which the audit log notes. */
export function useReadReported() {
  return useMutation({ mutationFn: (reportId: string) => call(routes.readReported, { body: { reportId } }) })
}

/** Closes a report with what was decided. */
export function useCloseReport() {
  return useMutation({
    mutationFn: (body: { reportId: string; reason: string }) => call(routes.closeReport, { body }),
    meta: { invalidates: [reports], onFailure: [reports] },
  })
}
