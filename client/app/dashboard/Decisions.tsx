import { IconChecks } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { WaitingList } from './WaitingList.tsx'
import { waitingQuery } from './waiting.ts'
import { waitingTexts as texts } from './waiting-texts.ts'

/** The operator's queue: every kind of decision that waits for them, what is due first at the top. */
export function Decisions() {
  const { data, error, isPending, refetch } = useQuery(waitingQuery)
  if (data && data.length > 0) return <WaitingList title={texts.decisions} things={data} />
  return (
    <Card>
      {isPending ? (
        <SkeletonLines lines={7} />
      ) : error ? (
        <ErrorState title={texts.loadFailed} error={error} onRetry={() => void refetch()} />
      ) : (
        <EmptyState Icon={IconChecks} title={texts.noneTitle}>
          {texts.none}
        </EmptyState>
      )}
    </Card>
  )
}
