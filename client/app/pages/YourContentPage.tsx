import { useNavigate } from 'react-router'
import { PremiumContent } from '../../features/media/library/PremiumContent.tsx'
import { paths } from '../../lib/paths.ts'
import { Page } from '../../ui/Page.tsx'

export function Component() {
  const navigate = useNavigate()
  return (
    <Page title="Your Premium Content" lead="Everything you’ve bought or unlocked, in one place.">
      <PremiumContent onOpen={(media) => void navigate(paths.media(media._id))} />
    </Page>
  )
}
