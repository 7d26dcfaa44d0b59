import { ManageMedia } from '../../features/media/manage/ManageMedia.tsx'
import { paths } from '../../lib/paths.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'

export function Component() {
  return (
    <Page
      title="Manage media"
      lead="Your library: what everybody sees, what is sold, and what only you see."
      action={<LinkButton to={paths.uploadBulk}>Upload media</LinkButton>}
    >
      <ManageMedia />
    </Page>
  )
}
