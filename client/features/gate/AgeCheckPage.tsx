import { IconClockPause, IconShieldCheck, IconShieldX } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { errorMessage } from '../../lib/api.ts'
import { useOperator } from '../../lib/operator.ts'
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
  const { verifiedBy } = useVisitor()
  const { brand } = useOperator()
  const askAgain = () => client.invalidateQueries({ queryKey: ageKey })
  useEffect(() => {
    if (data) void client.invalidateQueries({ queryKey: ageKey })
  }, [data, client])

  if (isLoading) {
    return (
      <Page title={ageCheckTexts.title}>
        <SkeletonLines />
      </Page>
    )
  }
  return (
    <Page title={ageCheckTexts.title}>
      <div role="status">
        {verifiedBy === 'provider' || data?.result === 'approved' ? (
          <Allowed title={ageCheckTexts.verifiedTitle}>
            {ageCheckTexts.verified(data?.expiresAt ? formatDate(data.expiresAt) : null)}
          </Allowed>
        ) : verifiedBy === 'operator' ? (
          <Allowed title={ageCheckTexts.verifiedTitle}>{ageCheckTexts.approved(brand)}</Allowed>
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
        ) : verifiedBy === 'visitor' ? (
          <Allowed title={ageCheckTexts.confirmedTitle}>{ageCheckTexts.confirmed}</Allowed>
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

/** The visitor may see everything: to where they were stopped, or to all content. */
function Allowed({ title, children }: { title: string; children: ReactNode }) {
  const [asked] = useState(() => afterAgeCheck.saved())
  return (
    <EmptyState
      Icon={IconShieldCheck}
      title={title}
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
      {children}
    </EmptyState>
  )
}
