import type { ReactNode } from 'react'
import { ErrorState } from './ErrorState.tsx'
import { SkeletonLines } from './Skeleton.tsx'

type FetchedProps<Data> = {
  /** What `useQuery` answered. */
  query: { data: Data | undefined; error: unknown; refetch: () => unknown }
  /** Shown until it comes. */
  waiting?: ReactNode
  /** Said when it did not come. */
  failed: string
  /** What stands around that. */
  around?: (failure: ReactNode) => ReactNode
  children: (data: Data) => ReactNode
}

/**
 * What was read, or that it is on its way, or that it did not come. What is there stays when it can't be read again:
 * something may be typed in it.
 */
export function Fetched<Data>({
  query: { data, error, refetch },
  waiting = <SkeletonLines />,
  failed,
  around = (failure) => failure,
  children,
}: FetchedProps<Data>): ReactNode {
  if (data !== undefined) return children(data)
  if (!error) return waiting
  return around(<ErrorState title={failed} error={error} onRetry={() => void refetch()} />)
}
