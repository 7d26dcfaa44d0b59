import { useParams } from 'react-router'
import { EditMedia } from '../../features/media/edit/EditMedia.tsx'
import { paths } from '../../lib/paths.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'

export function Component() {
  const { mediaId = '' } = useParams()
  return (
    <Page
      title="Edit media"
      action={
        <LinkButton to={paths.manageMedia} variant="default">
          Manage media
        </LinkButton>
      }
    >
      <EditMedia key={mediaId} mediaId={mediaId} />
    </Page>
  )
}
