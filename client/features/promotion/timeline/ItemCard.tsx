import { useDraggable } from '@dnd-kit/core'
import { IconPencil, IconX } from '@tabler/icons-react'
import { Fragment } from 'react'
import { errorMessage } from '../../../lib/api.ts'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { ExternalLink } from '../../../ui/ExternalLink.tsx'
import { dayOf } from '../../../ui/format.ts'
import { formatExactDateTime, formatExactTime } from '../../../ui/format-occasional.ts'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Tag, type Tone } from '../../../ui/Tag.tsx'
import { toast } from '../../../ui/toast.ts'
import { leaveRow } from '../parts/focus.ts'
import { Thumbnail } from '../parts/Thumbnail.tsx'
import { ToolButton } from '../parts/ToolButton.tsx'
import { type TimelineItem, useCancelItem, useReopenPair, useRestoreItem, useResubmit } from './api.ts'
import { useEditItem } from './ItemEditing.tsx'
import { ItemMoves } from './ItemMoves.tsx'
import { itemTexts as texts } from './texts.ts'
import styles from './timeline.module.css'
import { useMove } from './use-move.ts'

const ConfirmPosted = lazyPart(() => import('./ConfirmPosted.tsx').then((module) => module.ConfirmPosted))
const CopyDownload = lazyPart(() =>
  import('../copies/CopyDownload.tsx').then((module) => module.CopyDownload),
)
const FirstComment = lazyPart(() => import('./FirstComment.tsx').then((module) => module.FirstComment))

const TONES: Record<TimelineItem['state'], Tone> = {
  scheduled: 'neutral',
  waiting: 'warning',
  submitting: 'neutral',
  posted: 'good',
  failed: 'bad',
  unknown: 'warning',
  canceled: 'neutral',
}
const CHANGEABLE = ['scheduled', 'waiting', 'failed']

type ItemCardProps = {
  item: TimelineItem
  /** Whether it stands on a calendar, where what is scheduled can be dragged. */
  draggable?: boolean
  /** Whether its time is shown with its day, as nothing above it says the day. */
  dated?: boolean
}

/** One post of the timeline: where and when, what became of it, and what can be done about it. */
export function ItemCard({ item, draggable = false, dated = false }: ItemCardProps) {
  const { title, subreddit, postTime, postedTime, state, account, failure, removedBy, score, clash } = item
  const edit = useEditItem()
  const isScheduled = state === 'scheduled'
  // No attributes of its own: by the keyboard it is the menu that moves the item.
  const { setNodeRef, listeners, transform, isDragging } = useDraggable({
    id: item._id,
    disabled: !draggable || !isScheduled,
  })
  const moveTo = useMove()
  const cancel = useCancelItem()
  const restore = useRestoreItem()
  const isChangeable = CHANGEABLE.includes(state)
  const at = postedTime ?? postTime
  // It stands where it was planned.
  const isOtherDay = dayOf(at) !== dayOf(postTime)
  const failed = (error: unknown) => toast.failure(errorMessage(error))
  // The card goes, and with it what its own calls would have told: promises outlive it.
  const takeOff = (button: HTMLElement) => {
    leaveRow(button)
    const putBack = () => restore.mutateAsync(item._id).then(() => toast.success(texts.put), failed)
    cancel.mutateAsync(item._id).then(() => {
      toast.offer(texts.canceled(subreddit), { label: texts.undo, onAct: () => void putBack() })
    }, failed)
  }
  return (
    <li
      ref={setNodeRef}
      {...listeners}
      className={styles.item}
      data-state={state}
      data-draggable={(draggable && isScheduled) || undefined}
      data-dragging={isDragging || undefined}
      style={transform ? { transform: `translate3d(${transform.x}px, ${transform.y}px, 0)` } : undefined}
    >
      <div className={styles.itemHead}>
        <p className={styles.when}>
          <time dateTime={at}>{dated || isOtherDay ? formatExactDateTime(at) : formatExactTime(at)}</time>
          <b className={styles.place}>
            r/
            {wordsOf(subreddit).map(([at, word]) => (
              <Fragment key={at}>
                {word}
                <wbr />
              </Fragment>
            ))}
          </b>
        </p>
        <div className={styles.tools}>
          {isScheduled && <ItemMoves item={item} onMove={(to) => moveTo(item, to)} />}
          {isChangeable && (
            <ToolButton label={texts.editOf(title)} Icon={IconPencil} onClick={() => edit(item)} />
          )}
          {(isChangeable || state === 'unknown') && (
            <ToolButton
              label={texts.cancelOf(title, subreddit)}
              Icon={IconX}
              onClick={(event) => takeOff(event.currentTarget)}
            />
          )}
        </div>
      </div>
      <div className={styles.what}>
        {!draggable && <Thumbnail picture={item.thumbnail} />}
        <p className={styles.words}>{title}</p>
      </div>
      <p className={styles.facts}>
        <Tag tone={TONES[state]}>{texts.state[state]}</Tag>
        {item.takenDownAt !== null && <Tag>{texts.takenDown}</Tag>}
        {removedBy !== null && item.takenDownAt === null && (
          <Tag tone="bad">{texts.removed[removedBy] ?? texts.removedOtherwise}</Tag>
        )}
        {item.byHand
          ? state !== 'waiting' && <span className={styles.quiet}>{texts.byHand}</span>
          : account && <span className={styles.quiet}>{texts.account(account)}</span>}
        {score !== null && <span className={styles.quiet}>{texts.score(score)}</span>}
        {item.commentsCount !== null && (
          <span className={styles.quiet}>{texts.comments(item.commentsCount)}</span>
        )}
      </p>
      {clash && <p className={styles.warning}>{texts.clash[clash]}</p>}
      {state === 'posted' && ['due', 'sending'].includes(item.commentState) && (
        <p className={styles.warning}>{texts.commentWaits}</p>
      )}
      {item.commentState === 'failed' && <FirstComment item={item} />}
      {failure && <p className={styles.failure}>{failure.message}</p>}
      {state === 'waiting' && item.commentToPaste !== null && <FirstComment item={item} />}
      {item.byHand && item.mediaId && (isScheduled || state === 'waiting') && (
        <div className={styles.part}>
          <CopyDownload postId={item.postId} subreddit={subreddit} title={title} accountId={item.accountId} />
        </div>
      )}
      <Remedy item={item} onEdit={() => edit(item)} onRemove={takeOff} />
    </li>
  )
}

