import { queryOptions, useMutation } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { roots } from '../../lib/query.ts'
import { routes } from '../../lib/routes.ts'

/** Starts a check and goes to the provider's page. */
export function useAgeCheck() {
  return useMutation({
    mutationFn: () => call(routes.startAgeCheck),
    onSuccess: ({ url }) => window.location.assign(url),
  })
}

/** The provider's result that the visitor brought back, as the server reads it. Asking again changes nothing. */
export function ageResultQuery(brought: { result: string; signature: string } | null) {
  return queryOptions({
    queryKey: [...roots.compliance, 'age-result', brought?.signature],
    queryFn: () => call(routes.finishAgeCheck, { body: brought ?? { result: '', signature: '' } }),
    enabled: brought !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
}
