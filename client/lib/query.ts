import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'

function isTransient(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500)
}

/** One cache of what the server said. Only failures that may pass are tried again, and only for reading. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      networkMode: 'always',
      retry: (failures, error) => failures < 2 && isTransient(error),
      retryDelay: (failures) => 500 * 2 ** failures,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})
