import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../../lib/api.ts'
import { routes } from '../../../../lib/routes.ts'
import { keys } from '../../api.ts'

/** Creators who have published something, the most popular first. */
export const creatorsQuery = queryOptions({
  queryKey: [...keys.lists, 'creators'],
  queryFn: ({ signal }) => call(routes.creators, {}, { signal }),
  select: ({ creators }) => creators,
})
