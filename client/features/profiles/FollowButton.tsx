import { IconCheck, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '../../lib/api.ts'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session.tsx'
import { Button } from '../../ui/core/Button.tsx'
import { ReturningLinkButton } from '../../ui/ReturningLinkButton.tsx'
import { toast } from '../../ui/toast.ts'
import { followQuery, useToggleFollow } from './api.ts'

/** Follows or stops following; visitors are led to sign up (docs/product.md, Pages). */
export function FollowButton({ creatorId }: { creatorId: string }) {
  const { loggedIn } = useSession()
  return loggedIn ? (
    <FollowToggle creatorId={creatorId} />
  ) : (
    <ReturningLinkButton to={paths.signup}>Login to follow</ReturningLinkButton>
  )
}

function FollowToggle({ creatorId }: { creatorId: string }) {
  const { currentUser } = useSession()
  // Nobody follows before their e-mail is confirmed; pressing the button says so.
  const verified = currentUser?.verifiedEmail === 'verified'
  const follow = useQuery({ ...followQuery(creatorId), enabled: verified })
  const toggle = useToggleFollow(creatorId)
  const following = follow.data ?? false
  return (
    <Button
      variant={following ? 'default' : 'filled'}
      leftSection={
        following ? (
          <IconCheck size={18} stroke={1.75} aria-hidden />
        ) : (
          <IconPlus size={18} stroke={1.75} aria-hidden />
        )
      }
      disabled={verified && follow.isPending}
      aria-pressed={following}
      onClick={() => {
        if (!toggle.isPending)
          toggle.mutate(undefined, { onError: (error) => toast.failure(errorMessage(error)) })
      }}
    >
      {following ? 'Unfollow' : 'Follow'}
    </Button>
  )
}
