import { useParams } from 'react-router'
import { EditMedia } from '../../features/media/edit/EditMedia.tsx'
import { paths } from '../../lib/paths.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'
import { pageTexts } from './texts.ts'

export function Component() {
  const { mediaId = '' } = useParams()
  return (
    <Page
      title={pageTexts.editMedia}
      action={
        <LinkButton to={paths.manageMedia} variant="default">
          {pageTexts.manage}
        </LinkButton>
      }
    >
      <EditMedia key={mediaId} mediaId={mediaId} />
    </Page>
  )
}
