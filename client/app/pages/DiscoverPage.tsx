import { useNavigate } from 'react-router'
import { Discover } from '../../features/media/discover/Discover.tsx'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'

export function Component() {
  const { loggedIn } = useSession()
  const navigate = useNavigate()
  return (
    <Page
      title="Discover"
      lead="New from everyone who publishes here."
      action={
        loggedIn && (
          <LinkButton to={paths.yourContent} variant="default">
            Your Premium Content
          </LinkButton>
        )
      }
    >
      <Discover onLocked={(media) => void navigate(paths.media(media._id))} />
    </Page>
  )
}
