import type { ReactNode } from 'react'
import { ApiError } from '../lib/api.ts'
import { ErrorState } from './ErrorState.tsx'
import { SkeletonLines } from './Skeleton.tsx'

type FetchedProps<Data> = {
  /** The result of `useQuery`. */
  query: { data: Data | undefined; error: unknown; refetch: () => unknown }
  /** Shown until it comes. */
  waiting?: ReactNode
  /** Said when it did not come. */
  failed: string
  /** The frame around that. */
  around?: (failure: ReactNode) => ReactNode
  children: (data: Data) => ReactNode
}

/** The data, its skeleton, or its error. Data stays when it can't be read again: something may be typed in it. */
export function Fetched<Data>({
  query: { data, error, refetch },
  waiting = <SkeletonLines />,
  failed,
  around = (failure) => failure,
  children,
}: FetchedProps<Data>): ReactNode {
  if (data !== undefined) return children(data)
  if (!error) return waiting
  // An address of nothing leads to nothing a second time.
  const isNothing = error instanceof ApiError && [400, 404].includes(error.status)
  return around(
    <ErrorState title={failed} error={error} {...(!isNothing && { onRetry: () => void refetch() })} />,
  )
}
