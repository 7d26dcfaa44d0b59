import { IconCheck } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { ApiError, errorMessage } from '../../../lib/api.ts'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { may, useCurrentUser } from '../../../lib/session.tsx'
import { BackLink } from '../../../ui/BackLink.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Page, Section } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { requirementsQuery } from '../parts/api.ts'
import { verificationLabel } from '../parts/label-texts.ts'
import { SubredditDetails } from '../parts/SubredditDetails.tsx'
import { type OneRecord, recordQuery, useUpdateRecord } from './api.ts'
import { Checklist } from './Checklist.tsx'
import { RecordActions } from './RecordActions.tsx'
import { RecordForm } from './RecordForm.tsx'
import styles from './record.module.css'
import { recordTexts as texts } from './texts.ts'

/** Few operators look for somebody else, and then once. */
const OthersRecord = lazyPart(() => import('./OthersRecord.tsx').then((module) => module.OthersRecord))

/** One verification: the person’s own, or with `userId` in the address anybody’s for an operator. */
export function Component() {
  const { subreddit = '' } = useParams()
  const [address] = useSearchParams()
  const me = useCurrentUser()
  const named = address.get('userId') ?? me._id
  const userId = named === me._id ? undefined : named
  const record = useQuery(recordQuery(subreddit, userId))
  const { data, error } = record
  const isUntracked = error instanceof ApiError && error.code === 'subreddit_not_found'
  const name = data?.name ?? subreddit
  // Ends once somebody is chosen.
  const [choosingFrom, setChoosingFrom] = useState<string | null>(null)
  const choosing = choosingFrom === named
  return (
    <Page
      title={texts.title(name)}
      lead={data && texts.lead(verificationLabel[data.verificationType])}
      width="text"
      back={me.isCreator && <BackLink to={promotionPaths.progress}>{texts.back}</BackLink>}
      action={
        <>
          <LinkButton to={promotionPaths.subreddit(name)} variant="default">
            {texts.about}
          </LinkButton>
          {may(me, 'verification.editAll') && !choosing && (
            <Button variant="default" onClick={() => setChoosingFrom(named)}>
              {texts.others}
            </Button>
          )}
          {userId && (
            <LinkButton to={promotionPaths.verification(name)} variant="default">
              {texts.own}
            </LinkButton>
          )}
        </>
      }
    >
      {userId && <p className={styles.other}>{texts.of}</p>}
      {choosing && <OthersRecord name={name} />}
      {!data && isUntracked ? (
        <Untracked key={subreddit} name={subreddit} userId={userId} />
      ) : (
        <Fetched query={record} waiting={<SkeletonLines lines={6} />} failed={texts.failed}>
          {(known) => <Inside key={`${known.name} ${userId}`} record={known} userId={userId} />}
        </Fetched>
      )}
    </Page>
  )
}

function Inside({ record, userId }: { record: OneRecord; userId: string | undefined }) {
  const { isCreator } = useCurrentUser()
  const reading = useReading(record, userId)
  const { checklist } = record
  return (
    <>
      <RecordActions record={record} userId={userId} />
      <Section title={texts.record}>
        <Card>
          <RecordForm record={record} userId={userId} />
        </Card>
      </Section>
      <Section title={texts.checklist}>
        {checklist.length === 0 && reading.isLoading ? (
          <SkeletonLines lines={3} />
        ) : (
          <Checklist key={checklist.map(({ text }) => text).join('\n')} record={record} userId={userId} />
        )}
      </Section>
      {isCreator && (
        <Section title={texts.rules}>
          <SubredditDetails name={record.name} />
        </Section>
      )}
    </>
  )
}

/** The forum's facts about the subreddit, for creators; a checklist that waits for them is read again. */
function useReading({ name, checklist }: OneRecord, userId: string | undefined) {
  const client = useQueryClient()
  const { isCreator } = useCurrentUser()
  const { data, isLoading } = useQuery({ ...requirementsQuery(name), enabled: isCreator })
  const readAt = data?.readAt
  const waits = checklist.length === 0
  useEffect(() => {
    if (readAt && waits) void client.invalidateQueries({ queryKey: recordQuery(name, userId).queryKey })
  }, [client, name, userId, readAt, waits])
  return { isLoading }
}

/** A subreddit that nobody tracks yet: keeping a record of it is what tracks it. */
function Untracked({ name, userId }: { name: string; userId: string | undefined }) {
  const add = useUpdateRecord(name, userId)
  return (
    <>
      <EmptyState
        Icon={IconCheck}
        title={texts.untrackedTitle(name)}
        action={
          <Button loading={add.isPending} onClick={() => add.mutate({ status: 'todo' })}>
            {texts.add}
          </Button>
        }
      >
        {texts.untracked}
      </EmptyState>
      <FormError>{add.error && errorMessage(add.error)}</FormError>
    </>
  )
}
