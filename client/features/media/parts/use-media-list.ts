import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigationType } from 'react-router'
import type { MediaListQuery, Page } from '../api.ts'

/**
 * A list of media as it stands. Who comes back to it finds it as it was left, so that nothing moves under the place
 * that is returned to; only what was bought or changed meanwhile is asked for anew.
 */
export function useMediaList<P extends Page>(query: MediaListQuery<P>) {
  const cameBack = useNavigationType() === 'POP'
  return useInfiniteQuery({ ...query, refetchOnMount: ({ state }) => !cameBack || state.isInvalidated })
}
