import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from './api.ts'
import { answeredAtOnce } from './initial-data.ts'
import { roots } from './query.ts'
import { routes } from './routes.ts'

/** The operator's settings for the client (`GET /api/config`, docs/product.md, Sandbox and sample data). */
export const configQuery = queryOptions({
  queryKey: roots.config,
  meta: { keep: 'browser' },
  queryFn: ({ signal }) => call(routes.config, {}, { signal }),
  initialData: () => answeredAtOnce(routes.config),
  staleTime: Number.POSITIVE_INFINITY,
})

/** The operator's settings; undefined until they arrive. */
export function useConfig() {
  return useQuery(configQuery).data
}

/** The site's display name. */
export function useBrandName(): string {
  return useConfig()?.brand.name ?? 'Fanfare'
}
