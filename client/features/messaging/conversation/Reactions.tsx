import { errorMessage } from '../../../lib/api.ts'
import { formatNumber } from '../../../ui/format.ts'
import { toast } from '../../../ui/toast.ts'
import { type Emoji, useReactToMessage } from '../api.ts'
import type { Message, Participant } from '../cache/timeline.ts'
import { messageTexts as texts } from '../texts.ts'
import styles from './MessageRow.module.css'

type ReactionsProps = { message: Message; me: string; other: Participant }

/** The two people's reactions to a message; a tap on one's own removes it, on the other's adds the same. */
export function Reactions({ message, me, other }: ReactionsProps) {
  const react = useReactToMessage(other._id)
  if (message.reactions.length === 0) return null
  const emojis = [...new Set(message.reactions.map(({ emoji }) => emoji))]
  const peopleOf = (wanted: Emoji) =>
    message.reactions.flatMap(({ emoji, userId }) => (emoji === wanted ? [userId] : []))
  return (
    <ul className={styles.reactions}>
      {emojis.map((emoji) => {
        const people = peopleOf(emoji)
        const mine = people.includes(me)
        const names = people.map((id) => (id === me ? texts.you : other.username)).join(', ')
        return (
          <li key={emoji}>
            <button
              type="button"
              className={styles.reaction}
              aria-pressed={mine}
              aria-label={texts.reacted(emoji, names)}
              onClick={() =>
                react.mutate(
                  { messageId: message._id, emoji: mine ? null : emoji },
                  { onError: (error) => toast.failure(errorMessage(error)) },
                )
              }
            >
              <span className={styles.chip} aria-hidden>
                {emoji}
                {people.length > 1 && <span>{formatNumber(people.length)}</span>}
              </span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}
