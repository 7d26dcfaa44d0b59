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
import { Page } from '../../ui/Page.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { OperatorEmail } from '../../ui/text-page/OperatorContact.tsx'
import { AgeCheckButton } from './AgeCheckButton.tsx'
import { ageResultQuery } from './api.ts'
import { ageCheckTexts } from './texts.ts'
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
      <Page title={ageCheckTexts.title} width="text">
        <SkeletonLines />
      </Page>
    )
  }
  return (
    <Page title={ageCheckTexts.title} width="text">
      <div role="status">
        {isVerified || data?.result === 'approved' ? (
          <Approved until={data?.expiresAt ?? null} />
        ) : data?.result === 'refused' ? (
          <EmptyState
            Icon={IconShieldX}
            title={ageCheckTexts.refusedTitle}
            action={<AgeCheckButton>{ageCheckTexts.tryAgain}</AgeCheckButton>}
          >
            {ageCheckTexts.refused} <OperatorEmail />.
          </EmptyState>
        ) : data?.result === 'expired' ? (
          <EmptyState
            Icon={IconClockPause}
            title={ageCheckTexts.unfinishedTitle}
            action={<AgeCheckButton>{ageCheckTexts.startOver}</AgeCheckButton>}
          >
            {ageCheckTexts.unfinished}
          </EmptyState>
        ) : error ? (
          <EmptyState
            Icon={IconShieldX}
            title={ageCheckTexts.unusableTitle}
            action={<AgeCheckButton>{ageCheckTexts.startOver}</AgeCheckButton>}
          >
            {errorMessage(error)}
          </EmptyState>
        ) : (
          <EmptyState
            Icon={IconClockPause}
            title={ageCheckTexts.noResultTitle}
            action={
              <Button variant="default" onClick={() => void askAgain()}>
                {ageCheckTexts.check}
              </Button>
            }
          >
            {ageCheckTexts.noResult} <OperatorEmail />.
          </EmptyState>
        )}
      </div>
    </Page>
  )
}

function Approved({ until }: { until: string | null }) {
  const [asked] = useState(() => afterAgeCheck.saved())
  return (
    <EmptyState
      Icon={IconShieldCheck}
      title={ageCheckTexts.verifiedTitle}
      action={
        asked ? (
          <LinkButton to={asked} onClick={() => afterAgeCheck.clear()}>
            {ageCheckTexts.continue}
          </LinkButton>
        ) : (
          <LinkButton to={paths.discover}>{ageCheckTexts.browse}</LinkButton>
        )
      }
    >
      {ageCheckTexts.verified(until && formatDate(until))}
    </EmptyState>
  )
}
