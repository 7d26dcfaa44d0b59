import { IconPhoto } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { subscriptionsQuery } from '../../features/commerce/api.ts'
import { singleOf } from '../../features/commerce/parts/buyable.ts'
import { SubscriptionList } from '../../features/commerce/parts/offers/SubscriptionList.tsx'
import { usePurchase } from '../../features/commerce/parts/purchase.tsx'
import { useTip } from '../../features/commerce/parts/tips.tsx'
import { type FeedMedia, type Media, profileMediaQuery } from '../../features/media/api.ts'
import { fanSees } from '../../features/media/parts/fan-view.ts'
import { useOpenMedia } from '../../features/media/parts/use-open-media.ts'
import { ViewableWall } from '../../features/media/parts/wall/ViewableWall.tsx'
import type { Profile } from '../../features/profiles/api.ts'
import { ProfileGate } from '../../features/profiles/ProfileGate.tsx'
import { ProfileHeader } from '../../features/profiles/ProfileHeader.tsx'
import { profilePageTexts as texts } from '../../features/profiles/texts.ts'
import { paths } from '../../lib/paths.ts'
import { may, useSession } from '../../lib/session.tsx'
import { Button } from '../../ui/core/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FilterButtons } from '../../ui/FilterButtons.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { lazyPart, useLatch } from '../../ui/lazy-part.tsx'
import { PageTitle, Section } from '../../ui/Page.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { TabBar } from '../../ui/TabBar.tsx'
import { Tag } from '../../ui/Tag.tsx'
import { useIsWide } from '../../ui/use-is-wide.ts'
import styles from './ProfilePage.module.css'

const SubscribeBar = lazyPart(() =>
  import('../../features/commerce/parts/offers/SubscribeBar.tsx').then((module) => module.SubscribeBar),
)
// Tabs that are not in sight at first keep the first load small.
const BundleList = lazyPart(
  () => import('../../features/commerce/parts/offers/BundleList.tsx').then((module) => module.BundleList),
  <SkeletonLines />,
)
const BundleContents = lazyPart(() =>
  import('../../features/media/library/BundleContents.tsx').then((module) => module.BundleContents),
)
const Singles = lazyPart(
  () => import('../../features/commerce/parts/offers/Singles.tsx').then((module) => module.Singles),
  <SkeletonLines />,
)

const AskButton = lazyPart(() =>
  import('../../features/messaging/custom-requests/AskButton.tsx').then((module) => module.default),
)
const FanView = lazyPart(() => import('../../features/profiles/FanView.tsx').then((module) => module.default))
const SuspensionDialog = lazyPart(() =>
  import('../../features/profiles/SuspensionDialog.tsx').then((module) => module.default),
)

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
  const { askForTip, tipDialog } = useTip(profile, buy)
  const [suspending, setSuspending] = useState(false)
  const suspensionAsked = useLatch(suspending)
  const wide = useIsWide('48em')
  const mine = currentUser?._id === profile._id
  // Apart from `view`, which is what the viewer shows.
  const asFan = useSearchParams()[0].get('as') === 'fan' && mine
  const own = mine && !asFan
  const sells = !own && !profile.blocked && !profile.suspended
  const toPage = useOpenMedia()
  const toPurchase = useOpenMedia((media) => buy(singleOf(media)))
  const open = sells ? toPurchase : toPage
  // Offers stand above the media, which they would push down otherwise.
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
        actions={
          sells &&
          profile.isCreator && (
            <>
              <Button variant="default" onClick={askForTip}>
                {texts.tip}
              </Button>
              {currentUser && (
                <span className={styles.ask}>
                  <AskButton creator={profile} />
                </span>
              )}
            </>
          )
        }
        onSuspend={may(currentUser, 'people.suspend') ? () => setSuspending(true) : undefined}
      />
      {suspensionAsked && (
        <SuspensionDialog
          person={suspending ? { ...profile, suspended: profile.suspended !== undefined } : null}
          onClose={() => setSuspending(false)}
        />
      )}
      {profile.isCreator && (
        <>
          <div inert={asFan}>
            <Offers profile={profile} own={own} asFan={asFan} sells={sells} onBuy={buy} onOpen={open} />
          </div>
          {!offersPending && <Works profile={profile} own={own} asFan={asFan} onLocked={open} />}
          {sells && !wide && (
            <div className={styles.bar} inert={asFan}>
              <SubscribeBar creator={profile} onBuy={buy} />
            </div>
          )}
        </>
      )}
      {tipDialog}
      {dialog}
    </div>
  )
}

