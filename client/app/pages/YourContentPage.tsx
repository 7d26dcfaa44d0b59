import { useNavigate } from 'react-router'
import { PremiumContent } from '../../features/media/library/PremiumContent.tsx'
import { libraryTexts } from '../../features/media/library/texts.ts'
import { paths } from '../../lib/paths.ts'
import { Page } from '../../ui/Page.tsx'

export function Component() {
  const navigate = useNavigate()
  return (
    <Page title={libraryTexts.title} lead={libraryTexts.lead}>
      <PremiumContent onOpen={(media) => void navigate(paths.media(media._id))} />
    </Page>
  )
}
