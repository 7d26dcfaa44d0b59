import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { errorMessage } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { ExternalLink } from '../../../ui/ExternalLink.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ChoiceField } from '../../../ui/fields/ChoiceField.tsx'
import { SelectField } from '../../../ui/fields/SelectField.tsx'
import { formatExactDateTime } from '../../../ui/format-occasional.ts'
import { ContractForm } from '../../../ui/forms/ContractForm.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { toast } from '../../../ui/toast.ts'
import { useZonedTime } from '../../../ui/zoned-time.ts'
import { CopyDownload } from '../copies/CopyDownload.tsx'
import { leaveRow } from '../parts/focus.ts'
import { Thumbnail } from '../parts/Thumbnail.tsx'
import {
  type Candidate,
  checkQuery,
  type Submitted,
  useLeave,
  useMakeUsable,
  useRemoveUsable,
  useSubmit,
} from './api.ts'
import { FlairField } from './FlairField.tsx'
import { PosterField } from './PosterField.tsx'
import { SubmittedCard } from './SubmittedCard.tsx'
import styles from './schedule.module.css'
import { TimeField } from './TimeField.tsx'
import { cardTexts as texts } from './texts.ts'
import { useCandidateForm, wordsOf } from './use-candidate-form.ts'
import { Verdicts } from './Verdicts.tsx'

/** One post in one subreddit, and what became of it where it was posted at once. */
export function CandidateCard({ candidate }: { candidate: Candidate }) {
  const [submitted, setSubmitted] = useState<Submitted | null>(null)
  const leave = useLeave()
  if (submitted) return <SubmittedCard item={submitted} onGone={() => leave(candidate)} />
  return <OpenCard candidate={candidate} onSubmitted={setSubmitted} />
}

type OpenCardProps = { candidate: Candidate; onSubmitted: (item: Submitted) => void }

/** Its words, its time, and what speaks against it. */
function OpenCard({ candidate, onSubmitted }: OpenCardProps) {
  const { _id: postId, subreddit, titles, testTitles, mediaId } = candidate
  const [asking, setAsking] = useState(false)
  const zone = useZonedTime()
  const submit = useSubmit()
  const leave = useLeave()
  const form = useCandidateForm(candidate, (postTime) => {
    toast.success(texts.scheduled(subreddit, postTime))
    const button = form.element.current?.querySelector<HTMLElement>('[type="submit"]')
    if (button) leaveRow(button)
    leave(candidate)
  })
  // Opened by what is wrong in it, and left open once that is corrected.
  const [showsComment, setShowsComment] = useState(false)
  if (form.errorAt('comment') !== undefined && !showsComment) setShowsComment(true)
  const { title, flair, when, postTime, isSecond, poster } = form.values
  const isUntitled = title === '' && !testTitles
  const at = when === 'later' ? (zone.toMoment(postTime, isSecond)?.toISOString() ?? null) : null
  const check = useQuery(
    checkQuery({
      ...{ postId, subreddit, title: title || candidate.title, flairId: flair.id, postTime: at },
      ...poster,
    }),
  )
  // Problems of a title that nobody chose say nothing.
  const verdicts = (check.data?.verdicts ?? []).filter(
    ({ rule }) => !isUntitled || !rule.startsWith('title-'),
  )
  return (
    <li>
      <ContractForm form={form} className={styles.card}>
        <Head candidate={candidate} />
        <SelectField
          label={texts.title}
          choices={[
            ...(testTitles ? [{ value: '', label: texts.inTurn(candidate.title) }] : []),
            ...(isUntitled ? [{ value: '', label: texts.chooseTitle }] : []),
            ...[...new Set([...titles, ...(title ? [title] : [])])].map((one) => ({
              value: one,
              label: one,
            })),
          ]}
          {...form.field('title')}
        />
        <Verdicts
          verdicts={verdicts}
          subreddit={subreddit}
          accountId={poster.accountId}
          onUse={(suggestion) => form.set('title', suggestion)}
        />
        <FlairField
          subreddit={subreddit}
          value={flair}
          onChange={(value) => form.set('flair', value)}
          required={verdicts.some(({ rule }) => rule === 'flair')}
        />
        <details open={showsComment} onToggle={(event) => setShowsComment(event.currentTarget.open)}>
          <summary className={styles.more}>{texts.comment}</summary>
          <TextAreaField label={texts.comment} description={texts.commentHint} {...form.field('comment')} />
        </details>
        <ChoiceField
          label={texts.when}
          choices={[
            {
              value: 'endOfQueue',
              label: texts.endOfQueue,
              ...(check.data?.endOfQueue ? { description: formatExactDateTime(check.data.endOfQueue) } : {}),
            },
            { value: 'later', label: texts.later },
          ]}
          value={when}
          onChange={(value) => form.set('when', value)}
        />
        {when === 'later' && (
          <TimeField
            zone={zone}
            wall={postTime}
            isSecond={isSecond}
            error={form.errorAt('postTime')}
            onChange={(wall, isSecond) => {
              form.set('postTime', wall)
              form.set('isSecond', isSecond)
            }}
          />
        )}
        <PosterField value={poster} onChange={(value) => form.set('poster', value)} />
        {!poster.byHand && mediaId && candidate.watermarkType === 'reddit username' && (
          <p className={styles.quiet}>{texts.watermark}</p>
        )}
        {poster.byHand && mediaId && (
          <div>
            <CopyDownload
              postId={postId}
              subreddit={subreddit}
              title={title || candidate.title}
              accountId={poster.accountId}
            />
          </div>
        )}
        <FormError>{form.error}</FormError>
        <div className={styles.decisions}>
          <Button type="submit" loading={form.pending}>
            {texts.schedule}
          </Button>
          {!poster.byHand && (
            <Button
              variant="default"
              loading={submit.isPending}
              onClick={() => form.isRight('title') && setAsking(true)}
            >
              {texts.submit}
            </Button>
          )}
          <TakeAway candidate={candidate} />
        </div>
      </ContractForm>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={texts.submitTitle(subreddit)}
        confirmLabel={texts.submit}
        onConfirm={async () => {
          const by = poster.accountId ? { accountId: poster.accountId } : {}
          onSubmitted(await submit.mutateAsync({ postId, subreddit, ...wordsOf(form.values), ...by }))
        }}
      >
        <p>{title || candidate.title}</p>
        <p>{texts.submitEffect}</p>
      </ConfirmDialog>
    </li>
  )
}

