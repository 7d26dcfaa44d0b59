import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useCurrentUser } from '../../../lib/session.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { lazyExtra, lazyPart } from '../../../ui/lazy-part.tsx'
import { PageTitle } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { usePurchase } from '../../commerce/parts/purchase.tsx'
import { useTip } from '../../commerce/parts/tips.tsx'
import { chatQuery, rereadMessage } from '../api.ts'
import { otherOf } from '../cache/events.ts'
import type { Chat } from '../cache/timeline.ts'
import { outboxOf } from '../outbox/outbox.ts'
import type { Outgoing } from '../outbox/outgoing.ts'
import { conversationsTexts, chatTexts as texts } from '../texts.ts'
import { Composer } from './Composer.tsx'
import styles from './Conversation.module.css'
import { ConversationHeader } from './ConversationHeader.tsx'
import { MessageList } from './MessageList.tsx'
import { messageOf } from './unlock.ts'
import { type Handling, putBack } from './writing.ts'

const SearchPanel = lazyPart(() => import('./SearchPanel.tsx').then((module) => module.default))

// Few people meet one. Something holds its place.
const Refusal = lazyPart(
  () => import('./Refusal.tsx').then((module) => module.Refusal),
  <div className={styles.refusal} />,
)
const LinkedMessage = lazyExtra(() => import('./LinkedMessage.tsx').then((module) => module.default))

/** The conversation with one person: its messages, and the field to write another. */
export function Conversation({ recipientId }: { recipientId: string }) {
  const chat = useQuery(chatQuery(recipientId))
  const titled = (inside: ReactNode) => (
    <div className={styles.waiting}>
      <PageTitle>{conversationsTexts.title}</PageTitle>
      <h1 className={styles.title}>{conversationsTexts.title}</h1>
      {inside}
    </div>
  )
  return (
    <Fetched query={chat} waiting={titled(<SkeletonLines />)} failed={texts.loadFailed} around={titled}>
      {(data) => <Opened recipientId={recipientId} chat={data} />}
    </Fetched>
  )
}

function Opened({ recipientId, chat }: { recipientId: string; chat: Chat }) {
  const me = useCurrentUser()
  const other = otherOf(chat.conversation, me._id)
  const [handling, setHandling] = useState<Handling>(null)
  const client = useQueryClient()
  const { buy, dialog } = usePurchase({
    // Read again with the page, if it can't be read now.
    onRefused: ({ itemId }) => void rereadMessage(client, recipientId, itemId).catch(() => {}),
  })
  const { askForTip, tipDialog } = useTip(other, buy)
  // Whoever blocks somebody sells them nothing.
  const isSelling = chat.refusal?.code !== 'recipient_unavailable'
  const [searching, setSearching] = useState(false)
  /** Counts the texts that came back to be edited. */
  const [rewrites, setRewrites] = useState(0)
  const rewrite = (unsent: Outgoing) => {
    const outbox = outboxOf(me._id)
    const isWaiting = unsent.state === 'waiting'
    if (isWaiting) outbox.discard(unsent.clientMessageId)
    else if (!outbox.withdraw(unsent.clientMessageId)) return
    putBack(me._id, isWaiting ? { ...unsent, uploadKeys: [] } : unsent)
    setHandling(unsent.replyTo && { how: 'reply', quote: unsent.replyTo })
    setRewrites(rewrites + 1)
  }
  const linked = useSearchParams()[0].get('message')
  /** The message that was searched for, or answered; the list goes there. */
  const [sought, setSought] = useState<{ position: number } | null>(null)
  return (
    <section className={styles.conversation} aria-label={texts.title(other.username)}>
      <PageTitle>{texts.title(other.username)}</PageTitle>
      <ConversationHeader
        chat={chat}
        other={other}
        searching={searching}
        onSearch={() => setSearching(!searching)}
        onTip={askForTip}
      />
      {searching && (
        <SearchPanel
          recipientId={recipientId}
          other={other}
          onFound={(position) => setSought({ position })}
          onClose={() => setSearching(false)}
        />
      )}
      <MessageList
        recipientId={recipientId}
        chat={chat}
        other={other}
        sought={sought}
        onSeek={(position) => setSought({ position })}
        // It would take the place of what is being edited.
        onRewrite={chat.refusal || handling?.how === 'edit' ? null : rewrite}
        onHandle={setHandling}
        onUnlock={isSelling ? (message) => buy(messageOf(message, other.username)) : null}
        onPay={isSelling ? buy : null}
      />
      {chat.refusal && handling?.how !== 'edit' ? (
        <Refusal refusal={chat.refusal} other={other} />
      ) : (
        <Composer
          // It reads what is kept when it comes to be.
          key={rewrites}
          focused={rewrites > 0}
          recipientId={recipientId}
          conversationId={chat.conversation._id}
          other={other}
          handling={handling}
          messages={chat.messages}
          onHandled={() => setHandling(null)}
        />
      )}
      {linked !== null && <LinkedMessage recipientId={recipientId} messageId={linked} onFound={setSought} />}
      {tipDialog}
      {dialog}
    </section>
  )
}
