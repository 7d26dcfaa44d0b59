import { Metadata } from '../../features/media/metadata/Metadata.tsx'
import { Page } from '../../ui/Page.tsx'

export function Component() {
  return (
    <Page
      title="Media metadata"
      lead="What was read from each uploaded file: its type, and the duration of a video in whole seconds."
    >
      <Metadata />
    </Page>
  )
}
