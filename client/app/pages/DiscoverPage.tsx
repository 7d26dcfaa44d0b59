import { useNavigate } from 'react-router'
import { Discover } from '../../features/media/discover/Discover.tsx'
import { discoverHeading } from '../../features/media/discover/texts.ts'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'

export function Component() {
  const { loggedIn } = useSession()
  const navigate = useNavigate()
  return (
    <Page
      title={discoverHeading.title}
      lead={discoverHeading.lead}
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
