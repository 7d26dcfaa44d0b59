import {
  IconArrowBackUp,
  IconCopy,
  IconDots,
  IconFlag,
  IconLink,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { MESSAGE_CHANGEABLE_HOURS, REACTIONS } from '../../../../contract/constants.ts'
import { errorMessage } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { lazyPart, useLatch } from '../../../ui/lazy-part.tsx'
import { Menu } from '../../../ui/menu/Menu.tsx'
import { MenuItem } from '../../../ui/menu/MenuList.tsx'
import { toast } from '../../../ui/toast.ts'
import { type Emoji, useReactToMessage } from '../api.ts'
import type { Message } from '../cache/timeline.ts'
import { messageTexts as texts } from '../texts.ts'
import styles from './MessageRow.module.css'
import { type Handling, quoteOf } from './writing.ts'

const DeleteDialog = lazyPart(() => import('./DeleteDialog.tsx').then((module) => module.default))
const ReportDialog = lazyPart(() => import('./ReportDialog.tsx').then((module) => module.default))

type MessageMenuProps = {
  message: Message
  /** The elements that say which message it is. */
  describedBy: string
  me: string
  recipientId: string
  opened: boolean
  onChange: (opened: boolean) => void
  onHandle: (handling: Handling) => void
}

/** Everything that can be done with one message. */
export function MessageMenu({
  message,
  describedBy,
  me,
  recipientId,
  opened,
  onChange,
  onHandle,
}: MessageMenuProps) {
  const [asking, setAsking] = useState<'delete' | 'report' | null>(null)
  const everDeleting = useLatch(asking === 'delete')
  const everReporting = useLatch(asking === 'report')
  const react = useReactToMessage(recipientId)
  const mine = message.senderId === me
  const stays = message.customRequest !== null || message.tip !== null
  // A message that was sold stays as it was shown.
  const changeable = mine && !stays && !message.purchased && isChangeable(message, serverNow().getTime())
  const ownReaction = message.reactions.find(({ userId }) => userId === me)?.emoji
  const toggle = (emoji: Emoji) =>
    react.mutate(
      { messageId: message._id, emoji: emoji === ownReaction ? null : emoji },
      { onError: (error) => toast.failure(errorMessage(error)) },
    )
  return (
    <>
      <Menu
        opened={opened}
        onChange={onChange}
        align={mine ? 'end' : 'start'}
        button={(given) => (
          <button
            {...given}
            type="button"
            className={styles.more}
            aria-label={texts.more}
            aria-describedby={describedBy}
          >
            <IconDots size={20} stroke={1.75} aria-hidden />
          </button>
        )}
      >
        <div className={styles.emojis}>
          {REACTIONS.map((emoji) => (
            <MenuItem
              key={emoji}
              className={styles.emoji}
              aria-label={emoji === ownReaction ? texts.removeReaction(emoji) : texts.reactWith(emoji)}
              data-own={emoji === ownReaction || undefined}
              onClick={() => toggle(emoji)}
            >
              {emoji}
            </MenuItem>
          ))}
        </div>
        <MenuItem Icon={IconArrowBackUp} onClick={() => onHandle({ how: 'reply', quote: quoteOf(message) })}>
          {texts.reply}
        </MenuItem>
        {message.content && (
          <MenuItem Icon={IconCopy} onClick={() => void copy(message.content)}>
            {texts.copy}
          </MenuItem>
        )}
        <MenuItem Icon={IconLink} onClick={() => void copy(linkTo(recipientId, message))}>
          {texts.copyLink}
        </MenuItem>
        {changeable && message.content && (
          <MenuItem Icon={IconPencil} onClick={() => onHandle({ how: 'edit', message })}>
            {texts.edit}
          </MenuItem>
        )}
        {changeable && (
          <MenuItem destructive Icon={IconTrash} onClick={() => setAsking('delete')}>
            {texts.delete}
          </MenuItem>
        )}
        {!mine && (
          <MenuItem Icon={IconFlag} onClick={() => setAsking('report')}>
            {texts.report}
          </MenuItem>
        )}
      </Menu>
      {everDeleting && (
        <DeleteDialog
          messageId={message._id}
          recipientId={recipientId}
          opened={asking === 'delete'}
          onClose={() => setAsking(null)}
        />
      )}
      {everReporting && (
        <ReportDialog messageId={message._id} opened={asking === 'report'} onClose={() => setAsking(null)} />
      )}
    </>
  )
}

function isChangeable({ createdAt }: Message, now: number): boolean {
  return now - Date.parse(createdAt) < MESSAGE_CHANGEABLE_HOURS * 3_600_000
}

/** The address that opens the conversation at this message; the other person has one of their own. */
function linkTo(recipientId: string, { _id }: Message): string {
  return `${location.origin}${paths.chat(recipientId)}?message=${_id}`
}

async function copy(content: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(content)
    toast.success(texts.copied)
  } catch {
    toast.failure(texts.copyFailed)
  }
}
