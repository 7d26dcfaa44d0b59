import { Metadata } from '../../features/media/metadata/Metadata.tsx'
import { Page } from '../../ui/Page.tsx'
import { pageTexts } from './texts.ts'

export function Component() {
  return (
    <Page title={pageTexts.metadata} lead={pageTexts.metadataLead}>
      <Metadata />
    </Page>
  )
}
