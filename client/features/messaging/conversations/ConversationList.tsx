import {
  IconBellOff,
  IconMessageCircle,
  IconSearchOff,
  IconSettings,
  IconSpeakerphone,
} from '@tabler/icons-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { Avatar } from '../../../ui/Avatar.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { FilterButtons } from '../../../ui/FilterButtons.tsx'
import { SearchBox } from '../../../ui/fields/SearchBox.tsx'
import { useAddress } from '../../../ui/fields/use-address.ts'
import { withCents } from '../../../ui/format.ts'
import { Hidden } from '../../../ui/Hidden.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { lazyPart, useLatch } from '../../../ui/lazy-part.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import type { ConversationsFilter, ListedConversation } from '../api.ts'
import { otherOf } from '../cache/events.ts'
import type { Conversation } from '../cache/timeline.ts'
import { useTyping } from '../cache/typing.ts'
import { FROM_LIST } from '../conversation/opened-from-list.ts'
import { formatLast } from '../conversation/when.ts'
import { useDraft } from '../outbox/unsent.ts'
import { chatTexts, conversationsTexts as texts } from '../texts.ts'
import styles from './ConversationList.module.css'
import { OwnSubscriptions } from './OwnSubscriptions.tsx'
import { useConversations } from './use-conversations.ts'

const ChatSettingsDialog = lazyPart(() => import('./ChatSettingsDialog.tsx').then((module) => module.default))

type ConversationListProps = {
  /** The other person of the conversation that is open beside it. */
  openWith: string | undefined
  /** Whether its title is the page's. */
  titled: boolean
}

/** Where the list stood when the page was left for one of its conversations. */
let scrolled = 0

/** The creators whom the person subscribes to, and their conversations by name and whether they are unread. */
export function ConversationList({ openWith, titled }: ConversationListProps) {
  const person = useCurrentUser()
  const [, change] = useAddress()
  const { filter, choices, showing, list } = useConversations()
  const [settings, setSettings] = useState(false)
  const settingsNeeded = useLatch(settings)
  const scroller = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    scroller.current?.scrollTo(0, scrolled)
  }, [])
  // A conversation is opened beside the list as it is narrowed now.
  const kept = new URLSearchParams({
    ...(filter ? { name: filter } : {}),
    ...(showing === 'all' ? {} : { show: showing }),
  }).toString()
  const Title = titled ? 'h1' : 'h2'
  return (
    <>
      <header className={styles.header}>
        <div className={styles.titleLine}>
          <Title className={styles.title}>{texts.title}</Title>
          {person.isCreator && (
            <>
              <Link
                to={paths.massMessage()}
                className={styles.settings}
                aria-label={texts.newMass}
                title={texts.newMass}
              >
                <IconSpeakerphone size={22} stroke={1.5} aria-hidden />
              </Link>
              <button
                type="button"
                className={styles.settings}
                aria-label={texts.settings}
                onClick={() => setSettings(true)}
              >
                <IconSettings size={22} stroke={1.5} aria-hidden />
              </button>
            </>
          )}
        </div>
        <SearchBox
          label={texts.search}
          placeholder={texts.search}
          value={filter}
          onChange={(name) => change({ name })}
          maxLength={60}
          className={styles.search}
        />
        <FilterButtons
          label={texts.filter}
          choices={choices}
          value={showing}
          onChange={(value) => change({ show: value === 'all' ? '' : value })}
        />
      </header>
      <div
        ref={scroller}
        className={styles.scroller}
        onScroll={(event) => {
          scrolled = event.currentTarget.scrollTop
        }}
      >
        {filter === '' && showing === 'all' && <OwnSubscriptions />}
        <GrowingList
          list={list}
          failed={texts.loadFailed}
          waiting={
            <div className={styles.waiting}>
              <SkeletonLines />
            </div>
          }
          empty={<Nothing filter={filter} showing={showing} creates={person.isCreator} />}
        >
          <ul aria-label={texts.label}>
            {list.items.map((conversation) => (
              <ConversationRow
                key={conversation._id}
                conversation={conversation}
                me={person._id}
                openWith={openWith}
                search={kept}
              />
            ))}
          </ul>
        </GrowingList>
      </div>
      {settingsNeeded && <ChatSettingsDialog opened={settings} onClose={() => setSettings(false)} />}
    </>
  )
}

