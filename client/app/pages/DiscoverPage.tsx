import { IconPhotoSearch } from '@tabler/icons-react'
import { useNavigate } from 'react-router'
import { discoverQuery } from '../../features/media/api.ts'
import { ViewableWall } from '../../features/media/wall/ViewableWall.tsx'
import { paths } from '../../lib/paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'

/** Everything that is free to see, newest first (core §2.3, Discover). */
export function Component() {
  const navigate = useNavigate()
  return (
    <Page
      title="Discover"
      lead="New from everyone who publishes here."
      action={
        <LinkButton to={paths.yourContent} variant="default">
          Your Premium Content
        </LinkButton>
      }
    >
      <ViewableWall
        label="All content"
        query={discoverQuery}
        onLocked={(media) => void navigate(paths.media(media._id))}
        empty={
          <EmptyState Icon={IconPhotoSearch} title="Nothing has been published yet">
            What creators show to everybody appears here, the newest first.
          </EmptyState>
        }
      />
    </Page>
  )
}
