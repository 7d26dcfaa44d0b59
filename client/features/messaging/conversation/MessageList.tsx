import { IconChevronDown } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso'
import { useCurrentUser } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { Hidden } from '../../../ui/Hidden.tsx'
import type { Buyable } from '../../commerce/parts/buyable.ts'
import { MediaViewer } from '../../media/parts/MediaViewer.tsx'
import { useViewer } from '../../media/parts/use-viewer.ts'
import { loadNewer, loadNewest, loadOlder, loadUnread } from '../api.ts'
import { type Chat, firstUnreadOf, type Message, newestOfOther, type Participant } from '../cache/timeline.ts'
import { useOutbox } from '../outbox/outbox.ts'
import type { Outgoing } from '../outbox/outgoing.ts'
import { conversationsTexts, chatTexts as texts } from '../texts.ts'
import styles from './MessageList.module.css'
import { MessageRow } from './MessageRow.tsx'
import { type Row, rowsOf } from './rows.ts'
import { useReading, useVisible } from './use-reading.ts'
import { failed, isAt, useSeeking } from './use-seeking.ts'
import { NEAR_END, useStayingAtEnd } from './use-staying-at-end.ts'
import type { Handling } from './writing.ts'

/** How high a message of one line is within a group, in pixels: what one is taken for until it is drawn. */
const ONE_LINE = 44

type MessageListProps = {
  recipientId: string
  chat: Chat
  other: Participant
  /** The message to go to; a new object each time that one is sought. */
  sought: { position: number } | null
  onSeek: (position: number) => void
  /** Takes a failed message back into the field; null if nothing can be written. */
  onRewrite: ((unsent: Outgoing) => void) | null
  onHandle: (handling: Handling) => void
  /** Buys what a message of the other person costs. */
  onUnlock: ((message: Message) => void) | null
  /** Pays what a custom request costs. */
  onPay: ((item: Buyable) => void) | null
}

/** The messages, with those on their way at the end; older ones come as one scrolls up, and nothing moves. */
export function MessageList({
  recipientId,
  chat,
  other,
  sought,
  onSeek,
  onRewrite,
  onHandle,
  onUnlock,
  onPay,
}: MessageListProps) {
  const { _id: me } = useCurrentUser()
  const client = useQueryClient()
  const { outbox, messages: allOutgoing } = useOutbox()
  const viewer = useViewer()
  const list = useRef<VirtuosoHandle>(null)
  const firstUnread = useFirstUnread(recipientId, chat, me)
  const rows = useMemo(
    () =>
      rowsOf({
        messages: chat.messages,
        outgoing: allOutgoing.filter((message) => message.recipientId === recipientId),
        me,
        firstUnread,
        hasOlder: chat.hasOlder,
      }),
    [chat.messages, chat.hasOlder, allOutgoing, recipientId, me, firstUnread],
  )
  // Unknown until it is drawn, as it may begin above what is unread.
  const [atEnd, setAtEnd] = useState<boolean | null>(null)
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const attach = useCallback(
    (element: HTMLElement | Window | null) => setScroller(element instanceof HTMLElement ? element : null),
    [],
  )
  useReading(scroller, { recipientId, chat, me })
  const announced = useAnnouncement(chat, me, other)

  const older = useExclusive(() => loadOlder(client, recipientId))
  const newer = useExclusive(() => loadNewer(client, recipientId))
  const marked = useSeeking(list, recipientId, rows, sought)

  const last = rows.at(-1)
  const wroteNow = last?.kind === 'outgoing' ? last.key : null
  const stayAtEnd = useStayingAtEnd(scroller, { rows: rows.length, isWhole: !chat.hasNewer })
  /** The stretch that begins at its end, as the newest message was asked for. */
  const [endFirst, setEndFirst] = useState<number | null>(null)
  const toEnd = async () => {
    if (chat.hasNewer) await loadNewest(client, recipientId).then(setEndFirst, failed)
    stayAtEnd()
  }
  const followEnd = useEffectEvent(toEnd)
  // Senders see their own message, wherever they were in the conversation.
  useEffect(() => {
    if (wroteNow) void followEnd()
  }, [wroteNow])

  const media = useMemo(() => {
    const open = chat.messages.flatMap(({ attachments }) =>
      attachments.map((one) => one.media).filter(({ locked }) => !locked),
    )
    return [...new Map(open.map((one) => [one._id, one])).values()]
  }, [chat.messages])

  if (rows.length === 0) {
    return (
      <div className={styles.empty}>
        <EmptyState title={(chat.refusal ? texts.emptyRefused : texts.emptyTitle)(other.username)}>
          {!chat.refusal && texts.emptyHint}
        </EmptyState>
      </div>
    )
  }
  const placeOf = (is: (row: Row) => boolean) => rows.findIndex(is)
  const soughtAt = marked === null ? -1 : placeOf((row) => isAt(row, marked))
  const unreadAt = endFirst === chat.stretch ? -1 : placeOf((row) => row.firstUnread)
  const start =
    soughtAt >= 0
      ? { index: soughtAt, align: 'center' as const }
      : unreadAt >= 0
        ? { index: unreadAt, align: 'start' as const }
        : { index: rows.length - 1, align: 'end' as const }
  const { unread } = chat.conversation
  return (
    <div className={styles.frame} tabIndex={-1}>
      <Virtuoso
        key={chat.stretch}
        ref={list}
        scrollerRef={attach}
        className={styles.list ?? ''}
        role="log"
        // Announcements are below: lines come and go while scrolling.
        aria-live="off"
        aria-label={texts.messages(other.username)}
        tabIndex={0}
        data={rows}
        firstItemIndex={chat.firstIndex}
        initialTopMostItemIndex={start}
        computeItemKey={(_index, row) => row.key}
        itemContent={(_index, row) => (
          <MessageRow
            row={row}
            me={me}
            other={other}
            otherReadPosition={chat.conversation.otherReadPosition}
            marked={marked !== null && isAt(row, marked)}
            outbox={outbox}
            onRewrite={onRewrite}
            onHandle={onHandle}
            onUnlock={onUnlock}
            onPay={onPay}
            onSeek={onSeek}
            onOpen={viewer.open}
          />
        )}
        startReached={() => {
          if (chat.hasOlder) void older.run()
        }}
        endReached={() => {
          if (chat.hasNewer) void newer.run()
        }}
        atBottomStateChange={setAtEnd}
        atBottomThreshold={NEAR_END}
        defaultItemHeight={ONE_LINE}
        increaseViewportBy={{ top: 800, bottom: 400 }}
        alignToBottom
        components={{
          Header: older.failed ? OlderFailed : Edge,
          Footer: newer.failed && chat.hasNewer ? NewerFailed : Edge,
        }}
        context={{ retryOlder: () => void older.run(), retryNewer: () => void newer.run() }}
      />
      {(atEnd === false || chat.hasNewer) && (
        <button
          type="button"
          className={styles.toEnd}
          aria-label={texts.toLatest(unread)}
          title={texts.toLatest(0)}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={({ currentTarget: button }) => {
            // It is gone at the end, and would take the focus along.
            if (document.activeElement === button) button.parentElement?.focus()
            void toEnd()
          }}
        >
          <IconChevronDown size={22} stroke={1.75} aria-hidden />
          {unread > 0 && (
            <span className={styles.toEndCount} aria-hidden>
              {formatNumber(unread)}
            </span>
          )}
        </button>
      )}
      <div aria-live="polite">{announced}</div>
      <MediaViewer items={media} viewing={viewer.viewing} onClose={viewer.close} onMove={viewer.move} />
    </div>
  )
}

