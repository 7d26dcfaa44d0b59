import { IconClockPause, IconShieldCheck, IconShieldX } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { errorMessage } from '../../lib/api.ts'
import { paths } from '../../lib/paths.ts'
import { afterAgeCheck } from '../../lib/redirect.ts'
import { Button } from '../../ui/core/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { formatDate } from '../../ui/format.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { OperatorEmail } from '../../ui/OperatorContact.tsx'
import { Page } from '../../ui/Page.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { AgeCheckButton } from './AgeCheckButton.tsx'
import { ageResultQuery } from './api.ts'
import { ageKey, useVisitor } from './visitor.tsx'

/** The way back from an age check: how it ended, and what comes next (docs/product.md, Regions and age). */
export function Component() {
  const [search] = useSearchParams()
  const [result, signature] = [search.get('result'), search.get('signature')]
  const { data, error, isLoading } = useQuery(
    ageResultQuery(result && signature ? { result, signature } : null),
  )
  const client = useQueryClient()
  const { isVerified } = useVisitor()
  const askAgain = () => client.invalidateQueries({ queryKey: ageKey })
  useEffect(() => {
    if (data) void client.invalidateQueries({ queryKey: ageKey })
  }, [data, client])

  if (isLoading) {
    return (
      <Page title="Age check" width="text">
        <SkeletonLines />
      </Page>
    )
  }
  return (
    <Page title="Age check" width="text">
      <div role="status">
        {isVerified || data?.result === 'approved' ? (
          <Approved until={data?.expiresAt ?? null} />
        ) : data?.result === 'refused' ? (
          <EmptyState
            Icon={IconShieldX}
            title="Your age could not be verified"
            action={<AgeCheckButton>Try again</AgeCheckButton>}
          >
            The provider did not confirm that you are 18 or older. If that is a mistake, try another way
            there, or write to <OperatorEmail />.
          </EmptyState>
        ) : data?.result === 'expired' ? (
          <EmptyState
            Icon={IconClockPause}
            title="The check was not finished"
            action={<AgeCheckButton>Start again</AgeCheckButton>}
          >
            It ran out of time before there was a result. Nothing was kept.
          </EmptyState>
        ) : error ? (
          <EmptyState
            Icon={IconShieldX}
            title="This result can’t be used"
            action={<AgeCheckButton>Start again</AgeCheckButton>}
          >
            {errorMessage(error)}
          </EmptyState>
        ) : (
          <EmptyState
            Icon={IconClockPause}
            title="There is no result yet"
            action={
              <Button variant="default" onClick={() => void askAgain()}>
                Look again
              </Button>
            }
          >
            The provider tells us directly. That takes a few seconds; if it takes longer, write to{' '}
            <OperatorEmail />.
          </EmptyState>
        )}
      </div>
    </Page>
  )
}

function Approved({ until }: { until: string | null }) {
  const [asked] = useState(() => afterAgeCheck.saved())
  const day = until && formatDate(until)
  return (
    <EmptyState
      Icon={IconShieldCheck}
      title="Your age is verified"
      action={
        asked ? (
          <LinkButton to={asked} onClick={() => afterAgeCheck.clear()}>
            Go on to the page you asked for
          </LinkButton>
        ) : (
          <LinkButton to={paths.discover}>Browse All Content</LinkButton>
        )
      }
    >
      Nothing is hidden from you any more{day ? `, until ${day}` : ''}. We keep who checked, how, the result
      and its end; no document and no picture of you ever came to us.
    </EmptyState>
  )
}
