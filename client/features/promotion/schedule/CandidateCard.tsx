import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { errorMessage } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { ExternalLink } from '../../../ui/ExternalLink.tsx'
import { ChoiceField } from '../../../ui/fields/ChoiceField.tsx'
import { SelectField } from '../../../ui/fields/SelectField.tsx'
import { TextInput } from '../../../ui/fields/TextInput.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import { toast } from '../../../ui/toast.ts'
import { useZonedTime } from '../../../ui/zoned-time.ts'
import { CopyDownload } from '../copies/CopyDownload.tsx'
import { leaveRow } from '../parts/focus.ts'
import { Thumbnail } from '../parts/Thumbnail.tsx'
import {
  type Candidate,
  checkQuery,
  useLeave,
  useMakeUsable,
  useRemoveUsable,
  useReopen,
  useSchedule,
  useSubmit,
} from './api.ts'
import { FlairField } from './FlairField.tsx'
import { type Poster, PosterField } from './PosterField.tsx'
import styles from './schedule.module.css'
import { cardTexts as texts } from './texts.ts'

type Submitted = Awaited<ReturnType<ReturnType<typeof useSubmit>['mutateAsync']>>

/** One post in one subreddit: its words, its time, and what speaks against it. */
export function CandidateCard({ candidate }: { candidate: Candidate }) {
  const { _id: postId, subreddit, titles, testTitles, link, mediaId, expected, removals } = candidate
  // Empty where titles are compared: the server takes the one whose turn it is. Of several one is chosen.
  const [title, setTitle] = useState(testTitles || titles.length > 1 ? '' : candidate.title)
  const isUntitled = title === '' && !testTitles
  const [comment, setComment] = useState(candidate.comment)
  const [flair, setFlair] = useState({ id: '', text: '' })
  const flairId = flair.id
  const [when, setWhen] = useState<'endOfQueue' | 'later'>('endOfQueue')
  const [wall, setWall] = useState('')
  const [poster, setPoster] = useState<Poster>({ accountId: null, byHand: false })
  const [problem, setProblem] = useState<string | null>(null)
  const [asking, setAsking] = useState(false)
  const [submitted, setSubmitted] = useState<Submitted | null>(null)
  const zone = useZonedTime()
  const check = useQuery({
    ...checkQuery({ postId, subreddit, title: title || candidate.title, flairId, ...poster }),
    enabled: submitted === null,
  })
  const schedule = useSchedule()
  const submit = useSubmit()
  const remove = useRemoveUsable()
  const reopen = useReopen()
  const makeUsable = useMakeUsable()
  const leave = useLeave()
  // What speaks against a title that nobody chose tells nothing.
  const verdicts = (check.data?.verdicts ?? []).filter(
    ({ rule }) => !isUntitled || !rule.startsWith('title-'),
  )
  const suggestion = verdicts.find((verdict) => verdict.suggestion !== null)?.suggestion ?? null
  const words = {
    ...(title ? { title } : {}),
    comment,
    ...(flairId ? { flairId, flairText: flair.text } : {}),
  }
  const by = { ...(poster.accountId ? { accountId: poster.accountId } : {}), byHand: poster.byHand }
  const fail = (error: unknown) => setProblem(errorMessage(error))

  const runSchedule = (button: HTMLElement) => {
    const moment = when === 'later' ? zone.toMoment(wall) : null
    const missing = isUntitled ? texts.noTitle : when === 'later' && !moment ? texts.chooseTime : null
    setProblem(missing)
    if (missing) return
    schedule.mutate(
      {
        postId,
        selectedSubreddit: subreddit,
        ...words,
        ...by,
        postTime: moment?.toISOString() ?? 'endOfQueue',
      },
      {
        onSuccess: ({ postTime }) => {
          toast.success(texts.scheduled(subreddit, postTime))
          leaveRow(button)
          leave(candidate)
        },
        onError: fail,
      },
    )
  }
  const takeAway = (button: HTMLElement) => {
    // The card goes, and with it what its own calls would have told: promises outlive it.
    const undo = () =>
      makeUsable.mutateAsync({ postId, subreddit }).then(
        () => toast.success(texts.back(subreddit)),
        (error) => toast.failure(errorMessage(error)),
      )
    remove.mutateAsync({ postId, subreddit }).then(() => {
      leaveRow(button)
      leave(candidate)
      toast.offer(texts.removed(subreddit), { label: texts.undo, onAct: () => void undo() })
    }, fail)
  }
  if (submitted) return <SubmittedCard item={submitted} onGone={() => leave(candidate)} />
  return (
    <li className={styles.card}>
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
          ].join(' · ')}
        </p>
      )}
      <SelectField
        label={texts.title}
        value={title}
        onChange={setTitle}
        choices={[
          ...(testTitles ? [{ value: '', label: texts.inTurn(candidate.title) }] : []),
          ...(isUntitled ? [{ value: '', label: texts.chooseTitle }] : []),
          ...[...new Set([...titles, ...(title ? [title] : [])])].map((one) => ({ value: one, label: one })),
        ]}
      />
      {verdicts.length > 0 && (
        <ul className={styles.verdicts}>
          {verdicts.map(({ rule, message }) => (
            <li key={rule}>{message}</li>
          ))}
        </ul>
      )}
      {verdicts.some(({ rule }) => rule === 'verification') && (
        <TextLink to={promotionPaths.verification(subreddit)}>{texts.verify}</TextLink>
      )}
      {verdicts.some(({ rule }) => rule === 'closed') && (
        <div>
          <Button
            variant="default"
            size="sm"
            loading={reopen.isPending}
            onClick={() =>
              reopen.mutate({ subreddit, accountId: poster.accountId ?? undefined }, { onError: fail })
            }
          >
            {texts.reopen}
          </Button>
        </div>
      )}
      {suggestion !== null && (
        <div>
          <Button variant="default" size="sm" className={styles.use} onClick={() => setTitle(suggestion)}>
            {texts.use(suggestion)}
          </Button>
        </div>
      )}
      <FlairField
        subreddit={subreddit}
        value={flair}
        onChange={setFlair}
        required={verdicts.some(({ rule }) => rule === 'flair')}
      />
      <details>
        <summary className={styles.more}>{texts.comment}</summary>
        <TextAreaField
          label={texts.comment}
          description={texts.commentHint}
          value={comment}
          onChange={setComment}
        />
      </details>
      <ChoiceField
        label={texts.when}
        choices={[
          { value: 'endOfQueue', label: texts.endOfQueue(check.data?.endOfQueue ?? null) },
          { value: 'later', label: texts.later },
        ]}
        value={when}
        onChange={setWhen}
      />
      {when === 'later' && (
        <TextInput
          type="datetime-local"
          label={texts.later}
          description={texts.timeHint(zone.timeZone.replaceAll('_', ' '))}
          value={wall}
          min={zone.toWall(new Date())}
          onChange={(event) => setWall(event.currentTarget.value)}
        />
      )}
      <PosterField value={poster} onChange={setPoster} />
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
      <p role="alert" className={styles.problem}>
        {problem}
      </p>
      <div className={styles.actions}>
        <Button loading={schedule.isPending} onClick={(event) => runSchedule(event.currentTarget)}>
          {texts.schedule}
        </Button>
        {!poster.byHand && (
          <Button
            variant="default"
            loading={submit.isPending}
            onClick={() => {
              setProblem(isUntitled ? texts.noTitle : null)
              setAsking(!isUntitled)
            }}
          >
            {texts.submit}
          </Button>
        )}
        <Button
          variant="subtle"
          loading={remove.isPending}
          onClick={(event) => takeAway(event.currentTarget)}
        >
          {texts.remove}
        </Button>
      </div>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={texts.submitTitle(subreddit)}
        confirmLabel={texts.submit}
        onConfirm={async () => {
          const { accountId } = by
          setSubmitted(await submit.mutateAsync({ postId, subreddit, ...words, accountId }))
        }}
      >
        <p>{title || candidate.title}</p>
        <p>{texts.submitEffect}</p>
      </ConfirmDialog>
    </li>
  )
}

