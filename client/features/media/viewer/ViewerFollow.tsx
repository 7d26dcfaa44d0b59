import { IconCheck, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { errorMessage } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import { afterLogin } from '../../../lib/redirect.ts'
import { useSession } from '../../../lib/session.tsx'
import { toast } from '../../../ui/toast.ts'
import { followQuery, profileQuery, useToggleFollow } from '../../profiles/api.ts'
import { viewerTexts as texts } from './texts.ts'
import styles from './ViewerWindow.module.css'

/** Follows whose item is shown; visitors sign up first and come back. Nothing on own items. */
export function ViewerFollow({ username }: { username: string }) {
  const { loggedIn, currentUser } = useSession()
  // Nobody follows before their email is confirmed.
  const mayFollow = currentUser?.verifiedEmail === 'verified' && username !== currentUser.username
  const creator = useQuery({ ...profileQuery(username), enabled: mayFollow })
  if (!loggedIn) {
    return (
      <Link
        className={styles.act}
        to={paths.signup}
        onClick={() => afterLogin.save(location.pathname + location.search)}
      >
        <IconPlus size={18} stroke={1.75} aria-hidden />
        {texts.follow}
      </Link>
    )
  }
  // What isn’t asked for here is known all the same on a page of theirs.
  return mayFollow && creator.data?.isCreator ? <FollowToggle creatorId={creator.data._id} /> : null
}

function FollowToggle({ creatorId }: { creatorId: string }) {
  const follow = useQuery(followQuery(creatorId))
  const toggle = useToggleFollow(creatorId)
  const following = follow.data ?? false
  const change = () => {
    if (!toggle.isPending)
      toggle.mutate(undefined, { onError: (error) => toast.failure(errorMessage(error)) })
  }
  const Icon = following ? IconCheck : IconPlus
  return (
    <button type="button" className={styles.act} disabled={follow.isPending} onClick={change}>
      <Icon size={18} stroke={1.75} aria-hidden />
      {following ? texts.following : texts.follow}
    </button>
  )
}