type Context = { retryOlder: () => void; retryNewer: () => void }

function Edge() {
  return <div className={styles.end} />
}

function OlderFailed({ context }: { context?: Context }) {
  return <Failed text={texts.olderFailed} retry={context?.retryOlder} />
}

function NewerFailed({ context }: { context?: Context }) {
  return <Failed text={texts.newerFailed} retry={context?.retryNewer} atEnd />
}

type FailedProps = { text: string; retry: (() => void) | undefined; atEnd?: true }

function Failed({ text, retry, atEnd }: FailedProps) {
  return (
    <div className={styles.failed} data-end={atEnd}>
      <span>{text}</span>
      <Button size="sm" variant="default" onClick={retry}>
        {texts.tryAgain}
      </Button>
    </div>
  )
}

/** One run at a time. */
function useExclusive(act: () => Promise<void>): { run: () => Promise<void>; failed: boolean } {
  const running = useRef(false)
  const [broken, setBroken] = useState(false)
  const run = async () => {
    if (running.current) return
    running.current = true
    try {
      await act()
      setBroken(false)
    } catch {
      setBroken(true)
    } finally {
      running.current = false
    }
  }
  return { run, failed: broken }
}

/**
 * Where the first message stands that was unread when the conversation was opened, or looked at again, or that came while
 * there was no connection: it stays marked while it is looked at. A conversation that was left within its past is opened
 * there as well.
 */
function useFirstUnread(recipientId: string, chat: Chat, me: string): number | null {
  const client = useQueryClient()
  const [opening, setOpening] = useState(() => ({ stretch: chat.stretch, at: firstUnreadOf(chat, me) }))
  if (opening.stretch !== chat.stretch) {
    const first = chat.messages[0]?.position ?? 0
    const isWhole = !chat.hasOlder || first <= chat.conversation.readPosition
    setOpening({ stretch: chat.stretch, at: opening.at ?? (isWhole ? firstUnreadOf(chat, me) : null) })
  }
  const visible = useVisible()
  const [wasVisible, setWasVisible] = useState(visible)
  if (visible !== wasVisible) {
    setWasVisible(visible)
    const at = visible ? firstUnreadOf(chat, me) : null
    if (at !== null) setOpening({ stretch: chat.stretch, at })
  }
  const [missed, setMissed] = useState(chat.missed)
  if (chat.missed !== missed) {
    setMissed(chat.missed)
    const at = chat.missed === null ? null : firstUnreadOf(chat, me, chat.missed)
    if (at !== null) setOpening({ stretch: chat.stretch, at })
  }
  const [isElsewhere] = useState(chat.hasNewer && chat.conversation.unread > 0 && opening.at === null)
  useEffect(() => {
    if (isElsewhere) loadUnread(client, recipientId).catch(failed)
  }, [isElsewhere, client, recipientId])
  return opening.at
}

/**
 * The announcement for screen readers: the other person's newest message that arrived while the conversation is open.
 */
function useAnnouncement(chat: Chat, me: string, other: Participant): ReactNode {
  const newest = newestOfOther(chat, me)
  const [opened] = useState(newest?.position ?? -1)
  if (!newest || newest.position <= opened || newest.deletedAt) return null
  const said = newest.tip ? conversationsTexts.tip(newest.tip.amount) : newest.content
  const words = texts.said(other.username, said || texts.attachments(newest.attachments.length))
  // The same words again are read out as another element alone.
  return <Hidden key={newest._id}>{words}</Hidden>
}
