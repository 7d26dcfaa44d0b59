import { UploadPanel } from '../../features/media/upload/UploadPanel.tsx'
import { paths } from '../../lib/paths.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'

export function Component() {
  return (
    <Page
      title="Upload media"
      lead="New uploads are locked and shown nowhere until you say who may see them."
      action={
        <LinkButton to={paths.manageMedia} variant="default">
          Manage media
        </LinkButton>
      }
    >
      <UploadPanel />
    </Page>
  )
}