/** Where it goes, what it leads to, and what was earned and removed there before. */
function Head({ candidate }: { candidate: Candidate }) {
  const { subreddit, link, mediaId, expected, removals } = candidate
  return (
    <>
      <div className={styles.head}>
        <Thumbnail picture={candidate.thumbnail} />
        <h2 className={styles.place}>r/{subreddit}</h2>
        {mediaId ? (
          <Link className={styles.own} to={paths.media(mediaId)}>
            {texts.link}
          </Link>
        ) : (
          <ExternalLink to={link}>{texts.link}</ExternalLink>
        )}
      </div>
      {(expected !== null || removals) && (
        <p className={styles.quiet}>
          {[
            ...(expected === null ? [] : [texts.expected(expected)]),
            ...(removals ? [texts.removals(removals.removed, removals.posts)] : []),
          ].join('\u00a0· ')}
        </p>
      )}
    </>
  )
}

/** Takes the subreddit from those that are usable for the post; it can be undone. */
function TakeAway({ candidate }: { candidate: Candidate }) {
  const { _id: postId, subreddit } = candidate
  const remove = useRemoveUsable()
  const makeUsable = useMakeUsable()
  const leave = useLeave()
  const failure = (error: Error) => toast.failure(errorMessage(error))
  // The card goes, and with it what its own calls would have told: promises outlive it.
  const undo = () =>
    makeUsable.mutateAsync({ postId, subreddit }).then(() => toast.success(texts.back(subreddit)), failure)
  const takeAway = (button: HTMLElement) => {
    remove.mutateAsync({ postId, subreddit }).then(() => {
      leaveRow(button)
      leave(candidate)
      toast.offer(texts.removed(subreddit), { label: texts.undo, onAct: () => void undo() })
    }, failure)
  }
  return (
    <Button variant="subtle" loading={remove.isPending} onClick={(event) => takeAway(event.currentTarget)}>
      {texts.remove}
    </Button>
  )
}