/** Milliseconds for which a card says that it was posted, before it leaves the list. */
const SHOWN_MS = 6000

/** What became of a post that was submitted at once; it leaves unless something is left to do about it. */
function SubmittedCard({ item, onGone }: { item: Submitted; onGone: () => void }) {
  const { state, subreddit, account, failure, permalink, waitsUntil, waitsForResume } = item
  const waits = state === 'scheduled'
  const isUnsettled = state === 'failed' || state === 'unknown' || waits
  const card = useRef<HTMLLIElement>(null)
  const gone = useRef(onGone)
  useEffect(() => {
    gone.current = onGone
  })
  useEffect(() => {
    if (isUnsettled) return
    const timer = setTimeout(() => {
      const link = card.current?.querySelector<HTMLElement>('a:focus')
      if (link) leaveRow(link)
      gone.current()
    }, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isUnsettled])
  return (
    <li className={styles.card} aria-live="polite" ref={card}>
      <p className={isUnsettled ? styles.problem : styles.done}>
        {!isUnsettled && <IconCheck size={20} stroke={1.75} aria-hidden />}
        {state === 'posted'
          ? texts.posted(subreddit)
          : waits
            ? waitsForResume
              ? texts.waitsForResume(subreddit)
              : texts.waits(subreddit, account, waitsUntil)
            : isUnsettled
              ? texts.notPosted(failure)
              : texts.sent(subreddit)}
      </p>
      {permalink ? (
        <ExternalLink to={permalink}>{texts.open}</ExternalLink>
      ) : (
        <TextLink to={promotionPaths.timeline}>{texts.onTimeline}</TextLink>
      )}
    </li>
  )
}
