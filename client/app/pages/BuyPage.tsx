import { useParams } from 'react-router'
import { BundleContents } from '../../features/media/library/BundleContents.tsx'
import { Singles } from '../../features/media/library/Singles.tsx'
import { useOpenMedia } from '../../features/media/library/use-open-media.ts'
import type { Profile } from '../../features/profiles/api.ts'
import { BundleList } from '../../features/profiles/BundleList.tsx'
import { ProfileGate } from '../../features/profiles/ProfileGate.tsx'
import { SubscriptionList } from '../../features/profiles/SubscriptionList.tsx'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { usePurchase } from '../purchase.tsx'

/** All that can be bought from one creator, in one list (decisions §10). */
export function Component() {
  const { username = '' } = useParams()
  return (
    <ProfileGate username={username}>
      {(profile) => <Shown key={profile._id} creator={profile} />}
    </ProfileGate>
  )
}

function Shown({ creator }: { creator: Profile }) {
  const { currentUser } = useSession()
  const { buy, dialog } = usePurchase()
  const open = useOpenMedia(buy)
  const own = currentUser?._id === creator._id
  return (
    <Page
      title={`Buy from ${creator.firstName || creator.username}`}
      lead="Subscriptions, bundles and single pieces in one list."
      action={
        <LinkButton to={paths.profile(creator.username)} variant="default">
          View Profile
        </LinkButton>
      }
    >
      <Section title="Subscriptions">
        <SubscriptionList creator={creator} own={own} onBuy={buy} />
      </Section>
      <Section title="Bundles">
        <BundleList
          creator={creator}
          own={own}
          onBuy={buy}
          contents={(bundleId) => <BundleContents bundleId={bundleId} onOpen={open} />}
        />
      </Section>
      <Section title="Singles">
        <Singles creatorId={creator._id} own={own} onBuy={buy} onOpen={open} />
      </Section>
      {dialog}
    </Page>
  )
}