type RowProps = { conversation: ListedConversation; me: string; openWith: string | undefined; search: string }

function ConversationRow({ conversation, me, openWith, search }: RowProps) {
  const other = otherOf(conversation, me)
  const { lastMessage, unread, muted, spent } = conversation
  return (
    <li>
      <Link
        to={{ pathname: paths.chat(other._id), search }}
        state={FROM_LIST}
        className={styles.row}
        aria-current={other._id === openWith ? 'page' : undefined}
        data-unread={unread > 0 || undefined}
      >
        <Avatar src={other.profileImage} name={other.username} size={48} />
        <span className={styles.words}>
          <span className={styles.line}>
            <span className={styles.name}>{other.username}</span>
            {spent && (
              <span className={styles.spent} title={texts.spent(withCents(spent))}>
                <span aria-hidden>{withCents(spent)}</span>
                <Hidden>{texts.spent(withCents(spent))}</Hidden>
              </span>
            )}
            {lastMessage && (
              <time className={styles.when} dateTime={lastMessage.createdAt}>
                {formatLast(lastMessage.createdAt, serverNow())}
              </time>
            )}
          </span>
          <span className={styles.line}>
            <Preview conversation={conversation} me={me} recipientId={other._id} />
            {muted && (
              <IconBellOff size={16} stroke={1.75} className={styles.muted} aria-label={texts.muted} />
            )}
            {unread > 0 && (
              <span className={styles.count} data-muted={muted || undefined}>
                <span aria-hidden>{unread}</span>
                <Hidden>{texts.unreadCount(unread)}</Hidden>
              </span>
            )}
          </span>
        </span>
      </Link>
    </li>
  )
}

type PreviewProps = { conversation: Conversation; me: string; recipientId: string }

/** That the other is typing, the draft, or the newest message. */
function Preview({ conversation: { _id, lastMessage }, me, recipientId }: PreviewProps) {
  const typing = useTyping(_id)
  const draft = useDraft(me, recipientId)
  if (typing) return <span className={`${styles.last} ${styles.typing}`}>{chatTexts.typing}</span>
  if (draft) {
    return (
      <span className={styles.last}>
        <span className={styles.draft}>{texts.draft}</span>
        {draft}
      </span>
    )
  }
  return (
    <span className={styles.last}>
      {lastMessage?.senderId === me && texts.you}
      {lastMessage && whatIsIn(lastMessage)}
    </span>
  )
}

function whatIsIn({ tip, request, content, attachments }: NonNullable<Conversation['lastMessage']>) {
  if (tip) return texts.tip(tip.amount)
  if (request === 'delivered') return texts.delivered
  return request ? texts.request(content) : content || texts.attachments(attachments)
}

function Nothing({ filter, showing, creates }: ConversationsFilter & { creates: boolean }) {
  if (filter) {
    return (
      <EmptyState Icon={IconSearchOff} title={texts.noResults(filter)}>
        {texts.noResultsHint}
      </EmptyState>
    )
  }
  if (showing === 'unread') {
    return (
      <EmptyState Icon={IconMessageCircle} title={texts.noUnread}>
        {texts.noUnreadHint}
      </EmptyState>
    )
  }
  if (showing === 'spenders') {
    return (
      <EmptyState Icon={IconMessageCircle} title={texts.noSpenders}>
        {texts.noSpendersHint}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      Icon={IconMessageCircle}
      title={texts.emptyTitle}
      {...(creates ? {} : { action: <LinkButton to={paths.discover}>{texts.findCreators}</LinkButton> })}
    >
      {creates ? texts.emptyCreatorHint : texts.emptyHint}
    </EmptyState>
  )
}
