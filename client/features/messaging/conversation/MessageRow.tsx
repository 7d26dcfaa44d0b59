import { IconSpeakerphone } from '@tabler/icons-react'
import { memo, useId, useState } from 'react'
import { DELETED_MESSAGE_KEPT_DAYS } from '../../../../contract/constants.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { formatTime } from '../../../ui/format.ts'
import { LinkedText } from '../../../ui/LinkedText.tsx'
import { lazyPart, useLatch } from '../../../ui/lazy-part.tsx'
import { Skeleton, SkeletonLines } from '../../../ui/Skeleton.tsx'
import type { Buyable } from '../../commerce/parts/buyable.ts'
import type { Message, Participant } from '../cache/timeline.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Outgoing, Quote } from '../outbox/outgoing.ts'
import { chatTexts, messageTexts as texts } from '../texts.ts'
import { DeliveryMark, Meta } from './DeliveryMark.tsx'
import { MessageAttachments } from './MessageAttachments.tsx'
import { MessageMenu } from './MessageMenu.tsx'
import styles from './MessageRow.module.css'
import { OutgoingBubble } from './OutgoingBubble.tsx'
import { Reactions } from './Reactions.tsx'
import type { Row } from './rows.ts'
import { formatDay } from './when.ts'
import { type Handling, quotedText } from './writing.ts'

// Few messages are one of these. Something holds their place, so that what is below them doesn't move.
const RequestCard = lazyPart(
  () => import('../custom-requests/RequestCard.tsx').then((module) => module.default),
  <SkeletonLines lines={5} />,
)
const ReportDialog = lazyPart(() => import('./ReportDialog.tsx').then((module) => module.default))
const TipLine = lazyPart(
  () => import('../custom-requests/TipLine.tsx').then((module) => module.TipLine),
  <Skeleton width="9rem" height="1.5rem" />,
)

type MessageRowProps = {
  row: Row
  me: string
  other: Participant
  /** Up to which position the other person has read. */
  otherReadPosition: number
  /** It was searched for, and is pointed out. */
  marked: boolean
  outbox: Outbox
  /** Takes a failed message back into the field; null if nothing can be written. */
  onRewrite: ((unsent: Outgoing) => void) | null
  onHandle: (handling: Handling) => void
  onUnlock: ((message: Message) => void) | null
  onPay: ((item: Buyable) => void) | null
  onSeek: (position: number) => void
  onOpen: (mediaId: string) => void
}

/** One message, below the day that begins with it. */
export const MessageRow = memo(function MessageRow({ row, marked, ...rest }: MessageRowProps) {
  return (
    <div className={styles.row} data-first={row.first || undefined}>
      {row.day && (
        <p className={styles.day}>
          <span>{formatDay(row.day, serverNow())}</span>
        </p>
      )}
      {row.firstUnread && (
        <p className={styles.unread}>
          <span>{chatTexts.newMessages}</span>
        </p>
      )}
      <div
        className={styles.line}
        data-mine={row.mine || undefined}
        data-last={row.last || undefined}
        data-marked={marked || undefined}
        data-theirs={row.kind === 'message' && !row.mine ? row.message.position : undefined}
      >
        {row.kind === 'outgoing' ? (
          <OutgoingBubble message={row.message} behind={row.behind} {...rest} />
        ) : (
          <MessageBubble message={row.message} mine={row.mine} {...rest} />
        )}
      </div>
    </div>
  )
})

type BubbleProps = Omit<MessageRowProps, 'row' | 'marked' | 'outbox' | 'onRewrite'> & {
  message: Message
  mine: boolean
}

function MessageBubble({
  message,
  mine,
  me,
  other,
  otherReadPosition,
  onHandle,
  onUnlock,
  onPay,
  onSeek,
  onOpen,
}: BubbleProps) {
  const [menu, setMenu] = useState(false)
  const id = useId()
  const { content, attachments, replyTo, deletedAt, editedAt, createdAt, position, customRequest, tip } =
    message
  // The creator's message that delivers it shows what it holds, and where the request stands.
  const asks = customRequest?.userId === message.senderId
  const read = message.isRead || position <= otherReadPosition
  if (deletedAt) {
    return (
      <div className={styles.bubble} data-deleted>
        <p className={styles.text}>{texts.deleted}</p>
        {!mine && isReportable(deletedAt, serverNow().getTime()) && <ReportDeleted messageId={message._id} />}
        <Meta createdAt={createdAt} />
      </div>
    )
  }
  return (
    <>
      <div className={styles.column}>
        <article
          id={id}
          className={styles.bubble}
          data-media={attachments.length > 0 || customRequest !== null || undefined}
          aria-label={`${mine ? texts.youWrote : other.username}, ${formatTime(createdAt)}`}
          onContextMenu={(event) => {
            event.preventDefault()
            setMenu(true)
          }}
        >
          {replyTo && (
            <QuoteButton quote={replyTo} me={me} other={other} onSeek={() => onSeek(replyTo.position)} />
          )}
          {customRequest && (
            <RequestCard
              request={customRequest}
              wish={asks ? content : null}
              me={me}
              creatorUsername={other.username}
              onPay={onPay}
            />
          )}
          {tip && <TipLine tip={tip} from={mine ? null : other.username} />}
          {attachments.length > 0 && (
            <MessageAttachments
              message={message}
              mine={mine}
              onOpen={onOpen}
              onUnlock={onUnlock && (() => onUnlock(message))}
            />
          )}
          {content && !asks && (
            <p id={`${id}-text`} className={styles.text}>
              <LinkedText>{content}</LinkedText>
            </p>
          )}
          <Meta createdAt={createdAt} edited={editedAt !== null}>
            {message.toMany && (
              <span className={styles.mark} role="img" aria-label={texts.toMany} title={texts.toMany}>
                <IconSpeakerphone size={16} stroke={1.75} aria-hidden />
              </span>
            )}
            {mine && <DeliveryMark state={read ? 'read' : 'sent'} />}
          </Meta>
        </article>
        <Reactions message={message} me={me} other={other} />
      </div>
      <MessageMenu
        message={message}
        describedBy={`${id} ${id}-text`}
        me={me}
        recipientId={other._id}
        opened={menu}
        onChange={setMenu}
        onHandle={onHandle}
      />
    </>
  )
}

type QuoteProps = { quote: Quote; me: string; other: Participant; onSeek: () => void }

function QuoteButton({ quote, me, other, onSeek }: QuoteProps) {
  const name = quote.senderId === me ? texts.yourself : other.username
  return (
    <button type="button" className={styles.quote} onClick={onSeek}>
      <span className={styles.quoteName}>{texts.repliedTo(name)}</span>
      <span className={styles.quoteText}>{quotedText(quote)}</span>
    </button>
  )
}

/** Whether what a deleted message said is still kept for a report. */
const isReportable = (deletedAt: string, now: number) =>
  now - Date.parse(deletedAt) < DELETED_MESSAGE_KEPT_DAYS * 24 * 3_600_000

/** All that can be done with what the other person deleted. */
function ReportDeleted({ messageId }: { messageId: string }) {
  const [asking, setAsking] = useState(false)
  const ever = useLatch(asking)
  return (
    <>
      <Button size="sm" variant="subtle" onClick={() => setAsking(true)}>
        {texts.report}
      </Button>
      {ever && <ReportDialog messageId={messageId} opened={asking} onClose={() => setAsking(false)} />}
    </>
  )
}
