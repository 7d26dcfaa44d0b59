import { IconChecks } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { DECIDING } from '../../../contract/permissions.ts'
import { may, type Person } from '../../lib/session.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Fetched } from '../../ui/Fetched.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { WaitingList } from './WaitingList.tsx'
import { waitingQuery } from './waiting.ts'
import { waitingTexts as texts } from './waiting-texts.ts'

/** The operator's queue: every kind of decision that waits for them, what is due first at the top. */
export function Decisions({ person }: { person: Person }) {
  const decides = DECIDING.some((permission) => may(person, permission))
  return (
    <Fetched
      query={useQuery(waitingQuery)}
      waiting={
        decides && (
          <Card>
            <SkeletonLines lines={7} />
          </Card>
        )
      }
      failed={texts.loadFailed}
      around={(failure) => <Card>{failure}</Card>}
    >
      {(things) =>
        things.length > 0 ? (
          <WaitingList title={texts.decisions} things={things} />
        ) : (
          decides && (
            <Card>
              <EmptyState Icon={IconChecks} title={texts.noneTitle}>
                {texts.none}
              </EmptyState>
            </Card>
          )
        )
      }
    </Fetched>
  )
}
