import { errorMessage } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { toast } from '../../../ui/toast.ts'
import { useToggleFollow } from '../../profiles/api.ts'
import { useBlock } from '../../profiles/parts/people/api.ts'
import type { Chat, Participant } from '../cache/timeline.ts'
import { refusalTexts as texts } from '../texts.ts'
import styles from './Conversation.module.css'

type RefusalProps = { refusal: NonNullable<Chat['refusal']>; other: Participant }

/** Why one can't write to the other person, and what to do about it. */
export function Refusal({ refusal, other }: RefusalProps) {
  const follow = useToggleFollow(other._id)
  const unblock = useBlock()
  const onError = (error: unknown) => toast.failure(errorMessage(error))
  return (
    <div className={styles.refusal}>
      <p>{refusal.error}</p>
      {refusal.code === 'followers_only' && (
        <Button size="sm" loading={follow.isPending} onClick={() => follow.mutate(undefined, { onError })}>
          {texts.follow}
        </Button>
      )}
      {(refusal.code === 'subscribers_only' || refusal.code === 'chat_subscribers_only') && (
        <LinkButton size="sm" to={paths.profile(other.username)}>
          {texts.subscribe}
        </LinkButton>
      )}
      {refusal.code === 'recipient_blocked' && (
        <Button
          size="sm"
          variant="default"
          loading={unblock.isPending}
          onClick={() => unblock.mutate({ blockedId: other._id, blocked: false }, { onError })}
        >
          {texts.unblock}
        </Button>
      )}
    </div>
  )
}
