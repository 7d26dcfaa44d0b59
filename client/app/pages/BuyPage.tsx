import { useParams } from 'react-router'
import { singleOf } from '../../features/commerce/parts/buyable.ts'
import { BundleList } from '../../features/commerce/parts/offers/BundleList.tsx'
import { Singles } from '../../features/commerce/parts/offers/Singles.tsx'
import { SubscriptionList } from '../../features/commerce/parts/offers/SubscriptionList.tsx'
import { usePurchase } from '../../features/commerce/parts/purchase.tsx'
import { BundleContents } from '../../features/media/library/BundleContents.tsx'
import { useOpenMedia } from '../../features/media/parts/use-open-media.ts'
import type { Profile } from '../../features/profiles/api.ts'
import { ProfileGate } from '../../features/profiles/ProfileGate.tsx'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session.tsx'
import { BackLink } from '../../ui/BackLink.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { buyTexts } from './texts.ts'

/** All that can be bought from one creator, in one list (docs/product.md, Access). */
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
  const open = useOpenMedia((media) => buy(singleOf(media)))
  const own = currentUser?._id === creator._id
  return (
    <Page
      title={buyTexts.title(creator.firstName || creator.username)}
      lead={buyTexts.lead}
      back={<BackLink to={paths.profile(creator.username)}>{buyTexts.profileOf(creator.username)}</BackLink>}
    >
      <Section title={buyTexts.subscriptions}>
        <SubscriptionList creator={creator} own={own} onBuy={buy} />
      </Section>
      <Section title={buyTexts.bundles}>
        <BundleList
          creator={creator}
          own={own}
          onBuy={buy}
          contents={(bundleId) => <BundleContents bundleId={bundleId} onOpen={open} />}
        />
      </Section>
      <Section title={buyTexts.singles}>
        <Singles creatorId={creator._id} own={own} onBuy={buy} onOpen={open} />
      </Section>
      {dialog}
    </Page>
  )
}
