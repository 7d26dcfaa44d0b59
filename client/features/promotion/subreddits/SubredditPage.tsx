import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { ApiError } from '../../../lib/api.ts'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { may, useCurrentUser } from '../../../lib/session.tsx'
import { discardUnsaved } from '../../../lib/unsaved.ts'
import { BackLink } from '../../../ui/BackLink.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { Page, Section } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { SubredditChanges } from '../parts/SubredditChanges.tsx'
import { SubredditDetails } from '../parts/SubredditDetails.tsx'
import { subredditQuery, useDeleteSubreddit } from './api.ts'
import { SubredditFacts, SubredditStanding } from './SubredditFacts.tsx'
import { SubredditForm } from './SubredditForm.tsx'
import styles from './subreddits.module.css'
import { subredditTexts as texts } from './texts.ts'

/** The facts about a subreddit; operators edit them, also for one that isn’t tracked yet. */
export function Component() {
  const { subreddit: named = '' } = useParams()
  const me = useCurrentUser()
  const edits = may(me, 'subreddits.edit')
  const subreddit = useQuery(subredditQuery(named))
  const { data, error } = subreddit
  const isUnknown = !data && error instanceof ApiError && error.code === 'subreddit_not_found'
  const name = data?.name ?? named
  return (
    <Page
      title={texts.title(name)}
      lead={data?.description}
      width="text"
      back={edits && <BackLink to={promotionPaths.manageSubreddits}>{texts.manage}</BackLink>}
      action={
        (me.isCreator || may(me, 'verification.editAll')) && (
          <LinkButton to={promotionPaths.verification(name)} variant="default">
            {texts.verification}
          </LinkButton>
        )
      }
    >
      {!isUnknown && (
        <Fetched query={subreddit} waiting={<SkeletonLines lines={8} />} failed={texts.failed}>
          {(known) => <SubredditStanding subreddit={known} dated={!me.isCreator} />}
        </Fetched>
      )}
      {isUnknown && !edits && <EmptyState title={texts.unknownTitle(name)}>{texts.unknown}</EmptyState>}
      {isUnknown && edits && <p className={styles.quiet}>{texts.creates}</p>}
      {data && !edits && (
        <Section title={texts.rules}>
          <SubredditFacts subreddit={data} />
        </Section>
      )}
      {(data || isUnknown) && edits && (
        <Section title={texts.form}>
          <Card>
            <SubredditForm key={named.toLowerCase()} name={name} subreddit={data ?? null} />
          </Card>
        </Section>
      )}
      {data && me.isCreator && (
        <Section title={texts.forum}>
          <SubredditDetails name={name} />
        </Section>
      )}
      {data && !me.isCreator && <SubredditChanges name={name} />}
      {data && edits && <StopTracking name={name} />}
    </Page>
  )
}

function StopTracking({ name }: { name: string }) {
  const remove = useDeleteSubreddit()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  return (
    <div className={styles.end}>
      <Button variant="default" onClick={() => setAsking(true)}>
        {texts.delete}
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={texts.deleteTitle(name)}
        confirmLabel={texts.delete}
        destructive
        onConfirm={async () => {
          await remove.mutateAsync(name)
          discardUnsaved()
          toast.success(texts.deleted(name))
          void navigate(promotionPaths.manageSubreddits)
        }}
      >
        <p>{texts.deleteEffect}</p>
      </ConfirmDialog>
    </div>
  )
}
