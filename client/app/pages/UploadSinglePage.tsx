import { SingleUpload } from '../../features/media/upload/SingleUpload.tsx'
import { paths } from '../../lib/paths.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'

export function Component() {
  return (
    <Page
      title="Upload one file"
      lead="For large videos: the file goes up in small chunks and goes on where it broke off."
      action={
        <LinkButton to={paths.uploadBulk} variant="default">
          Upload several files
        </LinkButton>
      }
    >
      <SingleUpload />
    </Page>
  )
}
