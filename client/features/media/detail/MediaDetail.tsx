import { IconLock, IconPhotoOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import { may, useSession } from '../../../lib/session.tsx'
import { Avatar } from '../../../ui/Avatar.tsx'
import { BlurPreview } from '../../../ui/BlurPreview.tsx'
import { AnchorButton, Button } from '../../../ui/core/Button.tsx'
import { Duration } from '../../../ui/Duration.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { formatDate } from '../../../ui/format.ts'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Page, PageTitle } from '../../../ui/Page.tsx'
import { ProfileLinks } from '../../../ui/ProfileLinks.tsx'
import { ShareButton } from '../../../ui/ShareButton.tsx'
import { Skeleton, SkeletonLines } from '../../../ui/Skeleton.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import { type Media, type MediaView, mediaViewQuery } from '../api.ts'
import { MediaViewer } from '../parts/MediaViewer.tsx'
import { useViewer } from '../parts/use-viewer.ts'
import { VideoPlayer } from '../player/VideoPlayer.tsx'
import { DetailPicture } from './DetailPicture.tsx'
import styles from './MediaDetail.module.css'
import { detailTexts as texts } from './texts.ts'
import { PastDueLink, type Unlock, Unlocks } from './Unlocks.tsx'

// Parts that most items don't need.
const EmbedFrame = lazyPart(async () => (await import('../embed/EmbedFrame.tsx')).EmbedFrame)
const TakenDownStage = lazyPart(async () => (await import('./TakenDownStage.tsx')).TakenDownStage)
const DeletedWhileDown = lazyPart(async () => (await import('./TakenDownStage.tsx')).DeletedWhileDown)
const TakedownControl = lazyPart(async () => (await import('./Takedown.tsx')).TakedownControl)
const VersionChoice = lazyPart(async () => (await import('./VersionChoice.tsx')).VersionChoice)

type Buying = {
  onBuy: (media: Media) => void
  /** Buys what holds the item. */
  onUnlock: (unlock: Unlock, creatorUsername: string) => void
}

/** The server's answers when there is nothing for this viewer: an invalid address, or an item that is gone. */
const GONE = [400, 403, 404]

/** One item with its creator (docs/product.md, Pages, media detail). */
export function MediaDetail({ mediaId, ...buying }: Buying & { mediaId: string }) {
  const view = useQuery(mediaViewQuery(mediaId))
  if (view.error instanceof ApiError && view.error.details && 'takedown' in view.error.details)
    return <DeletedWhileDown mediaId={mediaId} reason={view.error.details.takedown} />
  if (view.error instanceof ApiError && GONE.includes(view.error.status)) {
    return (
      <Page title={texts.page}>
        <EmptyState
          Icon={IconPhotoOff}
          title={texts.notFound}
          action={<LinkButton to={paths.discover}>{texts.browseAll}</LinkButton>}
        >
          {texts.notFoundHint}
        </EmptyState>
      </Page>
    )
  }
  return (
    <Fetched
      query={view}
      waiting={<Waiting />}
      failed={texts.loadFailed}
      around={(failure) => <Page title={texts.page}>{failure}</Page>}
    >
      {(data) => <Shown view={data} {...buying} />}
    </Fetched>
  )
}

function Shown({ view, onBuy, onUnlock }: Buying & { view: MediaView }) {
  const { creator, versions, unlocks } = view
  const { currentUser } = useSession()
  const [chosen, setChosen] = useState<string | null>(null)
  const media = versions.find(({ versionId }) => versionId === chosen)?.media ?? view.media
  const own = media.creatorId === currentUser?._id
  const editable = own || may(currentUser, 'media.editAll')
  const canTakeDown = may(currentUser, 'media.quarantine')
  return (
    <div className={styles.page}>
      <PageTitle>{media.title || texts.by(creator.username)}</PageTitle>
      <div className={styles.stage}>
        {media.takenDownAt ? (
          <TakenDownStage media={media} />
        ) : (
          <MediaStage
            key={media.versionId}
            media={media}
            unlocks={unlocks}
            onBuy={onBuy}
            onUnlock={onUnlock}
          />
        )}
      </div>
      <div className={styles.words}>
        <div className={styles.heading}>
          <h1 className={styles.title} data-untitled={media.title === '' || undefined}>
            {media.title || (media.type === 'video' ? texts.untitledVideo : texts.untitledPhoto)}
          </h1>
          <ShareButton
            path={paths.media(media._id)}
            title={media.title || media.username}
            className={styles.share}
          />
        </div>
        {versions.length > 0 && (
          <div className={styles.versions}>
            <VersionChoice versions={versions} shown={media} onChoose={setChosen} />
          </div>
        )}
        {/* How long a locked one is stands over its picture. */}
        {!media.locked && (media.owned || media.duration !== null) && (
          <p className={styles.facts}>
            {media.owned && !own && <Tag tone="gold">{texts.yours}</Tag>}
            {media.type === 'video' && media.duration !== null && <Duration seconds={media.duration} />}
          </p>
        )}
        {media.locked && !media.takenDownAt && (media.showInStore || unlocks.length > 0) && (
          <Unlocks
            media={media}
            unlocks={unlocks}
            onBuy={() => onBuy(media)}
            onUnlock={(unlock) => onUnlock(unlock, creator.username)}
          />
        )}
        {media.description && <p className={styles.description}>{media.description}</p>}
        {creator.erasedAt !== null && media.owned && !own && <LastDownload media={media} creator={creator} />}
        <section className={styles.creator} aria-label={texts.creator}>
          <Avatar
            src={creator.erasedAt === null ? creator.profileImage : null}
            name={creator.username}
            size={52}
          />
          <div className={styles.who}>
            <p className={styles.name}>{creator.firstName}</p>
            <p className={styles.username}>@{creator.username}</p>
          </div>
          {creator.erasedAt === null && (
            <LinkButton to={paths.profile(creator.username)} variant="default">
              {texts.viewProfile}
            </LinkButton>
          )}
        </section>
        <ProfileLinks links={creator.links} />
        {(editable || canTakeDown) && (
          <div className={styles.tools}>
            {editable && (
              <LinkButton to={paths.editMedia(media._id)} variant="default">
                {texts.edit}
              </LinkButton>
            )}
            {canTakeDown && <TakedownControl media={media} />}
          </div>
        )}
        {!own && (
          <LinkButton to={paths.report(paths.media(media._id))} variant="subtle" color="gray" size="sm">
            {media.type === 'video' ? texts.reportVideo : texts.reportPhoto}
          </LinkButton>
        )}
      </div>
    </div>
  )
}

/** Buyers keep what they bought from a creator who leaves (docs/product.md, Media). */
function LastDownload({ media, creator }: Pick<MediaView, 'media' | 'creator'>) {
  const day = creator.erasedAt && formatDate(creator.erasedAt)
  return (
    <div className={styles.leaving}>
      <p>{texts.leaving(creator.username, day ?? '')}</p>
      {media.url && (
        <AnchorButton href={media.url} download={`${creator.username}-${media._id}`}>
          {texts.download}
        </AnchorButton>
      )}
    </div>
  )
}

type StageProps = Buying & { media: Media; unlocks: readonly Unlock[] }

function MediaStage({ media, ...buying }: StageProps) {
  const viewer = useViewer()
  if (media.locked) return <LockedStage media={media} {...buying} />
  if (media.redGif) {
    return (
      <div className={styles.box} style={boxOf(media)}>
        <EmbedFrame media={media} open fill />
      </div>
    )
  }
  switch (media.type) {
    case 'image':
      return (
        <>
          <DetailPicture media={media} onOpen={() => viewer.open(media._id)} />
          <MediaViewer items={[media]} viewing={viewer.viewing} onClose={viewer.close} />
        </>
      )
    case 'video':
      return (
        <div className={styles.box} style={boxOf(media)}>
          <VideoPlayer media={media} />
        </div>
      )
    default:
      return <p className={styles.unknown}>{texts.error}</p>
  }
}

function LockedStage({ media, unlocks, onBuy, onUnlock }: StageProps) {
  const { loggedIn } = useSession()
  const [first] = unlocks
  return (
    <div className={styles.box} style={boxOf(media)}>
      <BlurPreview hash={media.preview} />
      <div className={styles.locked}>
        <IconLock size={30} stroke={1.5} aria-hidden />
        <p>
          {media.type === 'video' ? texts.lockedVideo : texts.lockedPhoto}
          {media.duration !== null && (
            <>
              {' · '}
              <Duration seconds={media.duration} />
            </>
          )}
        </p>
        {media.showInStore ? (
          <Button onClick={() => onBuy(media)}>
            <span>
              {texts.buyFor} <Money value={media.price} />
            </span>
          </Button>
        ) : first?.pastDue ? (
          <>
            <p>{first.owed === null ? texts.processing : texts.owed(first.owed)}</p>
            <PastDueLink unlock={first} />
          </>
        ) : first ? (
          <Button onClick={() => onUnlock(first, media.username)}>
            <span>
              {first.kind === 'subscription' ? texts.subscribe : texts.buyBundle} ·{' '}
              <Money value={first.price} />
              {first.kind === 'subscription' && texts.perMonth}
            </span>
          </Button>
        ) : (
          <LinkButton to={loggedIn ? paths.buy(media.username) : paths.profile(media.username)}>
            {texts.seeOffers(media.username)}
          </LinkButton>
        )}
      </div>
    </div>
  )
}

/** Width over height where nobody knows it, as of an external gif. */
const USUAL_RATIO = 4 / 5

/** The box has the item's proportions and never more than the window's height. */
function boxOf({ width, height }: Media) {
  const ratio = width > 0 && height > 0 ? width / height : USUAL_RATIO
  return { aspectRatio: ratio, '--ratio': ratio }
}

function Waiting() {
  return (
    <div className={styles.page}>
      <PageTitle>{texts.page}</PageTitle>
      <div className={styles.stage}>
        <div className={styles.box} style={{ aspectRatio: '4 / 5', '--ratio': 0.8 } as object}>
          <Skeleton height="100%" />
        </div>
      </div>
      <div className={styles.words}>
        <SkeletonLines />
      </div>
    </div>
  )
}
