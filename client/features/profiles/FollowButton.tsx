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
 * Follows, or says so and offers to stop; visitors are led to sign up (docs/product.md, Pages). It is quiet in a list,
 * as one of many, and beside something to buy, which is the main action there.
 */
export function FollowButton({ creatorId, quiet = false }: { creatorId: string; quiet?: boolean }) {
  const { loggedIn } = useSession()
  const variant = quiet ? 'default' : 'filled'
  return loggedIn ? (
    <FollowToggle creatorId={creatorId} variant={variant} />
  ) : (
    <ReturningLinkButton to={paths.signup} variant={variant}>
      {followTexts.loggedOut}
    </ReturningLinkButton>
  )
}
