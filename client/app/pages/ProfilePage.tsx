import { IconPhoto } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { subscriptionsQuery } from '../../features/commerce/api.ts'
import { singleOf } from '../../features/commerce/parts/buyable.ts'
import { usePurchase } from '../../features/commerce/parts/purchase.tsx'
import { SubscriptionList } from '../../features/commerce/parts/SubscriptionList.tsx'
import { type FeedMedia, profileMediaQuery } from '../../features/media/api.ts'
import { fanSees } from '../../features/media/parts/fan-view.ts'
import { useOpenMedia } from '../../features/media/parts/use-open-media.ts'
import { ViewableWall } from '../../features/media/parts/ViewableWall.tsx'
import type { Profile } from '../../features/profiles/api.ts'
import { ProfileGate } from '../../features/profiles/ProfileGate.tsx'
import { ProfileHeader } from '../../features/profiles/ProfileHeader.tsx'
import { paths } from '../../lib/paths.ts'
import { may, useSession } from '../../lib/session.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { PageTitle, Section } from '../../ui/Page.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { TabBar } from '../../ui/TabBar.tsx'
import { Tag } from '../../ui/Tag.tsx'
import styles from './ProfilePage.module.css'

// Tabs that are not in sight at first keep the first load small.
const BundleList = lazyPart(
  () => import('../../features/commerce/parts/BundleList.tsx').then((module) => module.BundleList),
  <SkeletonLines />,
)
const BundleContents = lazyPart(() =>
  import('../../features/media/library/BundleContents.tsx').then((module) => module.BundleContents),
)
const Singles = lazyPart(
  () => import('../../features/commerce/parts/Singles.tsx').then((module) => module.Singles),
  <SkeletonLines />,
)

const SuspendPerson = lazyPart(() => import('../operator/SuspendPerson.tsx').then((module) => module.default))

/** A creator's profile for visitor, fan and owner (docs/product.md, Pages). */
export function Component() {
  const { username = '' } = useParams()
  return (
    <ProfileGate username={username}>
      {(profile) => <Shown key={profile._id} profile={profile} />}
    </ProfileGate>
  )
}

function Shown({ profile }: { profile: Profile }) {
  const { currentUser } = useSession()
  const { buy, dialog } = usePurchase()
  const open = useOpenMedia((media) => buy(singleOf(media)))
  const [suspending, setSuspending] = useState(false)
  const mine = currentUser?._id === profile._id
  const asFan = useSearchParams()[0].get('view') === 'fan' && mine
  const own = mine && !asFan
  // What is offered stands above the media, which would be pushed down by it.
  const { isPending: offersPending } = useQuery(subscriptionsQuery(profile._id))
  return (
    <div className={styles.page}>
      <PageTitle>
        {profile.firstName ? `${profile.firstName} (${profile.username})` : profile.username}
      </PageTitle>
      {asFan && <FanView username={profile.username} />}
      <ProfileHeader
        profile={profile}
        own={own}
        inert={asFan}
        onSuspend={may(currentUser, 'people.suspend') ? () => setSuspending(true) : undefined}
      />
      {may(currentUser, 'people.suspend') && (
        <SuspendPerson
          person={suspending ? { ...profile, suspended: profile.suspended !== undefined } : null}
          onClose={() => setSuspending(false)}
        />
      )}
      {profile.isCreator && (
        <>
          <div inert={asFan}>
            <Offers profile={profile} own={own} onBuy={buy} onOpen={open} />
          </div>
          {!offersPending && (
            <Section title="Media">
              <ViewableWall
                label={`Media of ${profile.username}`}
                query={profileMediaQuery(profile._id)}
                onLocked={asFan ? () => {} : open}
                {...(asFan ? { show: fanSees } : {})}
                {...(own ? { corner: onlyOwner } : {})}
                empty={
                  <EmptyState
                    Icon={IconPhoto}
                    title={own ? 'You have not published anything yet' : 'Nothing published yet'}
                    {...(own ? { action: <LinkButton to={paths.uploadBulk}>Upload media</LinkButton> } : {})}
                  >
                    {own
                      ? 'Upload pictures and videos, then choose what everybody sees and what is sold.'
                      : `Follow ${profile.username} to hear when there is something new.`}
                  </EmptyState>
                }
              />
            </Section>
          )}
        </>
      )}
      {dialog}
    </div>
  )
}

/** Marks what only the owner sees on their profile. */
function onlyOwner({ unpublished }: FeedMedia) {
  return unpublished && <Tag>Only you</Tag>
}

/** Says that the owner looks at their profile with other eyes, and leads back. */
function FanView({ username }: { username: string }) {
  return (
    <aside className={styles.asFan} aria-label="Fan view">
      <p>This is how a fan who hasn’t bought anything sees your profile.</p>
      <LinkButton to={paths.profile(username)} variant="default" size="sm">
        Back to your view
      </LinkButton>
    </aside>
  )
}

const TABS = ['subscriptions', 'bundles', 'singles'] as const
type Tab = (typeof TABS)[number]

type OffersProps = {
  profile: Profile
  own: boolean
  onBuy: ReturnType<typeof usePurchase>['buy']
  onOpen: ReturnType<typeof useOpenMedia>
}

/** What can be bought from the creator, in three tabs; the open one stands in the address. */
function Offers({ profile, own, onBuy, onOpen }: OffersProps) {
  const [parameters, setParameters] = useSearchParams()
  const tab = TABS.find((name) => name === parameters.get('tab')) ?? 'subscriptions'
  return (
    <div className={styles.offers}>
      <TabBar<Tab>
        label={`What ${profile.username} offers`}
        value={tab}
        onChange={(next) =>
          setParameters(next === 'subscriptions' ? {} : { tab: next }, {
            replace: true,
            preventScrollReset: true,
          })
        }
        tabs={[
          {
            name: 'subscriptions',
            label: 'Subscriptions',
            panel: <SubscriptionList creator={profile} own={own} onBuy={onBuy} />,
          },
          {
            name: 'bundles',
            label: 'Bundles',
            panel: (
              <BundleList
                creator={profile}
                own={own}
                onBuy={onBuy}
                contents={(bundleId) => <BundleContents bundleId={bundleId} onOpen={onOpen} />}
              />
            ),
          },
          {
            name: 'singles',
            label: 'Singles',
            panel: <Singles creatorId={profile._id} own={own} onBuy={onBuy} onOpen={onOpen} />,
          },
        ]}
      />
    </div>
  )
}
