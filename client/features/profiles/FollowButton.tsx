import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session.tsx'
import { Button } from '../../ui/core/Button.tsx'
import { ReturningLinkButton } from '../../ui/LinkButton.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { followTexts } from './texts.ts'

// Visitors have no need of it.
const FollowToggle = lazyPart(
  () => import('./FollowToggle.tsx').then((module) => module.FollowToggle),
  <Button disabled>{followTexts.follow}</Button>,
)

/**
 * Follows, or says so and offers to stop; visitors are led to sign up (docs/product.md, Pages). In a list it is one of
 * many, and not the main action.
 */
export function FollowButton({ creatorId, inList }: { creatorId: string; inList?: boolean }) {
  const { loggedIn } = useSession()
  return loggedIn ? (
    <FollowToggle creatorId={creatorId} variant={inList ? 'default' : 'filled'} />
  ) : (
    <ReturningLinkButton to={paths.signup}>{followTexts.loggedOut}</ReturningLinkButton>
  )
}