/** The words of a subreddit’s name with where each begins: it goes on in a second line between them, not within one. */
const wordsOf = (name: string) =>
  [...name.matchAll(/[A-Z]*[^A-Z_]*_*/g)].map(({ index, 0: word }) => [index, word] as const)

type RemedyProps = { item: TimelineItem; onEdit: () => void; onRemove: (button: HTMLElement) => void }

/** The one thing to do next, where there is one. */
function Remedy({ item, onEdit, onRemove }: RemedyProps) {
  const { state, failure, permalink, submitUrl } = item
  if (state === 'posted' && permalink) return <ExternalLink to={permalink}>{texts.open}</ExternalLink>
  if (state === 'waiting')
    return (
      <div className={styles.remedy}>
        {submitUrl && <ExternalLink to={submitUrl}>{texts.submitPage}</ExternalLink>}
        <ConfirmPosted item={item} />
      </div>
    )
  if (state === 'unknown') return <ConfirmPosted item={item} />
  if (state !== 'failed' || !failure) return null
  switch (failure.remedy) {
    case 'edit':
    case 'reschedule':
      return (
        <Button variant="default" size="sm" onClick={onEdit}>
          {failure.remedy === 'edit' ? texts.edit : texts.reschedule}
        </Button>
      )
    case 'reopen':
    case 'resubmit':
      return <AgainButton itemId={item._id} remedy={failure.remedy} />
    case 'verify':
      return (
        <LinkButton variant="default" size="sm" to={promotionPaths.verification(item.subreddit)}>
          {texts.verify}
        </LinkButton>
      )
    case 'reconnect':
      return (
        <LinkButton variant="default" size="sm" to={promotionPaths.accounts}>
          {texts.reconnect}
        </LinkButton>
      )
    case 'none':
      return (
        <Button variant="default" size="sm" onClick={(event) => onRemove(event.currentTarget)}>
          {texts.remove}
        </Button>
      )
    default:
      return null
  }
}

/** Puts what the forum refused at the end of the queue, so that it is tried again. */
function AgainButton({ itemId, remedy }: { itemId: string; remedy: 'reopen' | 'resubmit' }) {
  const [reopen, resubmit] = [useReopenPair(), useResubmit()]
  const again = remedy === 'reopen' ? reopen : resubmit
  return (
    <Button
      variant="default"
      size="sm"
      loading={again.isPending}
      onClick={() =>
        again.mutate(itemId, {
          onSuccess: () => toast.success(texts.reopened),
          onError: (error) => toast.failure(errorMessage(error)),
        })
      }
    >
      {texts[remedy]}
    </Button>
  )
}
