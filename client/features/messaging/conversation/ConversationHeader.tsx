import {
  IconArrowLeft,
  IconBell,
  IconBellOff,
  IconCoin,
  IconDotsVertical,
  IconNotes,
  IconSearch,
  IconUser,
  IconUserCheck,
  IconUserOff,
} from '@tabler/icons-react'
import { useState, useSyncExternalStore } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { errorMessage } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { connection } from '../../../lib/socket.ts'
import { Avatar } from '../../../ui/Avatar.tsx'
import { lazyPart, useLatch } from '../../../ui/lazy-part.tsx'
import { Menu } from '../../../ui/menu/Menu.tsx'
import { MenuItem } from '../../../ui/menu/MenuList.tsx'
import { toast } from '../../../ui/toast.ts'
import { useBlock } from '../../profiles/parts/people/api.ts'
import { useMute } from '../api.ts'
import type { Chat, Participant } from '../cache/timeline.ts'
import { useTyping } from '../cache/typing.ts'
import { chatTexts, headerTexts as texts } from '../texts.ts'
import styles from './Conversation.module.css'

const BlockDialog = lazyPart(() => import('./BlockDialog.tsx').then((module) => module.default))
const FanDialog = lazyPart(() => import('../fan-lists/FanDialog.tsx').then((module) => module.FanDialog))

type ConversationHeaderProps = {
  chat: Chat
  other: Participant
  searching: boolean
  onSearch: () => void
  onTip: () => void
}

/** The other person, whether they are online, and the actions for the conversation as a whole. */
export function ConversationHeader({ chat, other, searching, onSearch, onTip }: ConversationHeaderProps) {
  const { search } = useLocation()
  return (
    <header className={styles.header}>
      <Link to={{ pathname: paths.chats, search }} className={styles.back} aria-label={chatTexts.back}>
        <IconArrowLeft size={22} stroke={1.5} aria-hidden />
      </Link>
      <Avatar src={other.profileImage} name={other.username} size={40} />
      <div className={styles.person}>
        <h1 className={styles.heading}>
          <span className={styles.with}>{chatTexts.heading}</span>{' '}
          <Link to={paths.profile(other.username)}>{other.username}</Link>
        </h1>
        <Status chat={chat} />
      </div>
      {other.isCreator && !chat.refusal && (
        <button type="button" className={styles.icon} aria-label={texts.tip} onClick={onTip}>
          <IconCoin size={20} stroke={1.5} aria-hidden />
        </button>
      )}
      <button
        type="button"
        className={styles.icon}
        aria-label={texts.search}
        aria-pressed={searching}
        onClick={onSearch}
      >
        <IconSearch size={20} stroke={1.5} aria-hidden />
      </button>
      <ConversationMenu chat={chat} other={other} />
    </header>
  )
}

/** One line that is always there, so that nothing moves when somebody begins to type. */
function Status({ chat }: { chat: Chat }) {
  const connected = useSyncExternalStore(connection.subscribe, connection.read)
  const typing = useTyping(chat.conversation._id)
  if (!connected) return <p className={styles.status}>{chatTexts.connecting}</p>
  if (typing) {
    return (
      <p className={styles.status} data-tone="typing">
        {chatTexts.typing}
      </p>
    )
  }
  return (
    <p className={styles.status} data-tone={chat.online ? 'online' : undefined}>
      {chat.online && chatTexts.online}
    </p>
  )
}

function ConversationMenu({ chat, other }: { chat: Chat; other: Participant }) {
  const { isCreator } = useCurrentUser()
  const [opened, setOpened] = useState(false)
  const [asking, setAsking] = useState(false)
  const [noting, setNoting] = useState(false)
  const notingNeeded = useLatch(noting)
  const askingNeeded = useLatch(asking)
  const navigate = useNavigate()
  const mute = useMute(other._id)
  const block = useBlock()
  const { muted } = chat.conversation
  const blocked = chat.refusal?.code === 'recipient_blocked'
  const failed = { onError: (error: unknown) => toast.failure(errorMessage(error)) }
  return (
    <>
      <Menu
        opened={opened}
        onChange={setOpened}
        button={(given) => (
          <button {...given} type="button" className={styles.icon} aria-label={texts.more(other.username)}>
            <IconDotsVertical size={20} stroke={1.5} aria-hidden />
          </button>
        )}
      >
        <MenuItem Icon={IconUser} onClick={() => void navigate(paths.profile(other.username))}>
          {texts.profile}
        </MenuItem>
        {isCreator && chat.conversation.lastMessage && (
          <MenuItem Icon={IconNotes} onClick={() => setNoting(true)}>
            {texts.listsAndNote}
          </MenuItem>
        )}
        <MenuItem
          Icon={muted ? IconBell : IconBellOff}
          onClick={() =>
            mute.mutate(!muted, {
              ...failed,
              onSuccess: () => toast.success(muted ? texts.unmuted : texts.muted),
            })
          }
        >
          {muted ? texts.unmute : texts.mute}
        </MenuItem>
        {blocked ? (
          <MenuItem
            Icon={IconUserCheck}
            onClick={() =>
              block.mutate(
                { blockedId: other._id, blocked: false },
                {
                  ...failed,
                  onSuccess: () => toast.success(texts.unblocked(other.username)),
                },
              )
            }
          >
            {texts.unblock(other.username)}
          </MenuItem>
        ) : (
          <MenuItem Icon={IconUserOff} onClick={() => setAsking(true)}>
            {texts.block(other.username)}
          </MenuItem>
        )}
      </Menu>
      {notingNeeded && <FanDialog person={noting ? other : null} onClose={() => setNoting(false)} />}
      {askingNeeded && <BlockDialog person={other} opened={asking} onClose={() => setAsking(false)} />}
    </>
  )
}