const TYPES = [
  { name: 'all', type: undefined, label: texts.all },
  { name: 'photos', type: 'image', label: texts.photos },
  { name: 'videos', type: 'video', label: texts.videos },
] satisfies { name: string; type: Media['type'] | undefined; label: string }[]

type WorksProps = {
  profile: Profile
  own: boolean
  asFan: boolean
  onLocked: (media: FeedMedia) => void
}

/** The creator's photos and videos, all or one kind of them; which stands in the address. */
function Works({ profile, own, asFan, onLocked }: WorksProps) {
  const [asked, show] = useParameter('show')
  const mixed = profile.photoCount > 0 && profile.videoCount > 0
  const shown = (mixed && TYPES.find(({ name }) => name === asked)) || TYPES[0]
  return (
    <Section
      title={texts.media}
      action={
        mixed && (
          <FilterButtons
            label={texts.filter}
            choices={TYPES.map(({ name, label }) => ({ value: name, label }))}
            value={shown?.name ?? 'all'}
            onChange={(name) => show(name === 'all' ? '' : name)}
          />
        )
      }
    >
      <ViewableWall
        key={shown?.name}
        label={texts.mediaOf(profile.username)}
        query={profileMediaQuery(profile._id, shown?.type)}
        onLocked={asFan ? () => {} : onLocked}
        {...(asFan ? { show: fanSees } : {})}
        {...(own ? { corner: onlyOwner } : {})}
        empty={
          <EmptyState
            Icon={IconPhoto}
            title={own ? texts.ownNothing : texts.nothing}
            {...(own ? { action: <LinkButton to={paths.uploadBulk}>{texts.upload}</LinkButton> } : {})}
          >
            {own ? texts.ownNothingHint : texts.nothingHint(profile.username)}
          </EmptyState>
        }
      />
    </Section>
  )
}

/** Marks what only the owner sees on their profile. */
function onlyOwner({ unpublished }: FeedMedia) {
  return unpublished && <Tag>{texts.onlyYou}</Tag>
}

/** What the address says of this, and what changes that beside what else stands there, be it drawn already or not. */
function useParameter(name: string) {
  const [parameters, setParameters] = useSearchParams()
  const change = (value: string) => {
    const next = new URLSearchParams(location.search)
    if (value) next.set(name, value)
    else next.delete(name)
    setParameters(next, { replace: true, preventScrollReset: true })
  }
  return [parameters.get(name), change] as const
}

/** An own single as a fan sees it who has not bought it: the list of singles doesn't say that each must be unlocked. */
const unbought = (media: FeedMedia) => fanSees({ ...media, mustUnlock: true })

const TABS = ['subscriptions', 'bundles', 'singles'] as const
type Tab = (typeof TABS)[number]

type OffersProps = {
  profile: Profile
  own: boolean
  asFan: boolean
  /** Whether the viewer could buy. */
  sells: boolean
  onBuy: ReturnType<typeof usePurchase>['buy']
  onOpen: ReturnType<typeof useOpenMedia>
}

/** The creator's products in three tabs; opens the first that has something, unless the address names one. */
function Offers({ profile, own, asFan, sells, onBuy, onOpen }: OffersProps) {
  const [asked, open] = useParameter('tab')
  const first = profile.sells ?? 'subscriptions'
  const tab = TABS.find((name) => name === asked) ?? first
  return (
    <div className={styles.offers}>
      <TabBar<Tab>
        label={texts.offersOf(profile.username)}
        value={tab}
        onChange={(next) => open(next === first ? '' : next)}
        tabs={[
          {
            name: 'subscriptions',
            label: texts.subscriptions,
            count: profile.subscriptionCount,
            panel: <SubscriptionList creator={profile} own={own} onBuy={onBuy} />,
          },
          {
            name: 'bundles',
            label: texts.bundles,
            count: profile.bundleCount,
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
            label: texts.singles,
            count: profile.singleCount,
            panel: (
              <Singles
                creatorId={profile._id}
                own={own}
                onOpen={onOpen}
                {...(sells ? { onBuy } : {})}
                {...(asFan ? { show: unbought } : {})}
              />
            ),
          },
        ]}
      />
    </div>
  )
}
