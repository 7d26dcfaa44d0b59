import type { ReactNode } from 'react'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { formatContents, formatDate } from '../../ui/format.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { LinkedText } from '../../ui/LinkedText.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { ProfileLinks } from '../../ui/ProfileLinks.tsx'
import { ShareButton } from '../../ui/ShareButton.tsx'
import { Tag } from '../../ui/Tag.tsx'
import type { Profile } from './api.ts'
import { FollowButton } from './FollowButton.tsx'
import styles from './ProfileHeader.module.css'
import { profileTexts } from './texts.ts'

// Few look at their own profile.
const OwnActions = lazyPart(() => import('./OwnActions.tsx').then((module) => module.default))
const BlockMenu = lazyPart(() => import('./BlockMenu.tsx').then((module) => module.default))

type ProfileHeaderProps = {
  /** More actions on the creator, besides following and writing. */
  actions?: ReactNode
  profile: Profile
  /** The viewer's own profile: ways to edit instead of ways to follow and write. */
  own: boolean
  /** Actions are shown but disabled. */
  inert?: boolean
  /** Asks whether to suspend or reinstate the person; only for operators who may. */
  onSuspend?: (() => void) | undefined
}

/** The head of a profile: pictures, name, words, links, and actions (docs/product.md, Pages). */
export function ProfileHeader({ profile, own, inert = false, actions, onSuspend }: ProfileHeaderProps) {
  const { username, firstName, bio, menu, limits, links, profileImage, profileHeroImage, isCreator } = profile
  const holds = formatContents(profile)
  return (
    <header className={styles.header}>
      <div className={styles.hero} data-empty={profileHeroImage === null || undefined}>
        {profileHeroImage && (
          <img className={styles.heroPicture} src={profileHeroImage} alt="" draggable={false} />
        )}
      </div>
      <div className={styles.inside}>
        <span className={styles.avatar}>
          <Avatar src={profileImage} name={username} size={112} />
        </span>
        <div className={styles.names}>
          <h1 className={styles.name}>{firstName || username}</h1>
          <p className={styles.facts}>
            <span>@{username}</span>
            {isCreator && holds && <span>{holds}</span>}
            {profile.followerCount > 0 && <span>{profileTexts.followers(profile.followerCount)}</span>}
            {profile.blocked && <Tag>{profileTexts.blockedByYou}</Tag>}
            {profile.suspended && <Tag>{profileTexts.suspended}</Tag>}
          </p>
          {profile.suspended && (
            <p className={styles.facts}>
              {profileTexts.suspendedSince(formatDate(profile.suspended.at), profile.suspended.reason)}
            </p>
          )}
        </div>
        <div className={styles.actions} data-own={(own && isCreator) || undefined} inert={inert}>
          {own ? (
            <OwnActions profile={profile} />
          ) : (
            <OthersActions profile={profile} actions={actions} onSuspend={onSuspend} />
          )}
        </div>
        {(bio || links.length > 0 || menu || limits) && (
          <div className={styles.about}>
            {bio && (
              <p className={styles.bio}>
                <LinkedText>{bio}</LinkedText>
              </p>
            )}
            <ProfileLinks links={links} />
            {(menu || limits) && (
              <div className={styles.notes}>
                {menu && <Note title={profileTexts.menu}>{menu}</Note>}
                {limits && <Note title={profileTexts.limits}>{limits}</Note>}
              </div>
            )}
          </div>
        )}
      </div>
    </header>
  )
}

function OthersActions({
  profile,
  actions,
  onSuspend,
}: Pick<ProfileHeaderProps, 'profile' | 'actions' | 'onSuspend'>) {
  const { loggedIn } = useSession()
  return (
    <>
      {!profile.blocked && !profile.suspended && (
        <FollowButton creatorId={profile._id} quiet={profile.isCreator} />
      )}
      {!profile.suspended && !profile.blocked && (profile.isCreator || loggedIn) && (
        <LinkButton to={paths.chat(profile._id)} variant="default">
          {profileTexts.message}
        </LinkButton>
      )}
      {actions}
      {!profile.suspended && (
        <span className={styles.symbol}>
          <ShareButton
            path={paths.profile(profile.username)}
            title={profile.firstName || profile.username}
            symbol={profileTexts.share}
          />
        </span>
      )}
      {loggedIn && (
        <span className={styles.symbol}>
          <BlockMenu profile={profile} onSuspend={onSuspend} />
        </span>
      )}
    </>
  )
}

function Note({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className={styles.note}>
      <summary>{title}</summary>
      <p>{children}</p>
    </details>
  )
}
