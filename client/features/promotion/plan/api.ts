import { useMutation } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import type { Poster } from '../schedule/PosterField.tsx'
import { type PlanRow, sent } from './rows.ts'

/** The input of a plan: rows, the first candidates, or a file. */
export type Wanted =
  | { rows: readonly PlanRow[] }
  | { candidates: { limit: number; subreddit: string } & Poster }
  | ({ text: string } & Poster)

/** The plan's preview; nothing is scheduled. */
export function usePreview() {
  return useMutation({
    mutationFn: async (wanted: Wanted) => {
      if ('text' in wanted) return (await call(routes.readPlanFile, { body: wanted })).rows
      if ('candidates' in wanted) return (await call(routes.planCandidates, { body: wanted.candidates })).rows
      return (await call(routes.previewPlan, { body: { rows: wanted.rows.map(sent) } })).rows
    },
  })
}

export function useSchedulePlan() {
  return useMutation({
    mutationFn: async (rows: readonly PlanRow[]) =>
      (await call(routes.schedulePlan, { body: { rows: rows.map(sent) } })).rows,
    meta: {
      invalidates: [[...roots.promotion, 'queue']],
      outdates: [
        [...roots.promotion, 'timeline'],
        [...roots.promotion, 'candidates'],
        [...roots.promotion, 'posts'],
      ],
    },
  })
}

export const timelineFile = () => call(routes.timelineFile, { query: {} })
