import { SingleUpload } from '../../features/media/upload/SingleUpload.tsx'
import { paths } from '../../lib/paths.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'
import { pageTexts } from './texts.ts'

export function Component() {
  return (
    <Page
      title={pageTexts.uploadOne}
      lead={pageTexts.uploadOneLead}
      action={
        <LinkButton to={paths.uploadBulk} variant="default">
          {pageTexts.uploadSeveral}
        </LinkButton>
      }
    >
      <SingleUpload />
    </Page>
  )
}
