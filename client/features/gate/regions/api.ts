import { queryOptions, useMutation } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Routes } from '../../../../contract/index.ts'
import type { Input, Output } from '../../../../contract/route.ts'
import type { ageRoutes } from '../../../../contract/routes/compliance/age.ts'
import type { RestrictedRegion, regionRoutes } from '../../../../contract/routes/compliance/regions.ts'
import { call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import { senatorsQuery } from '../senate.ts'

export type Region = z.output<typeof RestrictedRegion>
export type PersonAge = Output<typeof ageRoutes.personAge>
type RegionValues = Input<typeof regionRoutes.setRegion>['body']

export const regionsQuery = queryOptions({
  queryKey: [...roots.compliance, 'regions'],
  queryFn: ({ signal }) => call(routes.regions, {}, { signal }),
})

/** Restricts a region, or changes one that is. */
export function useSetRegion() {
  return useMutation({
    mutationFn: (body: RegionValues) => call(routes.setRegion, { body }),
    meta: { invalidates: [regionsQuery.queryKey] },
  })
}

export function useRemoveRegion() {
  return useMutation({
    mutationFn: ({ country, code, reason }: Pick<Region, 'country' | 'code'> & { reason: string }) =>
      call(routes.removeRegion, { body: { country, code, reason } }),
    // Somebody else may have removed it.
    meta: { invalidates: [regionsQuery.queryKey], onFailure: [regionsQuery.queryKey] },
  })
}

/** Corrects the senators of a state. */
export function useSetSenators() {
  return useMutation({
    mutationFn: (body: Input<Routes['setSenators']>['body']) => call(routes.setSenators, { body }),
    meta: { invalidates: [senatorsQuery.queryKey] },
  })
}

/** Approves, or takes back. */
export function useDecideAge() {
  return useMutation({
    mutationFn: ({ approve, ...body }: { approve: boolean; userId: string; reason: string }) =>
      approve ? call(routes.approveAge, { body }) : call(routes.revokeAge, { body }),
  })
}
