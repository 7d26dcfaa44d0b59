import { IconChecks } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Fetched } from '../../ui/Fetched.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { WaitingList } from './WaitingList.tsx'
import { waitingQuery } from './waiting.ts'
import { waitingTexts as texts } from './waiting-texts.ts'

/** The operator's queue: every kind of decision that waits for them, what is due first at the top. */
export function Decisions() {
  return (
    <Fetched
      query={useQuery(waitingQuery)}
      waiting={
        <Card>
          <SkeletonLines lines={7} />
        </Card>
      }
      failed={texts.loadFailed}
      around={(failure) => <Card>{failure}</Card>}
    >
      {(things) =>
        things.length > 0 ? (
          <WaitingList title={texts.decisions} things={things} />
        ) : (
          <Card>
            <EmptyState Icon={IconChecks} title={texts.noneTitle}>
              {texts.none}
            </EmptyState>
          </Card>
        )
      }
    </Fetched>
  )
}
